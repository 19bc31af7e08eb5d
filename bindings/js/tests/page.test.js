// The page in a real browser: a preset, a pasted design, sliders, time, downloads, a phone.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdtemp, readFile, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { default: puppeteer } = await import(pathToFileURL(join(process.env.PUPPETEER, "lib/puppeteer/puppeteer-core.js")));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const pictures = process.env.PICTURES;

let server, browser, page, folder;
const errors = [];

before(async () => {
  server = createServer(async ({ url }, response) => {
    try {
      const path = new URL(url, "http://localhost").pathname;
      const bytes = await readFile(join(root, path));
      response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await puppeteer.launch({ executablePath: process.env.WALLCRAWLER_BROWSER, args: ["--no-sandbox"] });
  page = await browser.newPage();
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.setViewport({ width: 1280, height: 800 });
  folder = await mkdtemp(join(tmpdir(), "wallcrawler-page-"));
  const session = await browser.target().createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, eventsEnabled: true });
  await page.goto(`http://127.0.0.1:${server.address().port}/page/index.html`);
  await page.waitForSelector("body[data-ready]");
});

after(async () => {
  await browser?.close();
  server?.close();
});

const text = (id) => page.$eval(`#${id}`, (element) => element.textContent);
const picture = () => page.$eval("#map", (canvas) => canvas.toDataURL());
const look = async (name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });
const set = (id, value, event = "input") =>
  page.$eval(`#${id}`, (element, value, event) => {
    element.value = value;
    element.dispatchEvent(new Event(event, { bubbles: true }));
  }, value, event);
const whole = () => set("turn", 1e9);

test("a preset grows before one's eyes", async () => {
  await page.select("#preset", "keep");
  const early = await picture();
  await page.waitForFunction((early) => document.getElementById("map").toDataURL() !== early, {}, early);
  await page.waitForFunction(() => /^(\d+) of \1$/.test(document.getElementById("moment").textContent), { timeout: 30_000 });
  assert.equal(await text("play"), "▶");
  await look("keep");
  assert.equal(await text("error"), "");
});

test("the time bar is in sight", async () => {
  const below = await page.$eval("#time", (bar) => bar.getBoundingClientRect().bottom);
  assert.ok(below <= 800, `${below} pixels`);
});

test("time goes back and forth", async () => {
  const end = await picture();
  await set("turn", 100);
  assert.match(await text("moment"), /^100 of /);
  assert.notEqual(await picture(), end);
  await whole();
  assert.equal(await picture(), end);
});

test("sliders change the numbers, and can be undone", async () => {
  await whole();
  const before = await picture();
  await set("MaxAge", -3);
  assert.notEqual(await picture(), before);
  assert.match(await text("MaxAge-value"), /\* 0\.364/);
  await look("sliders");
  await page.click("#reset");
  assert.equal(await picture(), before);
});

test("every download is a file of its kind", async () => {
  await whole();
  const heads = { png: "\x89PNG", svg: "<svg", tmj: "{", ldtk: "{", uvtt: "{", json: "{", wcr: "\x89WCR", toml: "" };
  for (const [extension, head] of Object.entries(heads)) {
    await page.click(`button[data-extension="${extension}"]`);
    let bytes;
    for (let waited = 0; !bytes && waited < 100; waited++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      bytes = await readFile(join(folder, `keep.${extension}`)).catch(() => null);
    }
    assert.ok(bytes?.toString("latin1").startsWith(head), extension);
    if (["tmj", "ldtk", "uvtt", "json"].includes(extension)) JSON.parse(bytes.toString());
  }
  assert.ok((await readdir(folder)).some((name) => name.endsWith(".tiles.png")));
  assert.equal(await text("error"), "");
});

test("a pasted design grows, and a wrong one is explained", async () => {
  const design = await readFile(join(folder, "keep.toml"), "utf8");
  await page.$eval("details", (details) => (details.open = true));
  await set("text", "[layout]\ndim_x = ten", "change");
  await page.click("#use");
  assert.match(await text("error"), /design:2:9: error/);
  const before = await picture();
  await set("text", design.replace(/^dim_x = \d+/m, "dim_x = 30"), "change");
  await page.click("#use");
  await whole();
  assert.equal(await text("error"), "");
  assert.notEqual(await picture(), before);
  await set("seed", "a number", "change");
  assert.notEqual(await text("error"), "");
  await set("seed", "7", "change");
  assert.equal(await text("error"), "");
});

test("the address holds the dungeon", async () => {
  await page.select("#preset", "keep");
  await set("MaxAge", 2);
  await set("seed", "99", "change");
  await whole();
  const [shared, address] = [await picture(), page.url()];
  assert.match(address, /#wc1:/);
  const other = await browser.newPage();
  await other.goto(address);
  await other.waitForSelector("body[data-ready]");
  await other.$eval("#turn", (turn) => {
    turn.value = 1e9;
    turn.dispatchEvent(new Event("input", { bubbles: true }));
  });
  assert.equal(await other.$eval("#map", (canvas) => canvas.toDataURL()), shared);
  assert.equal(await other.$eval("#seed", (seed) => seed.value), "99");
  await other.close();
  await page.$eval("details", (details) => (details.open = true));
  await set("text", address.slice(address.indexOf("#") + 1), "change");
  await page.click("#use");
  await whole();
  assert.equal(await picture(), shared);
  await set("text", "wc1:AAAA", "change");
  await page.click("#use");
  assert.match(await text("error"), /incomplete or damaged/);
});

test("it fits a phone", async () => {
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await page.select("#preset", "winding-halls");
  await whole();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `${width} pixels`);
  await page.$eval("details", (details) => (details.open = false));
  if (pictures) await page.screenshot({ path: join(pictures, "phone.png"), fullPage: true });
  assert.deepEqual(errors, []);
});

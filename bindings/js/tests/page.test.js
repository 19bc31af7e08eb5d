// The page in a real browser: a preset, a pasted design, sliders, time, downloads, a phone.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { errorsOf, launch, look as photograph, serve } from "./browser.js";

let server, browser, page, folder, errors;

before(async () => {
  let address;
  ({ server, address } = await serve());
  browser = await launch();
  page = await browser.newPage();
  errors = errorsOf(page);
  await page.setViewport({ width: 1280, height: 800 });
  folder = await mkdtemp(join(tmpdir(), "wallcrawler-page-"));
  const session = await browser.target().createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, eventsEnabled: true });
  await page.goto(`${address}/page/index.html`);
  await page.waitForSelector("body[data-ready]");
});

after(async () => {
  await browser?.close();
  server?.close();
});

const text = (id) => page.$eval(`#${id}`, (element) => element.textContent);
const picture = () => page.$eval("#map", (canvas) => canvas.toDataURL());
const look = (name, options) => photograph(page, name, options);
const set = (id, value, event = "input") =>
  page.$eval(`#${id}`, (element, value, event) => {
    element.value = value;
    element.dispatchEvent(new Event(event, { bubbles: true }));
  }, value, event);
const whole = () => set("turn", 1e9);

test("the growth of a preset is shown", async () => {
  await page.select("#preset", "keep");
  const early = await picture();
  await page.waitForFunction((early) => document.getElementById("map").toDataURL() !== early, {}, early);
  await page.waitForFunction(() => /^(\d+) of \1$/.test(document.getElementById("moment").textContent), { timeout: 30_000 });
  assert.equal(await text("play"), "▶");
  await look("keep");
  assert.equal(await text("error"), "");
});

test("the time bar is visible", async () => {
  const below = await page.$eval("#time", (bar) => bar.getBoundingClientRect().bottom);
  assert.ok(below <= 800, `${below} pixels`);
});

test("the time bar moves back and forth", async () => {
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

test("the address contains the dungeon", async () => {
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

test("the page fits a phone", async () => {
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await page.select("#preset", "winding-halls");
  await whole();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `${width} pixels`);
  await page.$eval("details", (details) => (details.open = false));
  await look("phone", { fullPage: true });
  assert.deepEqual(errors, []);
});

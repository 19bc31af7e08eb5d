// The page in a real browser: a preset, a pasted design, sliders, time, downloads, a phone.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { load } from "../index.js";
import { errorsOf, launch, look as photograph, serve } from "./browser.js";

let server, browser, page, folder, errors, address;

before(async () => {
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
const downloaded = async (name) => {
  let bytes;
  for (let waited = 0; !bytes?.length && waited < 100; waited++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    bytes = await readFile(join(folder, name)).catch(() => null);
  }
  return bytes;
};

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

test("every preset on the page grows, with each slider at its ends and beside its middle", async () => {
  const presets = await page.$$eval("#preset option", (options) => options.map(({ value }) => value));
  const wallcrawler = await load();
  const canGrow = ({ name }) => {
    try {
      return wallcrawler.preset(name).grow().turns > 0;
    } catch {
      return false;
    }
  };
  assert.deepEqual(presets, wallcrawler.presets().filter(canGrow).map(({ name }) => name));
  const summaries = new Map(wallcrawler.presets().map(({ name, summary }) => [name, summary]));
  for (const preset of presets) {
    const before = page.url();
    await page.select("#preset", preset);
    assert.equal(await text("error"), "", preset);
    assert.equal(await text("summary"), summaries.get(preset));
    assert.notEqual(page.url(), before, preset);
    // In one step, because each growth takes a while.
    const failures = await page.$$eval("#sliders input", (sliders) => {
      const failures = [];
      for (const slider of sliders) {
        for (const value of [slider.min, -1, 1, slider.max, 0]) {
          slider.value = value;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          const error = document.getElementById("error").textContent;
          if (error) failures.push([slider.id, value, error]);
        }
      }
      return failures;
    });
    assert.deepEqual(failures, [], preset);
  }
  await set("CorridorWidth", -2);
  assert.equal(await text("CorridorWidth-value"), "- 2");
  await page.select("#preset", "keep");
});

test("a design that cannot grow changes nothing", async () => {
  await whole();
  const shown = () => Promise.all([picture(), text("summary"), page.url(), page.$eval("#preset", ({ value }) => value)]);
  const before = await shown();
  await page.$eval("details", (details) => (details.open = true));
  const keep = (await load()).preset("keep").toToml();
  await set("text", `${keep}\n[[vault]]\ntag = "chapel"\n`, "change");
  await page.click("#use");
  assert.match(await text("error"), /This page cannot grow designs with vaults/);
  assert.deepEqual(await shown(), before);
  await page.$eval("details", (details) => (details.open = false));
});

test("the design that is downloaded grows the dungeon that is shown", async () => {
  await page.select("#preset", "winding-halls");
  await set("seed", "77", "change");
  await set("MaxAge", 1);
  await whole();
  const shown = await picture();
  await page.click('button[data-extension="toml"]');
  const design = await downloaded("winding-halls.toml");
  await page.$eval("details", (details) => (details.open = true));
  await set("text", design.toString(), "change");
  await page.click("#use");
  await whole();
  assert.equal(await picture(), shown);
  assert.equal(await page.$eval("#seed", ({ value }) => value), "77");
  assert.equal(await page.$eval("#preset", ({ value }) => value), "");
  await page.$eval("details", (details) => (details.open = false));
  await page.select("#preset", "keep");
});

test("every download is a file of its kind", async () => {
  await whole();
  const heads = { png: "\x89PNG", svg: "<svg", tmj: "{", ldtk: "{", uvtt: "{", json: "{", wcr: "\x89WCR", toml: "" };
  for (const [extension, head] of Object.entries(heads)) {
    await page.click(`button[data-extension="${extension}"]`);
    const bytes = await downloaded(`keep.${extension}`);
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
  const [shared, link] = [await picture(), page.url()];
  assert.match(link, /#wc1:/);
  const other = await browser.newPage();
  await other.goto(link);
  await other.waitForSelector("body[data-ready]");
  await other.$eval("#turn", (turn) => {
    turn.value = 1e9;
    turn.dispatchEvent(new Event("input", { bubbles: true }));
  });
  assert.equal(await other.$eval("#map", (canvas) => canvas.toDataURL()), shared);
  assert.equal(await other.$eval("#seed", (seed) => seed.value), "99");
  await other.close();
  await page.$eval("details", (details) => (details.open = true));
  await set("text", link.slice(link.indexOf("#") + 1), "change");
  await page.click("#use");
  await whole();
  assert.equal(await picture(), shared);
  await set("text", "wc1:AAAA", "change");
  await page.click("#use");
  assert.match(await text("error"), /incomplete or damaged/);
});

test("a damaged link is reported, and stays in the address", async () => {
  const reasons = {
    "#wc1:AAAA": /incomplete or damaged/,
    [new URL(page.url()).hash.slice(0, -7)]: /incomplete or damaged/,
    "#wc1:%": /incomplete or damaged/,
    "#%": /no dungeon code/,
  };
  for (const [hash, reason] of Object.entries(reasons)) {
    const other = await browser.newPage();
    const problems = errorsOf(other);
    const link = `${address}/page/index.html${hash}`;
    await other.goto(link);
    await other.waitForSelector("body[data-ready]");
    const error = await other.$eval("#error", ({ textContent }) => textContent);
    assert.match(error, reason, hash);
    assert.match(error, /^This link cannot be opened: .*\nThe preset [a-z-]+ is shown instead\.$/);
    assert.equal(other.url(), link);
    assert.notEqual(await other.$eval("#moment", ({ textContent }) => textContent), "");
    // What is shown has an address of its own as soon as it is changed or shared.
    await other.click("#random");
    assert.match(other.url(), /#wc1:.{8}/);
    assert.equal(await other.$eval("#error", ({ textContent }) => textContent), "");
    assert.deepEqual(problems, []);
    await other.close();
  }
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

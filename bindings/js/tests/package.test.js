// The package grows, exports and reports what the program does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { inflateSync } from "node:zlib";

import { Tile, WallcrawlerError, load } from "../index.js";

const wallcrawler = await load();
const program = (...args) => execFileSync(process.env.WALLCRAWLER_PROGRAM, args, { maxBuffer: 1 << 28 });

/** Returns the parts of a PNG, with the squares of the picture uncompressed: compressors differ between processors. */
const picture = (bytes) => {
  const png = Buffer.from(bytes);
  const parts = [];
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    parts.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, end)]);
    at = end + 4;
  }
  const packed = parts.filter(([name]) => name === "IDAT").map(([, data]) => data);
  return [...parts.filter(([name]) => name !== "IDAT"), inflateSync(Buffer.concat(packed))];
};

/** Returns a tabletop map with its picture in the form that `picture` returns. */
const tabletop = (bytes) => {
  const map = JSON.parse(Buffer.from(bytes));
  return { ...map, image: picture(Buffer.from(map.image, "base64")) };
};

/** Returns a JSON export without the files that its design was read from. */
const description = (bytes) => ({ ...JSON.parse(bytes), sources: null });

for (const [preset, seed] of [["keep", 5], ["whirlpool", 0], ["hypostyle", (1n << 64n) - 1n]]) {
  test(`${preset} grows as in the program`, () => {
    const dungeon = wallcrawler.preset(preset).grow(seed);
    const origin = ["--preset", preset, "--seed", String(seed)];
    assert.equal(dungeon.toString(), program("grow", ...origin, "--format", "plain").toString());
    const lines = program("export", ...origin, "--as", "csv", "--to", "-").toString().trim().split("\n").slice(1);
    const cells = lines.map((line) => line.split(","));
    const numbers = (column, missing) => cells.map((cell) => (cell[column] === "" ? missing : Number(cell[column])));
    assert.deepEqual([...dungeon.generations], numbers(3, -1));
    assert.deepEqual([...dungeon.turnLaid], numbers(5, 0));
    assert.deepEqual([...dungeon.steps], numbers(8, -1));
    assert.equal(dungeon.tiles.length, dungeon.rows * dungeon.columns);
    const same = { png: picture, svg: String, json: description, uvtt: tabletop };
    for (const [kind, read] of Object.entries(same)) {
      const exported = program("export", ...origin, "--as", kind, "--to", "-");
      assert.ok(isDeepStrictEqual(read(Buffer.from(dungeon.export(kind))), read(exported)), kind);
    }
    for (const kind of ["tmj", "ldtk"]) {
      assert.ok(JSON.parse(Buffer.from(dungeon.export(kind, { name: `a.${kind}` }))));
      assert.equal(Buffer.from(dungeon.exportBeside(kind)).toString("latin1", 0, 4), "\x89PNG");
    }
  });
}

test("events replay the dungeon", () => {
  const dungeon = wallcrawler.preset("keep").grow(5);
  const { tiles: last, turnLaid, turns, columns } = dungeon;
  const names = ["open", "guaranteed", "wall", "high_wall", "column"];
  const tiles = dungeon.seek(0).tiles;
  assert.notDeepEqual(tiles, last);
  for (const [turn, event] of dungeon.events(0, turns)) {
    if (!event.laid) continue;
    const { at, tile } = event.laid;
    tiles[at.x * columns + at.y] = names.indexOf(tile);
    assert.equal(turnLaid[at.x * columns + at.y], turn);
  }
  assert.deepEqual(tiles, last);
  const half = dungeon.seek(turns / 2).turnLaid;
  assert.deepEqual(half, turnLaid.map((turn) => (turn <= turns / 2 ? turn : 0)));
});

test("designs are changed and written", () => {
  const design = wallcrawler.preset("keep").change("MaxAge * 2", "dimX -> 60");
  const again = wallcrawler.parse(design.toToml());
  assert.equal(again.toToml(), design.toToml());
  const code = design.toCode(3);
  assert.equal(wallcrawler.parse(code).seed, 3n);
  assert.equal(wallcrawler.parse(code).grow().toString(), design.grow(3).toString());
  assert.match(program("grow", code, "--format", "plain").toString(), /^[.oXYC\n]+$/);
  assert.equal(program("grow", code, "--format", "plain").toString(), design.grow(3).toString());
  const dungeon = again.grow();
  assert.equal(dungeon.rows, 60);
  assert.ok(dungeon.tiles.includes(Tile.Wall));
  dungeon.free();
  assert.equal(wallcrawler.presets().length, program("presets").toString().trim().split("\n").length);
  assert.match(wallcrawler.version, /^\d+\.\d+\.\d+$/);
});

test("failures have the program's reasons", () => {
  const design = wallcrawler.preset("keep");
  const reason = (message) => (error) => error instanceof WallcrawlerError && message.test(error.message);
  assert.throws(() => wallcrawler.preset("castle"), reason(/unknown preset `castle`/));
  assert.throws(() => wallcrawler.parse("[layout]\ndim_x = ten"), reason(/design:2:9: error/));
  assert.throws(() => design.change("MaxAgee -> 3"), reason(/did you mean/));
  assert.throws(() => design.grow().export("jpeg"), reason(/unknown kind of export `jpeg`/));
  assert.throws(() => wallcrawler.preset("pilgrimage").grow(), reason(/has vaults.*no Lua(?!.*(feature|Maze))/s));
  assert.throws(() => design.grow(-1), RangeError);
});

test("unknown and out-of-range options are rejected", () => {
  const dungeon = wallcrawler.preset("keep").grow();
  const reason = (message) => (error) => error instanceof WallcrawlerError && message.test(error.message);
  assert.throws(() => dungeon.export("png", { scael: 8 }), reason(/unknown option `scael`; use one of .*scale/));
  assert.throws(() => dungeon.exportBeside("tmj", { on: "light" }), reason(/unknown option `on`; use one of .*ground/));
  assert.throws(() => dungeon.export("png", { scale: 0 }), reason(/`scale` must be from 1 to 4096/));
  assert.throws(() => dungeon.export("cast", { duration: 4294967295 }), reason(/`duration` must be from 1 to 3600000/));
  for (const [kind, options] of Object.entries({
    png: { marks: "doors" },
    pdf: { print: { paper: "a4" } },
    gif: { follow: 3, duration: 100 },
    cast: { moments: "0,end:1" },
  })) {
    assert.ok(dungeon.export(kind, options).length > 0, kind);
  }
});

test("turns beyond the growth are its first and last", () => {
  const dungeon = wallcrawler.preset("keep").grow();
  const { turns } = dungeon;
  for (const [turn, shown] of [[1e300, turns], [Infinity, turns], [-1, 0], [2.5, 2]]) {
    assert.equal(dungeon.seek(turn).turn, shown);
  }
  assert.deepEqual(dungeon.events(1e300, Infinity), []);
  assert.deepEqual(dungeon.events(0, 1e300), dungeon.events());
});

test("diagnostics report what was changed in a design", () => {
  assert.deepEqual(wallcrawler.preset("keep").grow().diagnostics, []);
  const design = wallcrawler.parse("[layout]\ndim_x = 30\ndim_y = 40\nwalls = [[99, 99], [98, 98]]");
  const { diagnostics } = design.grow();
  assert.equal(diagnostics.length, 2);
  for (const [index, diagnostic] of diagnostics.entries()) {
    assert.match(diagnostic, new RegExp(`^warning: wall tile ${index + 1} at .*left out\\n +help: `));
  }
});

test("diagnostics report unknown keys of a design", () => {
  const { diagnostics } = wallcrawler.parse("[layout]\ndim_x = 30\ndim_y = 40\ndim_z = 3").change("MaxAge + 1").grow();
  assert.equal(diagnostics.length, 1);
  assert.match(diagnostics[0], /^design:4:1: warning: unknown key/);
});

test("a code keeps the whole design", () => {
  for (const { name } of wallcrawler.presets()) {
    const design = wallcrawler.preset(name).change("MaxAge + 1");
    assert.equal(wallcrawler.parse(design.toCode()).toToml(), design.toToml(), name);
  }
});

test("objects that were freed cannot be used", () => {
  const design = wallcrawler.preset("keep");
  const dungeon = design.grow();
  for (const object of [design, dungeon]) {
    object.free();
    object.free();
  }
  const freed = (what) => (error) => error instanceof Error && error.message.includes(`the ${what} was freed`);
  const uses = {
    design: [() => design.seed, () => design.change("MaxAge * 2"), () => design.toToml(), () => design.toCode(), () => design.grow(1)],
    dungeon: [() => dungeon.rows, () => dungeon.columns, () => dungeon.turns, () => dungeon.turn, () => dungeon.seek(3),
      () => dungeon.tiles, () => dungeon.steps, () => dungeon.events(), () => dungeon.diagnostics, () => dungeon.export("png"),
      () => dungeon.exportBeside("tmj"), () => String(dungeon)],
  };
  for (const [what, calls] of Object.entries(uses)) {
    for (const use of calls) assert.throws(use, freed(what), String(use));
  }
});

test("memory is reused", () => {
  const design = wallcrawler.preset("keep");
  for (let seed = 0; seed < 200; seed++) design.grow(seed).free();
  design.free();
});

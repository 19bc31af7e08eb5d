// The types of the package describe what it does; this file is only compiled.
import { type Design, type Dungeon, type ExportOptions, Tile, load } from "../index.js";

const wallcrawler = await load(fetch("wallcrawler.wasm"));
const design: Design = wallcrawler.preset("keep").change("MaxAge * 2");
const dungeon: Dungeon = design.grow(42n).seek(100);
new Blob([dungeon.export("png", { scale: 8 }), dungeon.exportBeside("tmj"), dungeon.tiles]);
const bytes: Uint8Array = dungeon.export("png");
const isWall: boolean = dungeon.tiles[0] >= Tile.Wall;
const diagnostics: string[] = dungeon.diagnostics;
const all: Required<ExportOptions> = {
  name: "keep.gif",
  by: "age",
  ground: "light",
  scale: 2,
  grid: 5,
  legend: true,
  marks: "doors",
  print: { paper: "a4", square: 5000, margin: 7000, overlap: 0 },
  open_doors: true,
  generations: false,
  duration: 1000,
  follow: 3,
  moments: "0,end:1",
};
// @ts-expect-error There is no such option.
dungeon.export("png", { scael: 8 });
console.log(bytes, isWall, diagnostics, dungeon.export("gif", all));

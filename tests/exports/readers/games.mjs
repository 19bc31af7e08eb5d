// Loads maps of Tiled and a project of LDtk in the game engine Excalibur by its plugins, and prints, as JSON, what a game
// sees of them: where its tiles are solid, and what objects there are. Checks the JSON by ajv, too, which refuses schemas
// that are not strict. Called by tests/exports/readers.rs: node games.mjs MODULES FOLDER

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, folder] = process.argv.slice(2);
const require = createRequire(join(modules, "x.js"));
const load = (...path) => import(pathToFileURL(join(modules, ...path)).href);
const report = {};

const Ajv = require("ajv/dist/2020").default;
const ajv = new Ajv({ strict: true, allErrors: true });
const check = ajv.compile(JSON.parse(readFileSync(join(folder, "schema.json"), "utf8")));
check(JSON.parse(readFileSync(join(folder, "map.json"), "utf8")));
report.ajv = check.errors ?? [];

// The engine asks for the names of a browser when it is loaded, though nothing is drawn.
const { window } = new (require("jsdom").JSDOM)("<body></body>");
globalThis.window = window;
for (const name of ["document", "DOMParser", "HTMLElement", "HTMLImageElement", "HTMLCanvasElement", "Image"])
  globalThis[name] = window[name];
Object.defineProperty(globalThis, "navigator", { value: window.navigator, configurable: true });
const { TiledResource } = await load("@excaliburjs", "plugin-tiled", "build", "esm", "excalibur-tiled.js");
const { LdtkResource } = await load("@excaliburjs", "plugin-ldtk", "build", "esm", "excalibur-ldtk.js");

const fileLoader = async (path, type) => {
  const text = readFileSync(path, "utf8");
  return type === "json" ? JSON.parse(text) : text;
};
const options = { headless: true, strict: true, fileLoader };
const squares = (tilemap, of) =>
  Array.from({ length: tilemap.rows * tilemap.columns }, (_, i) =>
    of(i % tilemap.columns, Math.floor(i / tilemap.columns)),
  );

for (const name of ["map.tmx", "map.tmj"]) {
  // As in the guide.
  const layerConfig = { Dungeon: { useTileColliders: true } };
  const resource = new TiledResource(join(folder, name), { ...options, layerConfig });
  await resource.load();
  const [layer] = resource.getTileLayers("Dungeon");
  report[name] = {
    size: [layer.tilemap.columns, layer.tilemap.rows],
    solid: squares(layer.tilemap, (y, x) => Number(layer.getTileByCoordinate(y, x).exTile.solid)),
    classes: squares(layer.tilemap, (y, x) => layer.getTileByCoordinate(y, x).tiledTile.class),
    objects: Object.fromEntries(resource.getObjectLayers().map((group) => [group.name, group.objects.length])),
    doors: resource.getObjectsByClassName("door").length,
  };
}

const resource = new LdtkResource(join(folder, "map.ldtk"), options);
// Pictures need a screen.
resource._imageLoader.load = async () => {};
await resource.load();
const [level] = resource.levelsByName.values();
const layer = level.layers.find((layer) => layer.ldtkLayer.__identifier === "Collisions");
report["map.ldtk"] = {
  size: [layer.tilemap.columns, layer.tilemap.rows],
  solid: squares(layer.tilemap, (y, x) => Number(layer.tilemap.getTile(y, x).solid)),
  rooms: resource.getEntitiesByIdentifier("Room").length,
};

// All of it, even into a pipe, before what the engine waits for is left alone.
writeFileSync(1, JSON.stringify(report));
process.exit(0);

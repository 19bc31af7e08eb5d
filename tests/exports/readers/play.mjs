// Plays a cast in the player of asciinema and prints, as JSON, how long it is, its marks, and what a terminal was sent
// until each of them. Called by tests/exports/readers.rs: node play.mjs MODULES CAST

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, cast] = process.argv.slice(2);
const dist = join(modules, "asciinema-player", "dist");
// The player without its screen, which needs a browser.
const name = readdirSync(dist).find((name) => /^core-.*\.js$/.test(name));
const { C: Player } = await import(pathToFileURL(join(dist, name)).href);

const ignore = () => {};
const logger = { log: ignore, debug: ignore, info: ignore, warn: console.error, error: console.error };
const player = new Player({ data: () => readFileSync(cast, "utf8") }, { logger, speed: 1, preload: true });
const report = { screens: [] };
let sent = "";
player.addEventListener("metadata", (data) => Object.assign(report, { duration: data.duration, markers: data.markers }));
player.addEventListener("error", (error) => {
  throw new Error(JSON.stringify(error));
});
player.addEventListener("reset", (data) => {
  report.size = data.size;
  sent = "";
});
player.addEventListener("output", (data) => {
  sent += Array.isArray(data) ? data.join("") : data;
});
player.terminalReady();
await player.init();
for (const number of report.markers.keys()) {
  await player.seek({ marker: number });
  report.screens.push(sent);
}
await player.seek("100%");
report.screens.push(sent);
// All of it, even into a pipe, before the player's timers are left alone.
writeFileSync(1, JSON.stringify(report));
process.exit(0);

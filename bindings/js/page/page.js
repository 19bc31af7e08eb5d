// The page: choose or paste a design, watch it grow, change its numbers, download the dungeon.
import { Tile, load } from "../index.js";

/** Parameters with a slider: the name, the label, and the rule for a value of the slider. At 0, the parameter is as designed. */
const SLIDERS = [
  { name: "MaxAge", label: "Maximum age", low: -4, high: 4, rule: (at) => `MaxAge * ${(1.4 ** at).toFixed(3)}` },
  { name: "StepLength", label: "Step length", low: -4, high: 4, rule: (at) => `StepLength * ${(1.3 ** at).toFixed(3)}` },
  { name: "CorridorWidth", label: "Corridor width", low: -3, high: 5, rule: (at) => `CorridorWidth + ${at}` },
  { name: "ChangeDirProb", label: "Chance to turn", low: -4, high: 4, rule: (at) => `ChangeDirProb * ${(1.3 ** at).toFixed(3)}` },
  { name: "StraightSpawnProb", label: "Babies on straight walls", low: -4, high: 4, rule: (at) => `StraightSpawnProb * ${(1.5 ** at).toFixed(3)}` },
];

/** Downloads: the label, the file extension, the kind of export (none for the design), and its options. */
const DOWNLOADS = [
  { label: "Picture", extension: "png", kind: "png", options: { scale: 8 } },
  { label: "Drawing", extension: "svg", kind: "svg" },
  { label: "Tiled", extension: "tmj", kind: "tmj", beside: true },
  { label: "LDtk", extension: "ldtk", kind: "ldtk", beside: true },
  { label: "Tabletop", extension: "uvtt", kind: "uvtt" },
  { label: "JSON", extension: "json", kind: "json" },
  { label: "Recording", extension: "wcr", kind: "recording" },
  { label: "Design", extension: "toml" },
];

/** Colours of generations, and of the other tiles. */
const GENERATIONS = ["#e8e6df", "#8fbcff", "#ffb870", "#8fe0a0", "#ff8f9f", "#c8a8ff", "#70d8d8", "#f0e070", "#ff9fd8", "#a0b0c0"];
const COLOURS = { [Tile.Wall]: "#6b7280", [Tile.HighWall]: "#aab0ba", [Tile.Column]: "#c4b48a" };
const GROUND = "#14161a";

/** Duration of the playback of a whole growth, in seconds. */
const SECONDS = 8;

const $ = (id) => document.getElementById(id);
const wallcrawler = await load(new URL("../wallcrawler.wasm", import.meta.url));

/** The text of the design as chosen or pasted, before the sliders change it. */
let original = "";
let name = "dungeon";
let design = null;
let dungeon = null;
/** Tiles and turns of the grown dungeon, from which each moment is drawn. */
let squares = null;
let turn = 0;
let playing = null;

function report(error) {
  $("error").textContent = error ? error.message : "";
}

/** Grows the design with the values of the sliders, and shows its growth or its end. */
function grow(play) {
  let changed = null;
  try {
    changed = wallcrawler.parse(original);
    for (const { name: parameter, rule } of SLIDERS) {
      const at = Number($(parameter).value);
      // A rule that would take a parameter out of its range is refused as a whole.
      if (at !== 0) changed.change(rule(at));
    }
    const grown = changed.grow(BigInt($("seed").value.trim() || "0"));
    design?.free();
    dungeon?.free();
    [design, dungeon] = [changed, grown];
    // The page's address contains the dungeon code, so that the dungeon can be shared and opened again.
    history.replaceState(null, "", `#${design.toCode($("seed").value.trim() || "0")}`);
  } catch (error) {
    changed?.free();
    report(error);
    return;
  }
  report(null);
  squares = { tiles: dungeon.tiles, laid: dungeon.turnLaid, generations: dungeon.generations };
  squares.start = dungeon.seek(0).tiles;
  dungeon.seek(dungeon.turns);
  $("turn").max = dungeon.turns;
  $("map").width = dungeon.columns * pixels();
  $("map").height = dungeon.rows * pixels();
  show(play ? 0 : dungeon.turns);
  if (play) start();
}

/** Returns the side of a square in pixels: the largest whole number for which the picture has space. */
function pixels() {
  return Math.max(2, Math.min(12, Math.floor(1600 / dungeon.columns)));
}

/** Shows the dungeon after a number of turns. */
function show(now) {
  turn = Math.max(0, Math.min(dungeon.turns, Math.round(now)));
  const canvas = $("map").getContext("2d");
  const size = pixels();
  canvas.fillStyle = GROUND;
  canvas.fillRect(0, 0, $("map").width, $("map").height);
  const { tiles, laid, generations, start: before } = squares;
  for (let at = 0; at < tiles.length; at++) {
    const isLaid = laid[at] > 0 && laid[at] <= turn;
    const tile = laid[at] > 0 && !isLaid ? before[at] : tiles[at];
    if (tile <= Tile.Guaranteed) continue;
    canvas.fillStyle = isLaid ? GENERATIONS[Math.min(generations[at], GENERATIONS.length - 1)] : COLOURS[tile];
    const [row, column] = [Math.floor(at / dungeon.columns), at % dungeon.columns];
    const inset = tile === Tile.Column ? Math.floor(size / 5) : 0;
    canvas.fillRect(column * size + inset, row * size + inset, size - 2 * inset, size - 2 * inset);
  }
  $("turn").value = turn;
  $("moment").textContent = `${turn} of ${dungeon.turns}`;
}

function start() {
  stop();
  if (turn >= dungeon.turns) show(0);
  const [from, begun] = [turn, performance.now()];
  $("play").textContent = "⏸";
  const step = (time) => {
    show(from + ((time - begun) / 1000 / SECONDS) * dungeon.turns);
    playing = turn < dungeon.turns ? requestAnimationFrame(step) : null;
    if (playing === null) stop();
  };
  playing = requestAnimationFrame(step);
}

function stop() {
  if (playing !== null) cancelAnimationFrame(playing);
  playing = null;
  $("play").textContent = "▶";
}

function save(file, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function download({ extension, kind, options, beside }) {
  const file = `${name}.${extension}`;
  try {
    dungeon.seek(turn);
    const bytes = kind ? dungeon.export(kind, { name: file, ...options }) : design.toToml();
    // A map refers to its tile picture by this name.
    if (beside) save(`${name}.tiles.png`, dungeon.exportBeside(kind, { name: file, ...options }));
    save(file, bytes);
    report(null);
  } catch (error) {
    report(error);
  }
}

/** Begins with a design: its text or code, its seed, and the sliders as designed. Returns whether it is a design. */
function begin(text, called, summary) {
  let parsed;
  try {
    parsed = wallcrawler.parse(text);
  } catch (error) {
    report(error);
    return false;
  }
  original = text;
  name = called;
  $("seed").value = parsed.seed;
  parsed.free();
  $("summary").textContent = summary;
  $("text").value = text;
  reset();
  grow(true);
  return true;
}

/** Begins with the dungeon code in the address; returns whether there is one. */
function beginAddress() {
  const code = decodeURIComponent(location.hash.slice(1));
  if (!code.startsWith("wc")) return false;
  $("preset").value = "";
  return begin(code, "dungeon", "A shared dungeon.");
}

function reset() {
  for (const { name: parameter } of SLIDERS) {
    $(parameter).value = 0;
    $(`${parameter}-value`).textContent = "as designed";
  }
}

function choose(preset) {
  const chosen = wallcrawler.preset(preset.name);
  const text = chosen.toToml();
  chosen.free();
  begin(text, preset.name, preset.summary);
}

for (const slider of SLIDERS) {
  const label = document.createElement("label");
  label.innerHTML = `<span></span><output id="${slider.name}-value"></output>
    <input id="${slider.name}" type="range" min="${slider.low}" max="${slider.high}" value="0" />`;
  label.firstElementChild.textContent = slider.label;
  label.title = slider.name;
  $("sliders").append(label);
  $(slider.name).addEventListener("input", ({ target }) => {
    const at = Number(target.value);
    $(`${slider.name}-value`).textContent = at === 0 ? "as designed" : slider.rule(at).replace(slider.name, "").trim();
    stop();
    grow(false);
  });
}
// Presets with vaults need Lua, which is not compiled in.
const presets = wallcrawler.presets().filter((preset) => {
  const chosen = wallcrawler.preset(preset.name);
  const hasVaults = chosen.toToml().includes("[[layout.vault]]");
  chosen.free();
  return !hasVaults;
});
for (const { name: value } of presets) $("preset").append(new Option(value, value));
for (const one of DOWNLOADS) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: one.label });
  button.dataset.extension = one.extension;
  button.addEventListener("click", () => download(one));
  $("downloads").append(button);
}
$("preset").addEventListener("change", ({ target }) => choose(presets.find(({ name: one }) => one === target.value)));
$("seed").addEventListener("change", () => grow(true));
$("random").addEventListener("click", () => {
  $("seed").value = crypto.getRandomValues(new Uint32Array(1))[0];
  grow(true);
});
$("reset").addEventListener("click", () => {
  reset();
  grow(false);
});
$("use").addEventListener("click", () => begin($("text").value, "pasted", "A pasted design."));
$("play").addEventListener("click", () => (playing === null ? start() : stop()));
$("turn").addEventListener("input", ({ target }) => {
  stop();
  show(Number(target.value));
});
$("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    $("shared").textContent = "The address of this page is on the clipboard.";
  } catch {
    $("shared").textContent = "Copy the address of this page: it holds the dungeon.";
  }
  setTimeout(() => ($("shared").textContent = ""), 5000);
});
window.addEventListener("hashchange", beginAddress);
$("controls").addEventListener("submit", (event) => event.preventDefault());
if (!beginAddress()) choose(presets[0]);
document.body.dataset.ready = "true";

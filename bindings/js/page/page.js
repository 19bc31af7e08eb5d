// The page: choose or paste a design, watch it grow, change its numbers, download the dungeon.
import { Tile, load } from "../index.js";

/** Changes of a parameter by a slider: the text of the change in a rule, and the inverse of the change. */
const times = (base) => (at) => {
  const factor = (base ** at).toFixed(3);
  return { text: `* ${factor}`, undo: (value) => value / Number(factor) };
};
const plus = (at) => ({ text: at < 0 ? `- ${-at}` : `+ ${at}`, undo: (value) => value - at });

/** Parameters with a slider: the name, the label, the range, and the change for a value of the slider. At 0, the
 * parameter is as designed. */
const SLIDERS = [
  { name: "MaxAge", label: "Maximum age", range: [0, 1_000_000], low: -4, high: 4, change: times(1.4) },
  { name: "StepLength", label: "Step length", range: [1, 1000], low: -4, high: 4, change: times(1.3) },
  { name: "CorridorWidth", label: "Corridor width", range: [0, 1000], low: -3, high: 5, change: plus },
  { name: "ChangeDirProb", label: "Chance to turn", range: [0, 100], low: -4, high: 4, change: times(1.3) },
  { name: "StraightSpawnProb", label: "Babies on straight walls", range: [0, 100], low: -4, high: 4, change: times(1.5) },
];

/** Returns the rules for a value of a slider. A rule that would take a parameter out of its range is refused as a whole,
 * so values that would leave the range are set to its end first, and only the others are changed. */
function rulesOf({ name, range: [min, max], change }, at) {
  const { text, undo } = change(at);
  const least = Math.max(min, Math.ceil(undo(min)));
  const most = Math.min(max, Math.floor(undo(max)));
  return [`${name} < ${least} -> ${min}`, `${name} > ${most} -> ${max}`, `${name} ${least}-${most} ${text}`];
}

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

/** The text of the design as chosen or pasted, before the sliders change it, and its name. */
let original = "";
let name = "";
/** The design that grew, with its seed, its code, and its dungeon. */
let design = null;
let code = "";
let dungeon = null;
/** Tiles and turns of the grown dungeon, from which each moment is drawn. */
let squares = null;
let turn = 0;
let playing = null;

function report(error) {
  $("error").textContent = error ? error.message : "";
}

/** Returns whether a design has vaults, which need Lua; Lua is not compiled in. */
function hasVaults(one) {
  return /^\[\[vault\]\]/m.test(one.toToml());
}

/** Writes the dungeon code to the page's address, so that the dungeon can be shared and opened again. */
function writeAddress() {
  history.replaceState(null, "", `#${code}`);
}

/** Returns the rules for the values of the sliders. */
function sliderRules() {
  const moved = SLIDERS.filter((slider) => Number($(slider.name).value) !== 0);
  return moved.flatMap((slider) => rulesOf(slider, Number($(slider.name).value)));
}

/** Grows the design of a text, by default with the seed and the values of the sliders, and shows its growth or its end.
 * Returns whether it grew; otherwise, the dungeon that was shown before stays. */
function grow(play, text = original, seed = $("seed").value.trim() || "0", rules = sliderRules()) {
  let changed = null;
  try {
    changed = wallcrawler.parse(text);
    if (hasVaults(changed)) {
      throw new Error("This page cannot grow designs with vaults. The Wallcrawler program can: install it, and open the design there.");
    }
    changed.change(...rules);
    const newCode = changed.toCode(seed);
    // The design of the code has the seed, so its TOML grows the dungeon that is shown.
    const seeded = wallcrawler.parse(newCode);
    const grown = seeded.grow();
    design?.free();
    dungeon?.free();
    [design, code, dungeon] = [seeded, newCode, grown];
  } catch (error) {
    report(error);
    return false;
  } finally {
    changed?.free();
  }
  writeAddress();
  report(null);
  squares = { tiles: dungeon.tiles, laid: dungeon.turnLaid, generations: dungeon.generations };
  squares.start = dungeon.seek(0).tiles;
  dungeon.seek(dungeon.turns);
  $("turn").max = dungeon.turns;
  $("map").width = dungeon.columns * pixels();
  $("map").height = dungeon.rows * pixels();
  show(play ? 0 : dungeon.turns);
  if (play) start();
  return true;
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

/** Begins with a design: its text or code, its seed, and the sliders as designed. Returns whether it grew. */
function begin(text, called, summary) {
  let seed;
  try {
    const parsed = wallcrawler.parse(text);
    seed = parsed.seed;
    parsed.free();
  } catch (error) {
    report(error);
    return false;
  }
  const hasGrown = grow(true, text, seed, []);
  if (hasGrown) {
    [original, name] = [text, called];
    $("seed").value = seed;
    $("summary").textContent = summary;
    $("text").value = text;
    reset();
  }
  // The name of a shared or pasted design is no preset: no preset is then selected.
  $("preset").value = name;
  return hasGrown;
}

/** Begins with the dungeon code in the address; returns whether there is one that grew. */
function beginAddress() {
  let text = location.hash.slice(1);
  if (!text) return false;
  try {
    text = decodeURIComponent(text);
  } catch {
    // The percent sign of a damaged address stays in the text, which is then no code.
  }
  if (text.startsWith("wc")) return begin(text, "dungeon", "A shared dungeon.");
  report(new Error("the address contains no dungeon code, which begins with `wc1:`"));
  return false;
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
    $(`${slider.name}-value`).textContent = at === 0 ? "as designed" : slider.change(at).text;
    stop();
    grow(false);
  });
}
const presets = wallcrawler.presets().filter((preset) => {
  const chosen = wallcrawler.preset(preset.name);
  const canGrow = !hasVaults(chosen);
  chosen.free();
  return canGrow;
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
  writeAddress();
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
if (!beginAddress()) {
  const { hash } = location;
  const reason = $("error").textContent;
  choose(presets[0]);
  if (reason) {
    // The link that cannot be opened stays in the address, where it can be corrected.
    history.replaceState(null, "", hash);
    report(new Error(`This link cannot be opened: ${reason}.\nThe preset ${name} is shown instead.`));
  }
}
document.body.dataset.ready = "true";

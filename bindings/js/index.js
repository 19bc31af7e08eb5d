// Wallcrawler for browsers and Node: the C interface of the library, compiled to WebAssembly. See index.d.ts.

/** Kinds of tile. The first two are walkable. */
export const Tile = Object.freeze({ Open: 0, Guaranteed: 1, Wall: 2, HighWall: 3, Column: 4 });

/** The error for text that is not a design, a rule that does not apply, or an export that is not possible. */
export class WallcrawlerError extends Error {
  name = "WallcrawlerError";
}

/** Loads the library: from the file beside this module, or from an address, a response or bytes. */
export async function load(source = new URL("wallcrawler.wasm", import.meta.url)) {
  const { instance } = await instantiate(await source);
  return new Wallcrawler(instance.exports);
}

async function instantiate(source) {
  if (source instanceof URL && source.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    source = await readFile(source);
  } else if (source instanceof URL || typeof source === "string") {
    source = await fetch(source);
  }
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new WallcrawlerError(`${source.url}: ${source.status} ${source.statusText}`);
    source = await source.arrayBuffer();
  }
  return WebAssembly.instantiate(source);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Calls the functions of the C interface with strings and bytes. */
class Library {
  constructor(exports) {
    this.exports = exports;
    this.handles = new FinalizationRegistry(({ free, handle }) => free(handle));
  }

  /** Calls a function with the addresses and lengths of strings or bytes, after other arguments. */
  call(name, first, ...parts) {
    const { memory, wc_alloc, wc_release } = this.exports;
    const places = parts.map((part) => {
      const bytes = typeof part === "string" ? encoder.encode(part) : part;
      const at = wc_alloc(bytes.length);
      new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
      return [at, bytes.length];
    });
    try {
      return this.exports[name](...first, ...places.flat());
    } finally {
      places.forEach(([at, length]) => wc_release(at, length));
    }
  }

  /** Returns the result of a call, a handle or a true value; throws an error with the reason if the call failed. */
  checked(result) {
    if (result) return result;
    const { memory, wc_error } = this.exports;
    const bytes = new Uint8Array(memory.buffer, wc_error());
    throw new WallcrawlerError(decoder.decode(bytes.subarray(0, bytes.indexOf(0))));
  }

  /** Returns a copy of the bytes that a function returned. */
  bytes(result) {
    const { memory, wc_bytes_data, wc_bytes_length, wc_bytes_free } = this.exports;
    const handle = this.checked(result);
    const bytes = new Uint8Array(memory.buffer, wc_bytes_data(handle), wc_bytes_length(handle)).slice();
    wc_bytes_free(handle);
    return bytes;
  }

  /** Frees a handle when its owner is no longer reachable. */
  own(owner, handle, free) {
    this.handles.register(owner, { free, handle }, owner);
    return handle;
  }

  /** Frees a handle now. */
  free(owner, handle, free) {
    this.handles.unregister(owner);
    free(handle);
  }
}

/** Converts a seed to the type that the library accepts. */
function seedOf(seed) {
  const number = BigInt(seed);
  if (number < 0n || number >> 64n) throw new RangeError(`a seed is a whole number from 0 to ${(1n << 64n) - 1n}`);
  return number;
}

export class Wallcrawler {
  #library;

  constructor(exports) {
    this.#library = new Library(exports);
  }

  get version() {
    const { memory, wc_version } = this.#library.exports;
    const bytes = new Uint8Array(memory.buffer, wc_version());
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  get seedCatalog() {
    return this.#library.exports.wc_seed_catalog();
  }

  presets() {
    return JSON.parse(decoder.decode(this.#library.bytes(this.#library.exports.wc_presets())));
  }

  preset(name) {
    return new Design(this.#library, this.#library.call("wc_design_preset", [], name));
  }

  parse(text) {
    return new Design(this.#library, this.#library.call("wc_design_parse", [], text));
  }
}

export class Design {
  #library;
  #handle;

  constructor(library, handle) {
    this.#library = library;
    this.#handle = library.own(this, library.checked(handle), library.exports.wc_design_free);
  }

  get seed() {
    return BigInt.asUintN(64, this.#library.exports.wc_design_seed(this.#live));
  }

  change(...rules) {
    for (const rule of rules) this.#library.checked(this.#library.call("wc_design_change", [this.#live], rule));
    return this;
  }

  toToml() {
    return decoder.decode(this.#library.bytes(this.#library.exports.wc_design_toml(this.#live)));
  }

  toCode(seed = this.seed) {
    return decoder.decode(this.#library.bytes(this.#library.exports.wc_design_code(this.#live, seedOf(seed))));
  }

  grow(seed = this.seed) {
    return new Dungeon(this.#library, this.#library.exports.wc_grow(this.#live, seedOf(seed)));
  }

  free() {
    if (this.#handle === 0) return;
    this.#library.free(this, this.#handle, this.#library.exports.wc_design_free);
    this.#handle = 0;
  }

  /** Returns the handle; throws an error if the design was freed. */
  get #live() {
    if (this.#handle === 0) throw new Error("the design was freed, and can no longer be used");
    return this.#handle;
  }
}

export class Dungeon {
  #library;
  #handle;

  constructor(library, handle) {
    this.#library = library;
    this.#handle = library.own(this, library.checked(handle), library.exports.wc_dungeon_free);
  }

  get rows() {
    return this.#library.exports.wc_rows(this.#live);
  }

  get columns() {
    return this.#library.exports.wc_columns(this.#live);
  }

  get turns() {
    return Number(this.#library.exports.wc_turns(this.#live));
  }

  get turn() {
    return Number(this.#library.exports.wc_turn(this.#live));
  }

  get diagnostics() {
    const text = decoder.decode(this.#library.bytes(this.#library.exports.wc_diagnostics(this.#live)));
    // Lines that begin with a space continue the diagnostic before them.
    return text.trimEnd().split(/\n(?! )/).filter(Boolean);
  }

  seek(turn) {
    this.#library.exports.wc_seek(this.#live, this.#turnOf(turn));
    return this;
  }

  get tiles() {
    return this.#array("wc_tiles", Uint8Array);
  }

  get generations() {
    return this.#array("wc_generations", Int16Array);
  }

  get turnLaid() {
    return this.#array("wc_turn_laid", Uint32Array);
  }

  get steps() {
    return this.#array("wc_steps", Int32Array);
  }

  events(from = 0, to = this.turns) {
    const events = this.#library.exports.wc_events(this.#live, this.#turnOf(from), this.#turnOf(to));
    return JSON.parse(decoder.decode(this.#library.bytes(events)));
  }

  export(kind, { name = "dungeon", ...options } = {}) {
    const call = (which) =>
      this.#library.bytes(this.#library.call(which, [this.#live], kind, name, JSON.stringify(options)));
    return call("wc_export");
  }

  exportBeside(kind, { name = "dungeon", ...options } = {}) {
    const text = JSON.stringify(options);
    return this.#library.bytes(this.#library.call("wc_export_beside", [this.#live], kind, name, text));
  }

  toString() {
    return decoder.decode(this.export("text"));
  }

  free() {
    if (this.#handle === 0) return;
    this.#library.free(this, this.#handle, this.#library.exports.wc_dungeon_free);
    this.#handle = 0;
  }

  /** Returns the handle; throws an error if the dungeon was freed. */
  get #live() {
    if (this.#handle === 0) throw new Error("the dungeon was freed, and can no longer be used");
    return this.#handle;
  }

  /** Converts a turn to the type that the library accepts. Turns before the first become 0, later ones the last. */
  #turnOf(turn) {
    return BigInt(Math.floor(Math.min(Math.max(0, Number(turn)), this.turns)));
  }

  /** Returns a copy of an array of the turn that is shown. */
  #array(name, Kind) {
    const at = this.#library.exports[name](this.#live);
    return new Kind(this.#library.exports.memory.buffer, at, this.rows * this.columns).slice();
  }
}

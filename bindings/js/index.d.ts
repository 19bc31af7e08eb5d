/** Kinds of tile. The first two are walkable. */
export declare const Tile: {
  readonly Open: 0;
  readonly Guaranteed: 1;
  readonly Wall: 2;
  readonly HighWall: 3;
  readonly Column: 4;
};

/** The error for text that is not a design, a rule that does not apply, or an export that is not possible. */
export declare class WallcrawlerError extends Error {}

/**
 * Loads the library: from the file beside the module, or from an address, a response or bytes.
 *
 * ```js
 * const wallcrawler = await load();
 * const dungeon = wallcrawler.preset("keep").change("MaxAge * 2").grow(42);
 * const isWall = dungeon.tiles[12 * dungeon.columns + 30] >= Tile.Wall;
 * ```
 */
export declare function load(
  source?: URL | string | Response | BufferSource | PromiseLike<Response | BufferSource>,
): Promise<Wallcrawler>;

export declare class Wallcrawler {
  private constructor();
  /** Version of the library. */
  readonly version: string;
  /** Edition of the seed catalogue: with the same edition, a design and a seed grow the same dungeon everywhere. */
  readonly seedCatalog: number;
  /** Returns the built-in designs. Those with vaults cannot be grown here. */
  presets(): { name: string; summary: string }[];
  /** Returns a built-in design. */
  preset(name: string): Design;
  /** Parses a design from TOML, a rooms file, or a dungeon code (`wc1:…`). */
  parse(text: string): Design;
}

/** A design. Its memory is freed when it is no longer reachable, or at once by `free`. */
export declare class Design {
  private constructor();
  /** The design's own seed. */
  readonly seed: bigint;
  /** Changes numbers by rules, as `--change` does on the command line: "MaxAge -> 3". Returns this design. */
  change(...rules: string[]): this;
  /** Returns the design as TOML. */
  toToml(): string;
  /** Returns the design as a dungeon code, one line of text, with this seed or its own. Fails for designs with level files. */
  toCode(seed?: number | bigint): string;
  /** Grows a dungeon and records its growth; without `seed`, the design's own is used. */
  grow(seed?: number | bigint): Dungeon;
  /** Frees the memory. Using the design afterwards throws an error. */
  free(): void;
}

/** One event: the turn, from 1 (0 for births before the first), and an object with one field, the kind of event. */
export type TimedEvent = [turn: number, event: Record<string, unknown>];

/** An array with its own memory, as its method `slice` returns it: `new Blob([bytes])` accepts it. */
export type Copied<Kind extends { slice(): unknown }> = ReturnType<Kind["slice"]>;

/**
 * The options of `wallcrawler export`; each kind uses those that apply to it. Unknown options and numbers out of range
 * throw an error.
 */
export interface ExportOptions {
  /** Name of the file, for kinds that refer to a companion picture. */
  name?: string;
  by?: "generation" | "age" | "lineage" | "kind";
  ground?: "dark" | "light" | "print";
  /** Side of a square in pixels, from 1 to 4096. */
  scale?: number;
  /** Distance between grid lines in squares. */
  grid?: number;
  legend?: boolean;
  /** What maps show besides the tiles. */
  marks?: "none" | "doors" | "all";
  /** Page layout of PDF maps. */
  print?: PrintLayout;
  open_doors?: boolean;
  generations?: boolean;
  /** Duration of an animation in milliseconds, from 1 to 3600000. */
  duration?: number;
  /** Builder that an animation follows: its number in the events, from 0. */
  follow?: number;
  /** Moments that an animation shows instead of the whole growth, such as "0,300:4,end:5"; `duration` is then ignored. */
  moments?: string;
}

/** Page layout of PDF maps. Lengths are whole micrometres: 5000 is 5 mm. */
export interface PrintLayout {
  paper?: "a5" | "a4" | "a3" | "a2" | "a1" | "a0" | "letter" | "legal" | "tabloid";
  /** Side of a square. */
  square?: number;
  /** Unprinted margin at each edge of the paper. */
  margin?: number;
  /** Overlap of neighbouring pages, for gluing. */
  overlap?: number;
}

/**
 * A grown dungeon with the recording of its growth, at one of its turns, initially the last. Arrays have one number for
 * each square, row by row.
 */
export declare class Dungeon {
  private constructor();
  readonly rows: number;
  readonly columns: number;
  /** Number of turns of the whole growth. */
  readonly turns: number;
  /** Turn that is shown. */
  readonly turn: number;
  /**
   * Messages as the program prints them: warnings about the text from which the design was parsed, such as unknown
   * keys, and warnings and notes about the design itself, for example about parts that were left out. The list is empty
   * if there are no messages.
   */
  readonly diagnostics: string[];
  /** Shows another turn: 0 is before the first, and a turn after the last shows the last. Returns this dungeon. */
  seek(turn: number): this;
  /** Kind of the tile on each square. */
  readonly tiles: Copied<Uint8Array>;
  /** Generation of the Builder that laid the tile; -1 where none did. */
  readonly generations: Copied<Int16Array>;
  /** Turn in which the tile was laid, from 1; 0 where no Builder laid one. */
  readonly turnLaid: Copied<Uint32Array>;
  /** Steps from the entrance; -1 for squares that cannot be reached. */
  readonly steps: Copied<Int32Array>;
  /** Returns the events of the turns after `from` up to `to`; if `from` is 0, also those before the first turn. */
  events(from?: number, to?: number): TimedEvent[];
  /** Returns the dungeon as a kind of `wallcrawler export`: "png", "tmj", "ldtk", "uvtt", "json", "recording", … */
  export(kind: string, options?: ExportOptions): Copied<Uint8Array>;
  /** Returns the tile picture that a Tiled or LDtk map needs beside it. */
  exportBeside(kind: string, options?: ExportOptions): Copied<Uint8Array>;
  /** Returns the dungeon as text, a character per square. */
  toString(): string;
  /** Frees the memory. Using the dungeon afterwards throws an error. */
  free(): void;
}

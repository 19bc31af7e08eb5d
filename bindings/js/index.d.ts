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
  free(): void;
}

/** One event: the turn, from 1 (0 for births before the first), and an object with one field, the kind of event. */
export type TimedEvent = [turn: number, event: Record<string, unknown>];

/** Fields of the options of `wallcrawler export`; each kind uses those that apply to it. */
export interface ExportOptions {
  /** Name of the file, for kinds that refer to a companion picture. */
  name?: string;
  by?: "generation" | "age" | "lineage" | "kind";
  ground?: "dark" | "light" | "print";
  /** Side of a square in pixels. */
  scale?: number;
  /** Distance between grid lines in squares. */
  grid?: number;
  legend?: boolean;
  open_doors?: boolean;
  generations?: boolean;
  /** Duration of an animation in milliseconds. */
  duration?: number;
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
  /** Shows another turn; 0 is before the first. Returns this dungeon. */
  seek(turn: number): this;
  /** Kind of the tile on each square. */
  readonly tiles: Uint8Array;
  /** Generation of the Builder that laid the tile; -1 where none did. */
  readonly generations: Int16Array;
  /** Turn in which the tile was laid, from 1; 0 where no Builder laid one. */
  readonly turnLaid: Uint32Array;
  /** Steps from the entrance; -1 for squares that cannot be reached. */
  readonly steps: Int32Array;
  /** Returns the events of the turns after `from` up to `to`; if `from` is 0, also those before the first turn. */
  events(from?: number, to?: number): TimedEvent[];
  /** Returns the dungeon as a kind of `wallcrawler export`: "png", "tmj", "ldtk", "uvtt", "json", "recording", … */
  export(kind: string, options?: ExportOptions): Uint8Array;
  /** Returns the tile picture that a Tiled or LDtk map needs beside it. */
  exportBeside(kind: string, options?: ExportOptions): Uint8Array;
  /** Returns the dungeon as text, a character per square. */
  toString(): string;
  free(): void;
}

// A dungeon to walk through in Phaser: it grows when the page is opened, and its walls are solid. The arrow keys walk, and
// reaching the exit grows the next one.
import * as Phaser from "phaser";
import { load } from "wallcrawler";

const wallcrawler = await load();
const design = wallcrawler.preset("keep");

/** Pixels per square of a Tiled map, and pixels that the player walks in a second. */
const SIDE = 16;
const SPEED = 120;

class Level extends Phaser.Scene {
  /** Grows the dungeon of a seed as a Tiled map; Phaser loads it as it would load files. */
  init({ seed = 42 }) {
    this.seed = seed;
    this.dungeon?.free();
    this.dungeon = design.grow(seed);
  }

  preload() {
    const name = `map-${this.seed}`;
    const address = (bytes, type) => URL.createObjectURL(new Blob([bytes], { type }));
    this.load.tilemapTiledJSON(name, address(this.dungeon.export("tmj", { name }), "application/json"));
    this.load.image(`${name}-tiles`, address(this.dungeon.exportBeside("tmj", { name }), "image/png"));
  }

  create() {
    const name = `map-${this.seed}`;
    const map = this.make.tilemap({ key: name });
    const walls = map.createLayer("Dungeon", map.addTilesetImage("wallcrawler", `${name}-tiles`));
    walls.setCollisionByProperty({ solid: true });
    const place = (type) => map.findObject("Path", (object) => object.type === type);
    const [entrance, exit] = [place("entrance"), place("exit")];

    this.player = this.add.rectangle(entrance.x, entrance.y, SIDE * 0.6, SIDE * 0.6, 0xffd166);
    this.physics.add.existing(this.player);
    this.player.body.setCollideWorldBounds(true);
    this.physics.world.setBounds(0, 0, map.widthInPixels, map.heightInPixels);
    this.physics.add.collider(this.player, walls);
    const goal = this.add.rectangle(exit.x, exit.y, SIDE * 0.8, SIDE * 0.8, 0x06d6a0);
    this.physics.add.existing(goal, true);
    const leaving = this.physics.add.overlap(this.player, goal, () => {
      // A frame may have several steps of physics, but the scene must restart only once.
      leaving.active = false;
      this.scene.restart({ seed: this.seed + 1 });
    });

    this.keys = this.input.keyboard.createCursorKeys();
    this.cameras.main.setBounds(0, 0, map.widthInPixels, map.heightInPixels).startFollow(this.player);
  }

  update() {
    const { left, right, up, down } = this.keys;
    this.player.body.setVelocity((right.isDown - left.isDown) * SPEED, (down.isDown - up.isDown) * SPEED);
  }

  /** Returns whether a point of the map is inside a wall; the test calls this for the player. */
  isSolid({ x, y }) {
    const [row, column] = [Math.floor(y / SIDE), Math.floor(x / SIDE)];
    return this.dungeon.tiles[row * this.dungeon.columns + column] >= 2;
  }
}

globalThis.game = new Phaser.Game({
  type: Phaser.AUTO,
  scale: { mode: Phaser.Scale.RESIZE },
  backgroundColor: "#14161a",
  pixelArt: true,
  physics: { default: "arcade" },
  scene: Level,
});

// The example for Phaser: the player can walk where the dungeon is open, and nowhere else.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { errorsOf, launch, look, serve } from "./browser.js";

let server, browser, page, errors;

before(async () => {
  let address;
  ({ server, address } = await serve());
  browser = await launch();
  page = await browser.newPage();
  errors = errorsOf(page);
  await page.setViewport({ width: 800, height: 600 });
  await page.goto(`${address}/examples/phaser/index.html`);
  await page.waitForFunction(() => globalThis.game?.scene.scenes[0]?.player);
  // From here on the tests make the frames, without drawing them, so that the time between two frames is always the same.
  // They count the frames in which the middle of the player is inside a wall.
  await page.evaluate(() => {
    globalThis.inside = 0;
    game.events.on("poststep", () => (inside += game.scene.scenes[0].isSolid(game.scene.scenes[0].player)));
    game.loop.sleep();
    let now = performance.now();
    globalThis.advance = (isDone) => {
      for (let frame = 0; frame < 2000; frame++) {
        if (isDone(game.scene.scenes[0].player)) return true;
        now += 1000 / 60;
        game.headlessStep(now, 1000 / 60);
      }
      return false;
    };
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

const player = () => page.evaluate(() => ({ x: game.scene.scenes[0].player.x, y: game.scene.scenes[0].player.y }));

test("the walls of the Tiled map are those of the dungeon", async () => {
  const wrong = await page.evaluate(() => {
    const level = game.scene.scenes[0];
    const layer = level.children.list.find((child) => child.layer).layer;
    const squares = layer.data.flat();
    return [squares.length, squares.filter((tile) => tile.collides !== level.isSolid({ x: tile.pixelX, y: tile.pixelY })).length];
  });
  assert.deepEqual(wrong, [55 * 110, 0]);
});

test("the player can walk along the path", async () => {
  const corners = await page.evaluate(() => {
    const map = game.scene.scenes[0].children.list.find((child) => child.layer).tilemap;
    const { x, y, polyline } = map.findObject("Path", (object) => object.type === "path");
    return polyline.slice(0, 4).map((corner) => ({ x: x + corner.x, y: y + corner.y }));
  });
  assert.deepEqual(await player(), corners[0]);
  for (const [index, to] of corners.slice(1).entries()) {
    const from = corners[index];
    const key = to.x > from.x ? "ArrowRight" : to.x < from.x ? "ArrowLeft" : to.y > from.y ? "ArrowDown" : "ArrowUp";
    await page.keyboard.down(key);
    const walk = ({ from, to }) =>
      advance(({ x, y }) => Math.abs(x - from.x) + Math.abs(y - from.y) >= Math.abs(to.x - from.x) + Math.abs(to.y - from.y));
    assert.ok(await page.evaluate(walk, { from, to }), key);
    await page.keyboard.up(key);
    assert.ok(await page.evaluate(() => advance((player) => player.body.velocity.length() === 0)));
    const at = await player();
    assert.ok(Math.hypot(at.x - to.x, at.y - to.y) < 8, JSON.stringify({ at, to }));
  }
  await page.evaluate(() => game.step(performance.now(), 1000 / 60));
  await look(page, "phaser");
});

test("walls stop the player", async () => {
  for (const key of ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]) {
    await page.keyboard.down(key);
    assert.ok(await page.evaluate(() => advance((player) => !player.body.blocked.none)), key);
    await page.keyboard.up(key);
  }
  assert.equal(await page.evaluate(() => inside), 0);
});

test("the exit leads to another dungeon", async () => {
  await page.evaluate(() => {
    const level = game.scene.scenes[0];
    const { dungeon } = level;
    const exit = JSON.parse(new TextDecoder().decode(dungeon.export("json"))).exit;
    level.player.body.reset(exit.y * 16 + 8, exit.x * 16 + 8);
    game.loop.wake();
  });
  await page.waitForFunction(() => game.scene.scenes[0].seed === 43 && game.scene.scenes[0].player?.active);
  assert.deepEqual(errors, []);
});

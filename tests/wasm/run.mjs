// Runs the library in WebAssembly and compares: node run.mjs MODULE.wasm NATIVE.txt
// NATIVE.txt is what the same program prints natively; the seed catalogue holds the expected digests.
import { readFileSync } from "node:fs";

const [, , moduleFile, nativeFile] = process.argv;
const module = new WebAssembly.Module(readFileSync(moduleFile));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) {
  throw new Error(`the library imports from its host: ${JSON.stringify(imports)}`);
}
const { exports } = new WebAssembly.Instance(module, {});
const start = performance.now();
exports.main(0, 0);
const took = performance.now() - start;

const memory = Buffer.from(exports.memory.buffer);
const from = memory.lastIndexOf("<".repeat(9)) + 9;
const to = memory.indexOf(">".repeat(9), from);
if (from < 9 || to < 0) throw new Error("the program left no text");
const text = memory.subarray(from, to).toString("utf8");

const native = readFileSync(nativeFile, "utf8");
if (text !== native) {
  const [a, b] = [text.split("\n"), native.split("\n")];
  const at = a.findIndex((line, number) => line !== b[number]);
  throw new Error(`line ${at + 1} is\n  ${a[at]}\nin WebAssembly and natively\n  ${b[at]}`);
}

const catalog = new Set(readFileSync(new URL("../catalog/digests.txt", import.meta.url), "utf8").split("\n"));
const digests = text.split("\n").filter((line) => /^\S.* columns /.test(line));
const unknown = digests.filter((line) => !catalog.has(line));
if (digests.length < 50 || unknown.length > 0) {
  throw new Error(`${digests.length} digests, of which the catalog has not\n${unknown.join("\n")}`);
}
const drawings = text.split("\n").filter((line) => / walls [1-9]/.test(line));
if (drawings.length < 10) throw new Error(`only ${drawings.length} drawings came in`);
console.log(`${digests.length} dungeons of the seed catalogue, one in full, its exports and ${drawings.length} drawings are the same; ${Math.round(took)} ms`);

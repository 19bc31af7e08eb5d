// A browser that does not draw on a screen, and a server for it.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = process.env.NODE_MODULES;
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Serves the package on the loopback interface, with installed packages as /node_modules. Returns server and address. */
export async function serve() {
  const server = createServer(async ({ url }, response) => {
    try {
      const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
      const installed = /^\/node_modules\/(.*)/.exec(path);
      const bytes = await readFile(installed ? join(modules, installed[1]) : join(root, path));
      response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}

/** Starts the browser of WALLCRAWLER_BROWSER. */
export async function launch() {
  const library = join(modules, "puppeteer-core/lib/puppeteer/puppeteer-core.js");
  const { default: puppeteer } = await import(pathToFileURL(library));
  return puppeteer.launch({ executablePath: process.env.WALLCRAWLER_BROWSER, args: ["--no-sandbox"] });
}

/** Collects the errors of a page. */
export function errorsOf(page) {
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return errors;
}

/** Saves a screenshot of a page if PICTURES names a folder. */
export async function look(page, name, options) {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`), ...options });
}

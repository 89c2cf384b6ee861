import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const CONFIG = fileURLToPath(new URL("../console/vite.config.ts", import.meta.url));
/** What gets smaller by compression; pictures and fonts are compressed already. */
const TEXT = /\.(?:js|mjs|css|svg|html|json)$/;

/** Builds the pages of the web console into a folder, which is emptied first, and yields its files. */
export async function buildConsole(outDir) {
  const { build } = await import("vite");
  const options = { configFile: CONFIG, logLevel: "warn", build: { outDir, emptyOutDir: true } };
  return (await build(options)).output;
}

/** Writes `.br` and `.gz` beside each file of a folder where they are smaller: the service only sends them. */
export async function compressFiles(dir) {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name));
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const content = await readFile(path);
    const params = {
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    };
    const copies = [
      [".br", await promisify(brotliCompress)(content, { params })],
      [".gz", await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION })],
    ];
    for (const [suffix, copy] of copies) {
      if (copy.length < content.length) await writeFile(path + suffix, copy);
    }
  }
}

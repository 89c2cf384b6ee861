import { gzipSync } from "node:zlib";

/** Script and style that a page may load, kB after gzip (docs/console.md#budgets). */
const WITHOUT_MAP_KB = 120;
const WITH_MAP_KB = 600;
/** The chunk that every page loads: the bundler has the page load it in place of an entry that only imports it. */
const CONSOLE_CHUNK = "console";
/** The chunk that every page with a map loads, and the script that it starts as a worker. */
const MAP_CHUNK = /^map-frame$/;
const WORKER = /maplibre-gl-worker/;
/** Texts of a language: a page loads one of them. */
const LANGUAGE = /^(en|de)$/;

const kbOf = (content) => gzipSync(content).length / 1_000;

/**
 * What each page of the console loads by its first visit: what all have, the page's own chunk and all that these import,
 * with their styles, and the largest of the languages; of a page with a map, its worker too. `files` is what the bundler wrote.
 * @returns {{ page: string, kb: number, limitKb: number }[]}
 */
export function pageSizes(files) {
  const chunks = new Map(
    files.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]),
  );
  const assets = new Map(
    files.filter(({ type }) => type === "asset").map((asset) => [asset.fileName, asset.source]),
  );
  const worker = files.find(({ fileName }) => WORKER.test(fileName));
  const entry = [...chunks.values()].find(({ name }) => name === CONSOLE_CHUNK);
  const languages = [...chunks.values()].filter(({ name }) => LANGUAGE.test(name));
  if (entry === undefined) throw new Error("the build has no script that all pages load");
  if (languages.length === 0) throw new Error("the build has no texts of a language");
  const texts = Math.max(...languages.map(({ code }) => kbOf(code)));

  function needsOf(fileName, needed = new Set()) {
    if (needed.has(fileName)) return needed;
    needed.add(fileName);
    for (const imported of chunks.get(fileName)?.imports ?? []) needsOf(imported, needed);
    return needed;
  }

  const sizeOf = (page) => {
    const needed = [...needsOf(page.fileName, needsOf(entry.fileName))].map((name) =>
      chunks.get(name),
    );
    const styles = new Set(needed.flatMap(({ viteMetadata }) => [...viteMetadata.importedCss]));
    const hasMap = needed.some(({ name }) => MAP_CHUNK.test(name));
    const kb =
      texts +
      needed.reduce((sum, { code }) => sum + kbOf(code), 0) +
      [...styles].reduce((sum, name) => sum + kbOf(assets.get(name)), 0) +
      (hasMap ? kbOf(worker.code ?? worker.source) : 0);
    return { page: page.name, kb, limitKb: hasMap ? WITH_MAP_KB : WITHOUT_MAP_KB };
  };
  const pages = [...chunks.values()].filter(
    ({ isDynamicEntry, name }) => isDynamicEntry && name.endsWith("-page"),
  );
  return [entry, ...pages].map(sizeOf).sort((a, b) => a.kb - b.kb);
}

/** Prints the sizes. @throws Error that names pages above their limit. */
export function holdBudgets(files) {
  const sizes = pageSizes(files);
  for (const { page, kb, limitKb } of sizes) {
    console.log(`${page.padEnd(20)} ${kb.toFixed(1).padStart(6)} kB gzip (limit ${limitKb})`);
  }
  const over = sizes.filter(({ kb, limitKb }) => kb > limitKb).map(({ page }) => page);
  if (over.length > 0) throw new Error(`above their budget: ${over.join(", ")}`);
}

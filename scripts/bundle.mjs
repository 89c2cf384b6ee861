import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * Bundles the sources of the program for this machine, so that it starts with half the CPU: tsx and Node
 * spend some 5 s on the service's 500 files, one by one. Yields the folder, where `main.js`, `demo.js`,
 * `cli.js` and the entries of worker threads lie as in the sources.
 * It is kept below node_modules and made again when a source has changed. Several processes may ask at once.
 */
export async function bundleSources() {
  const sources = await readSources();
  const cache = join(ROOT, "node_modules", ".cache", "plumbline");
  const folder = join(cache, hashOf(sources));
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  await removeOld(cache);
  const unfinished = await mkdtemp(join(cache, "unfinished-"));
  await build(sources, unfinished, folder);
  for (const path of COPIED)
    await cp(join(ROOT, path), join(unfinished, path), { recursive: true });
  // Another process may have been faster; both are the same.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  return folder;
}

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Where the sources of the program are, beside the entries in the root. */
const AREAS = [
  "api",
  "cli",
  "config",
  "domain",
  "ingest",
  "outbound",
  "processing",
  "roles",
  "simulators",
  "storage",
];
const PROGRAMS = ["main.ts", "demo.ts", "cli.ts"];
/** Started as threads by the service, by path. */
const THREADS = /^(processing|storage)\b.*\.(worker|task)\.ts$/;
/**
 * Packages that become part of the bundle. typebox has 700 files, of which the server, its telemetry thread
 * and the demo would each read 370 or more (0.6 s of CPU). With all packages in it, a first start costs the
 * same (bench/start.ts), and several packages look for files beside their own.
 */
const BUNDLED = ["typebox"];
/** Read at run time. */
const COPIED = [
  "storage/records/migrations",
  "storage/records/pglite/prepared",
  "processing/coordinates/epsg.tsv",
  "api/openapi/examples.json",
  "processing/progress/camera/network/zone-network.onnx",
];
/**
 * A bundle that nobody made for so long is not in use any more, ms: a day of work between two branches keeps both,
 * longer only fills the folder.
 */
const OLD_MS = 24 * 3_600_000;

/** Every source by its path below the root, in order. */
async function readSources() {
  const paths = [...PROGRAMS, "service.ts", "package.json", "package-lock.json"];
  for (const area of AREAS) {
    const entries = await readdir(join(ROOT, area), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = relative(ROOT, join(entry.parentPath, entry.name));
      const isCopied = COPIED.some(
        (copied) => path === join(copied) || path.startsWith(join(copied, sep)),
      );
      if (entry.isFile() && (isCopied || path.endsWith(".ts"))) paths.push(path);
    }
  }
  const sources = new Map();
  for (const path of paths.sort()) sources.set(path, await readFile(join(ROOT, path)));
  return sources;
}

function hashOf(sources) {
  const hash = createHash("sha256");
  hash.update(process.version);
  for (const [path, content] of [...sources, ["", OWN_SOURCE]]) {
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

/** What this module does to the sources is part of what comes out. */
const OWN_SOURCE = await readFile(fileURLToPath(import.meta.url));

/** Bundles into `unfinished` what is going to lie in `folder`. */
async function build(sources, unfinished, folder) {
  // esbuild is a Go program that lives for a second. Its garbage collection saves 25 MB and costs 0.3 of 1.1 s of CPU.
  process.env.GOGC ??= "off";
  const esbuild = await import("esbuild");
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const entries = [...sources.keys()].filter(
    (path) => PROGRAMS.includes(path) || THREADS.test(path),
  );
  const located = [...sources].filter(([, content]) => content.includes(LOCATION));
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: unfinished,
    outbase: ".",
    bundle: true,
    splitting: true,
    external: Object.keys(dependencies).filter((name) => !BUNDLED.includes(name)),
    platform: "node",
    format: "esm",
    target: `node${process.versions.node}`,
    legalComments: "none",
    logLevel: "warning",
    plugins: [ownLocation(new Map(located), folder)],
  });
  // Its process would live as long as this one.
  await esbuild.stop();
}

const LOCATION = "import.meta.url";

/** A module that asks where it is gets the place of its source in `folder`, not that of the bundle's file. */
function ownLocation(sources, folder) {
  const pattern = [...sources.keys()].map((path) => path.replaceAll(/[.\\]/g, "\\$&")).join("|");
  return {
    name: "own-location",
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`(${pattern})$`) }, ({ path }) => {
        const source = sources.get(relative(ROOT, path));
        if (source === undefined) return undefined;
        const place = join(folder, relative(ROOT, path).replace(/\.ts$/, ".js"));
        const url = JSON.stringify(pathToFileURL(place).href);
        return {
          contents: source.toString("utf8").replaceAll(LOCATION, url),
          loader: "ts",
          resolveDir: dirname(path),
        };
      });
    },
  };
}

async function removeOld(cache) {
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name));
    if (Date.now() - mtimeMs > OLD_MS)
      await rm(join(cache, name), { recursive: true, force: true });
  }
}

const exists = (path) =>
  stat(path).then(
    () => true,
    () => false,
  );

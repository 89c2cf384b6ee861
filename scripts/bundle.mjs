import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * Bundles the sources of the program for this machine, so that it starts with half the CPU: tsx and Node
 * spend some 5 s on the service's 500 files, one by one. Yields the folder, where `main.js`, `demo.js`,
 * `cli.js` and the entries of worker threads lie as in the sources.
 * It is kept below node_modules and made again when a source has changed. Several processes may ask at once.
 */
export function bundleSources() {
  return bundle(PROGRAMS, AREAS, THREADS, [...BUNDLED, ...BUNDLED_WITH_SERVICE]);
}

/**
 * Puts the built programs into `dist/program`, as bundles that start with what V8 makes of them (`load-code.cjs`), and
 * in place of `dist/main.js` and `dist/cli.js` what runs those. What these read beside their own files is in `dist`.
 */
export async function bundleBuilt() {
  const dist = join(ROOT, "dist");
  const folder = join(dist, "program");
  const sources = readSources(AREAS);
  const isEntry = (path) => BUILT.includes(path) || THREADS.test(path);
  await rm(folder, { recursive: true, force: true });
  await build(sources, isEntry, [...BUNDLED, ...BUNDLED_WITH_SERVICE], folder, { isBuilt: true });
  for (const program of BUILT) {
    const name = program.replace(/\.ts$/, ".js");
    await writeFile(join(dist, name), `import "./program/${name}";\n`);
  }
}

/**
 * Bundles one script of the repository, a simulator or a suite with whole processes, and yields the path of what to
 * run: like the program, it and its threads then start with a third of the CPU that tsx takes. A module of the tests
 * still finds what lies beside its source.
 * @param entry path below the root, `simulators/main.ts`
 */
export async function bundleScript(entry) {
  const areas = entry.startsWith("test/") ? [...AREAS, ...TEST_AREAS] : AREAS;
  const folder = await (PROGRAMS.includes(entry)
    ? bundleSources()
    : bundle([entry], areas, ALL_THREADS, BUNDLED));
  return join(folder, entry.replace(/\.ts$/, ".js"));
}

async function bundle(programs, areas, threads, packages) {
  const sources = readSources(areas);
  const cache = join(ROOT, "node_modules", ".cache", "plumbline");
  const folder = join(cache, hashOf(programs, sources));
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  await removeOld(cache);
  const unfinished = await mkdtemp(join(cache, "unfinished-"));
  const isEntry = (path) => programs.includes(path) || threads.test(path);
  await build(sources, isEntry, packages, unfinished, {
    // A suite runs once: nothing that is kept would be used again.
    ...(programs === PROGRAMS ? { isKept: true } : { folder }),
  });
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
  "tls",
];
/** What suites with whole processes are made of, beside the areas of the program. */
const TEST_AREAS = [
  "bench",
  "client",
  "test/contracts",
  "test/e2e",
  "test/ingest/decoders",
  "test/support",
];
/** The programs of a built service that are started often. */
const BUILT = ["main.ts", "cli.ts"];
const PROGRAMS = ["main.ts", "demo.ts", "cli.ts", "simulators/demo/background.ts"];
/** Started as threads by the service, by path; and by simulators and suites, which the program does not have. */
const THREADS = /^(processing|storage)\b.*\.(worker|task)\.ts$/;
const ALL_THREADS = /^(processing|storage|simulators|test\/e2e)\b.*\.(worker|task)\.ts$/;
/**
 * Packages that become part of each bundle. typebox has 700 files, of which the server, its telemetry thread
 * and the demo would each read 370 or more (0.6 s of CPU).
 */
const BUNDLED = ["typebox"];
/**
 * Packages that become part of the program's bundle as well: a start then takes 0.3 s of CPU less. Making the bundle
 * takes 0.5 s more, so that a suite's own bundle, which runs once, has none of them. Not here: what looks for files
 * beside its own (piscina, swagger-ui) and what is compiled for the machine.
 */
export const BUNDLED_WITH_SERVICE = [
  "@electric-sql/pglite",
  "@fastify/accept-negotiator",
  "@fastify/compress",
  "@fastify/cookie",
  "@fastify/cors",
  "@fastify/multipart",
  "@fastify/static",
  "@fastify/swagger",
  "@influxdata/influxdb-client",
  "@tus/server",
  "aedes",
  "ajv",
  "ajv-formats",
  "delaunator",
  "earcut",
  "fast-json-stringify",
  "fastify",
  "fft.js",
  "geotiff",
  "ipaddr.js",
  "luxon",
  "mqtt-packet",
  "pg",
  "pino",
  "point-in-polygon-hao",
  "polylabel",
  "proj4",
  "prom-client",
  "rbush",
  "saxes",
  "tar-stream",
  "ws",
  "yaml",
  "yauzl",
];
/** What packages written for CommonJS call, in front of each file of a bundle. */
const REQUIRE =
  'import{createRequire as requireFrom}from"node:module";var require=requireFrom(import.meta.url);';
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

/**
 * Every source by its path below the root, in order. By calls that block: a thousand small files take 0.4 s of CPU
 * otherwise, at every start.
 */
function readSources(areas) {
  const paths = [...PROGRAMS, "program.ts", "service.ts", "package.json", "package-lock.json"];
  for (const area of areas) {
    const entries = readdirSync(join(ROOT, area), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = relative(ROOT, join(entry.parentPath, entry.name));
      const isCopied = COPIED.some(
        (copied) => path === join(copied) || path.startsWith(join(copied, sep)),
      );
      if (entry.isFile() && (isCopied || path.endsWith(".ts"))) paths.push(path);
    }
  }
  return new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path))]));
}

function hashOf(programs, sources) {
  const hash = createHash("sha256");
  hash.update(`${process.version} ${programs.join(" ")}`);
  for (const [path, content] of [...sources, ["", OWN_SOURCE]]) {
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

/** What this module does to the sources is part of what comes out. */
const LOADER = fileURLToPath(new URL("load-code.cjs", import.meta.url));
const OWN_SOURCE = Buffer.concat([
  await readFile(fileURLToPath(import.meta.url)),
  await readFile(LOADER),
]);

/**
 * Bundles into `out`, with the code of `packages`: for `folder`, where it is going to lie; or, without, code that
 * `load-code.cjs` runs wherever it lies, and which is kept as V8 made it (`isKept`) or built once (`isBuilt`).
 */
async function build(sources, isEntry, packages, out, { folder, isKept, isBuilt }) {
  const isCode = isKept === true || isBuilt === true;
  // esbuild is a Go program that lives for a second. Its garbage collection saves 25 MB and costs 0.3 of 1.1 s of CPU.
  const isGiven = "GOGC" in process.env;
  process.env.GOGC ??= "off";
  const esbuild = await import("esbuild");
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(ROOT, "package.json"), "utf8"),
  );
  const located = [...sources].filter(([, content]) =>
    LOCATIONS.some((location) => content.includes(location)),
  );
  const entries = [...sources.keys()].filter(isEntry);
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: out,
    outbase: ".",
    bundle: true,
    external: Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !packages.includes(name),
    ),
    metafile: true,
    platform: "node",
    ...(isCode ? CODE : FILES),
    target: `node${process.versions.node}`,
    legalComments: "none",
    logLevel: "warning",
    plugins: [ownLocation(new Map(located), { folder, isBuilt })],
  });
  // Its process would live as long as this one; what else this one starts collects its garbage.
  await esbuild.stop();
  if (!isGiven) delete process.env.GOGC;
  // A source that is not part of the name would be read from an old bundle after a change.
  const unread = Object.keys(metafile.inputs).filter(
    (path) => !sources.has(path) && !path.startsWith("node_modules/"),
  );
  if (unread.length > 0) throw new Error(`not in the areas that are read: ${unread.join(", ")}`);
  if (!isCode) return;
  await writeEntries(entries, out);
  if (isKept === true) await writeFile(join(out, KEEPS), "");
}

/** Files that Node's own loader takes, shared by entries. */
const FILES = { format: "esm", splitting: true, banner: { js: REQUIRE } };
/** One file for each entry: what it uses of others would be got from them at each call. */
const CODE = {
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  // By `require` instead, which needs nothing of the loader of ECMAScript modules.
  supported: { "dynamic-import": false },
};

/** The file by which a bundle's programs keep what V8 makes of them (`load-code.cjs`). */
export const KEEPS = "keeps-code";

/** What runs the code: for each entry `main.js` beside `main.cjs`, and the loader. */
async function writeEntries(entries, out) {
  const loader = await readFile(LOADER, "utf8");
  await writeFile(join(out, "load.cjs"), loader);
  // The entries are written for `require`, whatever the package around them is, whose version the service tells.
  const { name, version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const about = JSON.stringify({ name, version, private: true, type: "commonjs" });
  await writeFile(join(out, "package.json"), `${about}\n`);
  for (const entry of entries) {
    const program = entry.replaceAll(sep, "/").replace(/\.ts$/, "");
    const up = "../".repeat(program.split("/").length - 1) || "./";
    const text = `module.exports = require("${up}load.cjs").run("${program}");\n`;
    await writeFile(join(out, `${program}.js`), text);
  }
}

/** How a module asks where it is. */
const LOCATIONS = ["import.meta.url", "import.meta.dirname", "import.meta.filename"];

const OWN_REQUIRE =
  /let\s*\{createRequire:(\w+)\}=await import\("node:module"\);var require=\1\([^;}]*\)/g;

/**
 * A module that asks where it is gets the place of its source in `folder`, not that of the bundle's file; one of the
 * tests gets that of its source, with the files beside it. Scripts are left where they are.
 */
function ownLocation(sources, { folder, isBuilt }) {
  const pattern = [...sources.keys()].map((path) => path.replaceAll(/[.\\]/g, "\\$&")).join("|");
  return {
    name: "own-location",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\/scripts\/[\w-]+\.mjs$/ }, ({ path, resolveDir }) => ({
        path: pathToFileURL(join(resolveDir, path)).href,
        external: true,
      }));
      // pg looks by a Response whether it runs at Cloudflare, which loads Node's HTTP client: 20 ms of a start.
      onLoad({ filter: /pg[\\/]lib[\\/]stream\.js$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const contents = source.replace("typeof Response === 'function'", "false");
        if (contents === source) throw new Error(`${path} is not what is changed here any more`);
        return { contents };
      });
      // PGlite's WebAssembly and data lie beside its own file.
      onLoad({ filter: /pglite[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const place =
          folder === undefined
            ? '__at.package("@electric-sql/pglite")'
            : JSON.stringify(pathToFileURL(path).href);
        const contents = source.replaceAll("import.meta.url", () => place);
        if (folder !== undefined) return { contents };
        // It makes a `require` of its own, by an import that would need it.
        const withoutRequire = contents.replaceAll(OWN_REQUIRE, "");
        if (withoutRequire.includes("createRequire")) {
          throw new Error(`${path} makes its require in another way than is left out here`);
        }
        return { contents: withoutRequire };
      });
      onLoad({ filter: new RegExp(`(${pattern})$`) }, ({ path }) => {
        const source = sources.get(relative(ROOT, path));
        if (source === undefined) return undefined;
        const isOfTests = TEST_AREAS.some((area) => path.startsWith(join(ROOT, area, sep)));
        // A task is beside the module that declares it, in the bundle as well.
        const startsThreads = source.includes("declareTask") || source.includes("openWorker");
        const name = relative(ROOT, path).replaceAll(sep, "/").replace(/\.ts$/, ".js");
        const place = isOfTests && !startsThreads ? path : join(folder ?? "", name);
        // Relative to the bundle's folder, wherever that is; beside it is what else was built.
        const own = JSON.stringify(isBuilt === true && !startsThreads ? `../${name}` : name);
        const places =
          folder === undefined
            ? [`__at.url(${own})`, `__at.dirname(${own})`, `__at.filename(${own})`]
            : [pathToFileURL(place).href, dirname(place), place].map((text) =>
                JSON.stringify(text),
              );
        return {
          contents: LOCATIONS.reduce(
            (text, location, i) => text.replaceAll(location, () => places[i]),
            source.toString("utf8"),
          ),
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

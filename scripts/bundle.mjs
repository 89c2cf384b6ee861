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
export function bundleSources() {
  return bundle(PROGRAMS, AREAS, THREADS, [...BUNDLED, ...BUNDLED_WITH_SERVICE]);
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
  const sources = await readSources(areas);
  const cache = join(ROOT, "node_modules", ".cache", "plumbline");
  const folder = join(cache, hashOf(programs, sources));
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  await removeOld(cache);
  const unfinished = await mkdtemp(join(cache, "unfinished-"));
  const isEntry = (path) => programs.includes(path) || threads.test(path);
  await build(sources, isEntry, packages, unfinished, folder);
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
 * beside its own (pino, piscina, PGlite, swagger-ui) and what is compiled for the machine.
 */
const BUNDLED_WITH_SERVICE = [
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
  "fast-json-stringify",
  "fastify",
  "geotiff",
  "mqtt-packet",
  "pg",
  "prom-client",
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

/** Every source by its path below the root, in order. */
async function readSources(areas) {
  const paths = [...PROGRAMS, "service.ts", "package.json", "package-lock.json"];
  for (const area of areas) {
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

function hashOf(programs, sources) {
  const hash = createHash("sha256");
  hash.update(`${process.version} ${programs.join(" ")}`);
  for (const [path, content] of [...sources, ["", OWN_SOURCE]]) {
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

/** What this module does to the sources is part of what comes out. */
const OWN_SOURCE = await readFile(fileURLToPath(import.meta.url));

/** Bundles into `unfinished` what is going to lie in `folder`, with the code of `packages`. */
async function build(sources, isEntry, packages, unfinished, folder) {
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
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [...sources.keys()].filter(isEntry),
    outdir: unfinished,
    outbase: ".",
    bundle: true,
    splitting: true,
    external: Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !packages.includes(name),
    ),
    banner: { js: REQUIRE },
    metafile: true,
    platform: "node",
    format: "esm",
    target: `node${process.versions.node}`,
    legalComments: "none",
    logLevel: "warning",
    plugins: [ownLocation(new Map(located), folder)],
  });
  // Its process would live as long as this one; what else this one starts collects its garbage.
  await esbuild.stop();
  if (!isGiven) delete process.env.GOGC;
  // A source that is not part of the name would be read from an old bundle after a change.
  const unread = Object.keys(metafile.inputs).filter(
    (path) => !sources.has(path) && !path.startsWith("node_modules/"),
  );
  if (unread.length > 0) throw new Error(`not in the areas that are read: ${unread.join(", ")}`);
}

/** How a module asks where it is. */
const LOCATIONS = ["import.meta.url", "import.meta.dirname", "import.meta.filename"];

/**
 * A module that asks where it is gets the place of its source in `folder`, not that of the bundle's file; one of the
 * tests gets that of its source, with the files beside it. Scripts are left where they are.
 */
function ownLocation(sources, folder) {
  const pattern = [...sources.keys()].map((path) => path.replaceAll(/[.\\]/g, "\\$&")).join("|");
  return {
    name: "own-location",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\/scripts\/[\w-]+\.mjs$/ }, ({ path, resolveDir }) => ({
        path: pathToFileURL(join(resolveDir, path)).href,
        external: true,
      }));
      onLoad({ filter: new RegExp(`(${pattern})$`) }, ({ path }) => {
        const source = sources.get(relative(ROOT, path));
        if (source === undefined) return undefined;
        const isOfTests = TEST_AREAS.some((area) => path.startsWith(join(ROOT, area, sep)));
        // A task is beside the module that declares it, in the bundle as well.
        const place =
          isOfTests && !source.includes("declareTask")
            ? path
            : join(folder, relative(ROOT, path).replace(/\.ts$/, ".js"));
        const places = [pathToFileURL(place).href, dirname(place), place];
        return {
          contents: LOCATIONS.reduce(
            (text, location, i) => text.replaceAll(location, () => JSON.stringify(places[i])),
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

import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/**
 * `npm run test:image`: the steps of the Dockerfile by hand, for a machine without Docker. Copies what
 * .dockerignore lets through to a clean folder, installs, builds and prunes there, and starts the
 * result as a user without rights who can write to DATA_DIR only. Exit code 1 when a check fails.
 */
const root = fileURLToPath(new URL("../../../", import.meta.url));
const checks: (readonly [name: string, passed: boolean])[] = [];
function check(name: string, passed: boolean): void {
  checks.push([name, passed]);
  console.log(`${passed ? "ok  " : "FAIL"} ${name}`);
}

/** `nobody` of Debian; the image has `node`, which is as powerless. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const work = mkdtempSync(join(tmpdir(), "plumbline-image-"));
chmodSync(work, 0o755);
const build = join(work, "build");
const app = join(work, "app");
const data = join(work, "data");
try {
  // COPY . .
  mkdirSync(build);
  const given = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
  for (const path of given.flatMap(expand))
    cpSync(join(root, path), join(build, path), { recursive: true });
  const npm = (...args: string[]) =>
    execFileSync("npm", args, { cwd: build, stdio: ["ignore", "ignore", "inherit"] });
  npm("ci");
  npm("run", "build");
  npm("prune", "--omit=dev");

  // The second stage.
  mkdirSync(app);
  for (const path of ["package.json", "LICENSE", "node_modules", "dist"]) {
    cpSync(join(build, path), join(app, path), { recursive: true, verbatimSymlinks: true });
  }
  cpSync(join(build, "deploy", "healthcheck.mjs"), join(app, "healthcheck.mjs"));
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  rmSync(build, { recursive: true });

  // Some development dependencies are dependencies of a library as well; the lockfile knows which.
  const { packages } = JSON.parse(
    readFileSync(join(app, "node_modules", ".package-lock.json"), "utf8"),
  ) as { packages: Record<string, { dev?: boolean }> };
  const kept = Object.keys(packages).filter((path) => packages[path]?.dev === true);
  check("no development dependency is in the image", kept.length === 0);
  if (kept.length > 0) console.log(kept.join(" "));
  check(
    "no test, bench or source is in the image",
    !/\.(test\.js|ts)$/m.test(listing(join(app, "dist"))),
  );
  const sources = readdirSync(join(root, "storage/records/migrations")).join();
  check(
    "the migrations are in the image",
    readdirSync(join(app, "dist/storage/records/migrations")).join() === sources,
  );
  const megabytes = Number(execFileSync("du", ["-sm", app], { encoding: "utf8" }).split("\t")[0]);
  console.log(`the program and its libraries: ${megabytes} MB`);

  const before = stamp(app);
  const service = await start();
  check("starts as a user without rights", service.http !== "");
  const port = new URL(service.http).port;
  check("the health check of the image passes", healthcheck(port) === 0);
  check("and fails where nobody answers", healthcheck("9") !== 0);
  const help = execFileSync(process.execPath, [join(app, "dist/cli.js"), "--help"], {
    encoding: "utf8",
  });
  check("plumbline --help answers", help.includes("migrate-data"));
  const sigterm = performance.now();
  service.child.kill("SIGTERM");
  const code = await service.ended;
  check(
    `SIGTERM stops it with status 0 in ${Math.round(performance.now() - sigterm)} ms`,
    code === 0 && performance.now() - sigterm < 15_000,
  );
  check("the program's own folder is as it was", stamp(app) === before);
  check("what it wrote is in DATA_DIR", readdirSync(data).includes("journal"));
} finally {
  rmSync(work, { recursive: true, force: true });
}
const passed = checks.filter(([, ok]) => ok).length;
console.log(`${passed} passed, ${checks.length - passed} failed`);
process.exit(passed === checks.length ? 0 : 1);

/** A line of .dockerignore as paths that are there. */
function expand(pattern: string): readonly string[] {
  if (!pattern.startsWith("*")) return existsSync(join(root, pattern)) ? [pattern] : [];
  return readdirSync(root).filter((name) => name.endsWith(pattern.slice(1)));
}

function listing(dir: string): string {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).join("\n");
}

/** Names, sizes and times of a folder's own files, without the libraries'. */
function stamp(dir: string): string {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((path) => {
      const { mtimeMs, size } = statSync(join(dir, path));
      return `${path} ${size} ${mtimeMs}`;
    })
    .join("\n");
}

function healthcheck(port: string): number {
  try {
    execFileSync(process.execPath, [join(app, "healthcheck.mjs")], { env: { HTTP_PORT: port } });
    return 0;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

async function start() {
  // With nothing of this environment: what the image sets, and free ports.
  const env = {
    NODE_ENV: "production",
    DATA_DIR: data,
    ADMIN_API_KEY: randomBytes(24).toString("hex"),
    HTTP_PORT: "0",
    MQTT_PORT: "0",
    HTTP_HOST: "127.0.0.1",
    MQTT_HOST: "127.0.0.1",
  };
  const child = spawn(process.execPath, ["--enable-source-maps", "dist/main.js"], {
    cwd: app,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let http = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.includes('"plumbline is ready"')) http = (JSON.parse(line) as { http: string }).http;
  });
  for (let i = 0; i < 600 && http === "" && child.exitCode === null; i++) await delay(100);
  return { child, ended, http };
}

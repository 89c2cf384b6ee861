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
import { connectAsync } from "mqtt";
import { slowness } from "../../support/slowness.ts";

/**
 * `npm run test:image`: the steps of the Dockerfile by hand, for a machine without Docker. Copies what
 * .dockerignore lets through to a clean folder. Installs, builds and prunes there with the Node of the
 * Dockerfile, which npm brings. Starts the result as a user without rights who can write to
 * DATA_DIR only. Exit code 1 when a check fails.
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
  const { node, nodeFolder, version } = installNode();
  // npm is a script for `env node`: the first one of the path runs it, and every tool that it starts.
  const PATH = `${nodeFolder}:${process.env["PATH"]}`;
  // COPY . .
  mkdirSync(build);
  const given = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
  for (const path of given.flatMap(expand))
    cpSync(join(root, path), join(build, path), { recursive: true });
  const npm = (...args: string[]) =>
    execFileSync("npm", args, {
      cwd: build,
      env: { ...process.env, PATH },
      stdio: ["ignore", "ignore", "inherit"],
    });
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
    !/(\.test\.js|(?<!\.d)\.ts)$/m.test(listing(join(app, "dist"))),
  );
  const sources = readdirSync(join(root, "storage/records/migrations")).join();
  check(
    "the migrations are in the image",
    readdirSync(join(app, "dist/storage/records/migrations")).join() === sources,
  );
  const megabytes = Number(execFileSync("du", ["-sm", app], { encoding: "utf8" }).split("\t")[0]);
  console.log(`the program and its libraries: ${megabytes} MB`);

  const before = stamp(app);
  const service = await start(node);
  check(`starts on Node ${version} as a user without rights`, service.http !== "");
  const port = new URL(service.http).port;
  check("the health check of the image passes", healthcheck(node, port) === 0);
  check("and fails where nobody answers", healthcheck(node, "9") !== 0);
  check("takes a message and shows where the machine is", await takesMessage(service));
  const help = execFileSync(node, [join(app, "dist/cli.js"), "--help"], {
    encoding: "utf8",
  });
  check("plumbline --help answers", help.includes("migrate-data"));
  const sigterm = performance.now();
  service.child.kill("SIGTERM");
  const code = await service.ended;
  const stopMs = performance.now() - sigterm;
  check(
    `SIGTERM stops it with status 0 in ${Math.round(stopMs)} ms`,
    code === 0 && stopMs < 15_000 * slowness(),
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

/** Installs the Node that the Dockerfile names, from its package for this platform. */
function installNode() {
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  const [, version = ""] = /^FROM node:([\d.]+)-/m.exec(dockerfile) ?? [];
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(work, "node");
  mkdirSync(prefix);
  execFileSync("npm", ["install", "--no-save", "--prefix", prefix, `${name}@${version}`], {
    cwd: prefix,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const nodeFolder = join(prefix, "node_modules", name, "bin");
  const node = join(nodeFolder, "node");
  const actual = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  check(`the Node of the Dockerfile is used: ${actual}`, actual === `v${version}`);
  return { node, nodeFolder, version };
}

/** Registers a machine, publishes one reading over MQTT and waits until the API shows it. */
async function takesMessage({ http, mqtt, adminKey }: Awaited<ReturnType<typeof start>>) {
  const api = async (path: string, body?: object) => {
    const response = await fetch(`${http}/api/v1${path}`, {
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    return (await response.json()) as unknown;
  };
  const location = { latitude: 52.5, longitude: 13.4 };
  await api("/projects", { id: "yard", name: "Yard", location });
  const asset = { id: "digger", name: "Digger", type: "excavator", project_id: "yard" };
  const { mqtt: login } = (await api("/equipment/assets", asset)) as {
    mqtt: { username: string; password: string; topic: string };
  };
  const client = await connectAsync(mqtt, login);
  await client.publishAsync(login.topic, JSON.stringify({ latitude: 52.51, longitude: 13.41 }), {
    qos: 1,
  });
  await client.endAsync();
  for (let i = 0; i < 600; i++) {
    const found = (await api("/equipment/assets/digger/location")) as {
      current?: { latitude: number };
    };
    if (found.current?.latitude === 52.51) return true;
    await delay(100);
  }
  return false;
}

function healthcheck(node: string, port: string): number {
  try {
    execFileSync(node, [join(app, "healthcheck.mjs")], { env: { HTTP_PORT: port } });
    return 0;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

async function start(node: string) {
  const adminKey = randomBytes(24).toString("hex");
  // With nothing of this environment: what the image sets, and free ports.
  const env = {
    NODE_ENV: "production",
    DATA_DIR: data,
    ADMIN_API_KEY: adminKey,
    HTTP_PORT: "0",
    MQTT_PORT: "0",
    HTTP_HOST: "127.0.0.1",
    MQTT_HOST: "127.0.0.1",
  };
  const child = spawn(node, ["--enable-source-maps", "dist/main.js"], {
    cwd: app,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let urls = { http: "", mqtt: "" };
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.includes('"plumbline is ready"')) urls = JSON.parse(line) as typeof urls;
  });
  for (let i = 0; i < 3_000 && urls.http === "" && child.exitCode === null; i++) await delay(100);
  return { child, ended, adminKey, ...urls };
}

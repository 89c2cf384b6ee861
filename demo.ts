import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, open, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { randomBase62 } from "./domain/ids.ts";
import { createDemoScreen } from "./simulators/demo-screen.ts";
import { FLEET_DEFAULTS } from "./simulators/fleet/options.ts";
import { runFleet } from "./simulators/fleet/run.ts";

/**
 * `npm run demo`: the real program as a process of its own on this machine only, and a simulated fleet
 * that publishes to it over real MQTT. Data stay in `DATA_DIR` (default ./data/demo) between runs.
 */
const HOST = "127.0.0.1";
const DEFAULT_PORTS = { http: 8080, mqtt: 1883 };
/** How long the first start may take (it makes a database), ms. */
const READY_MS = 60_000;

interface Ready {
  readonly http: string;
  readonly mqtt: string;
}

async function main(): Promise<void> {
  const dataDir = process.env["DATA_DIR"] ?? "./data/demo";
  await mkdir(dataDir, { recursive: true });
  const key = await demoKey(join(dataDir, "demo.key"));
  const stopping = new AbortController();
  const server = await startServer(dataDir, key);
  const screen = createDemoScreen(process.stdout);
  const stop = () => stopping.abort();
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);
  server.process.once("exit", (code) => {
    if (!stopping.signal.aborted) process.stderr.write(`the server ended (exit code ${code})\n`);
    stop();
  });
  try {
    const ready = await server.ready;
    screen.show({ ...ready, key, dataDir });
    await runFleet(
      {
        ...FLEET_DEFAULTS,
        url: ready.http,
        mqttUrl: ready.mqtt,
        key,
        hours: Number.POSITIVE_INFINITY,
      },
      { signal: stopping.signal, onProgress: (progress) => screen.update(progress) },
    );
  } finally {
    stopping.abort();
    screen.close();
    await endServer(server.process);
  }
}

/** The demo's admin key: made at the first start, the same at every later one. */
async function demoKey(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    const key = `demo_${randomBase62(40)}`;
    const file = await open(path, "wx", 0o600);
    await file.writeFile(`${key}\n`);
    await file.close();
    return key;
  }
}

/** Starts the service as a child and waits for the line that names its real addresses. */
async function startServer(
  dataDir: string,
  key: string,
): Promise<{ readonly process: ChildProcess; readonly ready: Promise<Ready> }> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(new URL("./main.ts", import.meta.url))],
    {
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        ADMIN_API_KEY: key,
        HTTP_HOST: HOST,
        MQTT_HOST: HOST,
        HTTP_PORT: process.env["HTTP_PORT"] ?? (await freePort(DEFAULT_PORTS.http)),
        MQTT_PORT: process.env["MQTT_PORT"] ?? (await freePort(DEFAULT_PORTS.mqtt)),
        // A webhook to try out listens on this machine.
        OUTBOUND_ALLOW_CIDRS: process.env["OUTBOUND_ALLOW_CIDRS"] ?? "127.0.0.0/8,::1/128",
        LOG_LEVEL: process.env["LOG_LEVEL"] ?? "info",
      },
      // A signal of the terminal reaches the whole group; the demo stops the server itself, last.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  child.stderr.pipe(process.stderr);
  const log = createWriteStream(join(dataDir, "demo.log"), { flags: "a" });
  child.stdout.pipe(log);
  const ready = new Promise<Ready>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the server was not ready in time")), READY_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      reject(new Error("the server did not start"));
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = parseReady(line);
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
  return { process: child, ready };
}

function parseReady(line: string): Ready | undefined {
  if (!line.startsWith("{")) return undefined;
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== "object" || entry === null || !("mqtt" in entry && "http" in entry)) {
    return undefined;
  }
  return { http: String(entry.http), mqtt: String(entry.mqtt) };
}

/** The preferred port where it is free, else 0 (any). */
function freePort(preferred: number): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve("0"));
    probe.listen(preferred, HOST, () => probe.close(() => resolve(String(preferred))));
  });
}

function endServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { randomBase62 } from "./domain/ids.ts";
import { type DemoAreas, startDemoAreas } from "./simulators/demo/areas.ts";
import { createDemoScreen, type DemoContent, type DemoFacts } from "./simulators/demo-screen.ts";
import { type DemoServer, demoLog, startDemoServer } from "./simulators/demo-server.ts";
import { FLEET_DEFAULTS } from "./simulators/fleet/options.ts";
import { runFleet } from "./simulators/fleet/run.ts";

const HOST = "127.0.0.1";
const DEFAULT_PORTS = { http: 8080, mqtt: 1883 };
const VERBOSE = ["debug", "trace"];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Options of the command line, by what they leave of the demo. */
const OPTIONS: Readonly<Record<string, DemoContent>> = { "--fleet": "fleet", "--empty": "nothing" };
const HELP = `npm run demo [-- OPTION]

Runs the service on this machine with a simulated fleet, a measured stockpile and a building site.

  --fleet   the fleet alone
  --empty   nothing is simulated; data in ./data/empty where DATA_DIR names no other folder
  --help
`;

/**
 * `npm run demo` (by `scripts/demo.mjs`): the real program as a process of its own on this machine only,
 * a simulated fleet that publishes to it over real MQTT, and simulated sites by the public API. Data stay in
 * `DATA_DIR` (default ./data/demo) between runs. Yields the exit code, at the first signal or when the server
 * ends. A second signal does not wait for the server to stop.
 * @param args of the command line
 */
export async function runDemo(args: readonly string[]): Promise<number> {
  const [option, ...others] = args;
  const shown = option === undefined ? "all" : OPTIONS[option];
  if (shown === undefined || others.length > 0) {
    const isAsked = option === "--help" && others.length === 0;
    const wrong = shown === undefined ? option : others[0];
    if (isAsked) process.stdout.write(HELP);
    else process.stderr.write(`demo: there is no option "${wrong}"\n\n${HELP}`);
    return isAsked ? 0 : 1;
  }
  const usual = shown === "nothing" ? "./data/empty" : "./data/demo";
  const dataDir = process.env["DATA_DIR"] ?? usual;
  const stopping = new AbortController();
  const screen = createDemoScreen(process.stdout, demoLog(dataDir));
  let server: DemoServer | undefined;
  const onSignal = () => {
    if (stopping.signal.aborted) server?.kill();
    stopping.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  try {
    await mkdir(dataDir, { recursive: true });
    const key = await demoKey(join(dataDir, "demo.key"));
    const settings = await demoSettings();
    const environment = { ...process.env, ...settings, DATA_DIR: dataDir, ADMIN_API_KEY: key };
    if (stopping.signal.aborted) return 0;
    server = startDemoServer({ dataDir, environment, onStep: (step) => screen.starting(step) });
    const showing = publish(server, { key, dataDir, shown }, screen, stopping.signal);
    // The fleet is not waited for after a signal: its last messages are not needed.
    showing.catch(() => undefined);
    const outcome = await Promise.race([showing, server.ended, stopped]);
    if (stopping.signal.aborted) return 0;
    throw new Error(
      `the server ended (${outcome ?? "no exit code"}); its log is ${demoLog(dataDir)}`,
    );
  } catch (error) {
    if (stopping.signal.aborted) return 0;
    screen.close();
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    stopping.abort();
    screen.close();
    await server?.stop();
  }
}

/** Waits for the server, then simulates until the signal: the fleet, and the sites once it reports. */
async function publish(
  server: DemoServer,
  { key, dataDir, shown }: Pick<DemoFacts, "key" | "dataDir" | "shown">,
  screen: ReturnType<typeof createDemoScreen>,
  signal: AbortSignal,
): Promise<never> {
  const addresses = await server.ready.catch((error: Error) => {
    throw new Error(`${error.message}; its log is ${demoLog(dataDir)}`);
  });
  signal.throwIfAborted();
  screen.show({ ...addresses, key, dataDir, shown });
  if (shown === "nothing") return await untilAborted(signal);
  const fleet = {
    ...FLEET_DEFAULTS,
    url: addresses.http,
    mqttUrl: addresses.mqtt,
    key,
    hours: Number.POSITIVE_INFINITY,
  };
  let areas: DemoAreas | undefined;
  signal.addEventListener("abort", () => areas?.stop(), { once: true });
  const begin = () => {
    const task = { url: addresses.http, key, folder: join(dataDir, "demo-sites") };
    return startDemoAreas(task, (text) => screen.making(text));
  };
  await runFleet(fleet, {
    signal,
    onProgress(progress) {
      // The fleet comes first: nothing else is begun before it reports.
      const isOut = progress.acknowledged > 0 && !signal.aborted;
      if (shown === "all" && isOut) areas ??= begin();
      screen.update(progress);
    },
  });
  throw new Error("the fleet came home");
}

/** @throws the signal's reason when it fires. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** The demo's admin key: made at the first start, the same at every later one. */
async function demoKey(path: string): Promise<string> {
  const known = (await readFile(path, "utf8").catch(() => "")).trim();
  if (known !== "") return known;
  const key = `demo_${randomBase62(40)}`;
  // Whole or not at all, also when the demo is killed now.
  await writeFile(`${path}.new`, `${key}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return key;
}

/** The server's environment, beside what the user set. */
async function demoSettings(): Promise<Readonly<Record<string, string>>> {
  return {
    HTTP_HOST: HOST,
    MQTT_HOST: HOST,
    HTTP_PORT: process.env["HTTP_PORT"] ?? (await freePort(DEFAULT_PORTS.http)),
    MQTT_PORT: process.env["MQTT_PORT"] ?? (await freePort(DEFAULT_PORTS.mqtt)),
    // A webhook to try out listens on this machine.
    OUTBOUND_ALLOW_CIDRS: process.env["OUTBOUND_ALLOW_CIDRS"] ?? "127.0.0.0/8,::1/128",
    // Its address is logged at this level.
    LOG_LEVEL: VERBOSE.includes(process.env["LOG_LEVEL"] ?? "")
      ? (process.env["LOG_LEVEL"] ?? "")
      : "info",
  };
}

/** The preferred port where it is free, else 0 (any). */
function freePort(preferred: number): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve("0"));
    probe.listen(preferred, HOST, () => probe.close(() => resolve(String(preferred))));
  });
}

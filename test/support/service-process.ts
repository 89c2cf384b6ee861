import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { bundledProgram } from "./bundled-program.ts";
import { PATIENT_MS } from "./patience.ts";

/** How a process ended: its exit code, or the signal that ended it. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The program under test as a process of its own, with the addresses it printed. */
export interface ServiceProcess {
  readonly pid: number;
  readonly http: string;
  /** 0 for a role without a broker. */
  readonly mqttPort: number;
  /** Address of MQTT over WebSocket, and port of MQTT over TLS; 0 and "" where it has none. */
  readonly mqttWs: string;
  readonly mqttsPort: number;
  /** Addresses of HTTPS, and of MQTT over WebSocket over TLS; "" where it has none. */
  readonly https: string;
  readonly mqttWss: string;
  /** Listeners of device formats that have a port of their own, by the ready line's names. */
  readonly devicePorts: { readonly teltonika?: number; readonly osmand?: number };
  /** Lines it wrote to stdout and stderr so far. */
  readonly output: readonly string[];
  /** Resolves when it is gone, however that came. */
  readonly ended: Promise<ProcessEnd>;
  /** Whether it is gone. */
  readonly isGone: boolean;
  /** Ends it with that signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<ProcessEnd>;
}

export interface ServiceProcessOptions {
  readonly dataDir: string;
  readonly adminKey: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Command in front of the program, such as strace with its arguments; must become the program. */
  readonly wrapper?: readonly string[];
  /** Which form of the program runs. Default: `built` where `TEST_BUILT=1` is set, otherwise `bundle`. */
  readonly program?: Program;
  readonly startMs?: number;
}

/**
 * The sources as one bundle, which starts soonest without a build; what `npm run build` made, for measurements
 * and long runs; or the sources file by file, for what replaces one of their modules.
 */
export type Program = "bundle" | "built" | "sources";

const USUAL_PROGRAM: Program = process.env["TEST_BUILT"] === "1" ? "built" : "bundle";
const inRepository = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What Node is started with. */
async function argumentsOf(program: Program): Promise<readonly string[]> {
  if (program === "built") return [inRepository("dist/main.js")];
  if (program === "sources")
    return ["--import", import.meta.resolve("tsx"), inRepository("program.ts")];
  return [join(await bundledProgram(), "main.js")];
}

/** A process that may not be ready yet. */
export interface LaunchedService {
  /** Resolves when it says that it is ready; rejects when it ends before. */
  readonly ready: Promise<ServiceProcess>;
  /** Ends it with that signal, ready or not, and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<ProcessEnd>;
}

/** Starts `main.ts` on free ports of 127.0.0.1 and waits until it says that it is ready. */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { ready } = await launchServiceProcess(options);
  return await ready;
}

/** Starts `main.ts` without waiting for it. */
export async function launchServiceProcess(
  options: ServiceProcessOptions,
): Promise<LaunchedService> {
  const launched = await launch(options);
  const { child, output, ended } = launched;
  const ready = waitReady(child, output, options.startMs ?? PATIENT_MS).then((line) =>
    serviceOf(launched, line),
  );
  return {
    ready,
    end(signal) {
      // Whoever ends it need not hear that it was not ready.
      ready.catch(() => undefined);
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

function serviceOf({ child, output, ended }: Launched, ready: ReadyLine): ServiceProcess {
  return {
    pid: child.pid ?? 0,
    http: ready.http,
    mqttPort: ready.mqtt === undefined ? 0 : Number(new URL(ready.mqtt).port),
    mqttWs: ready.mqttWs ?? "",
    https: ready.https ?? "",
    mqttWss: ready.mqttWss ?? "",
    mqttsPort: ready.mqtts === undefined ? 0 : Number(new URL(ready.mqtts).port),
    devicePorts: {
      ...(ready.teltonika !== undefined && { teltonika: portOf(ready.teltonika) }),
      ...(ready.osmand !== undefined && { osmand: portOf(ready.osmand) }),
    },
    output,
    ended,
    get isGone() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

/** Starts `main.ts` where it cannot start; yields how it ended and every line that it wrote. */
export async function runServiceProcess(
  options: ServiceProcessOptions,
): Promise<ProcessEnd & { readonly output: readonly string[] }> {
  const { child, output, ended } = await launch(options);
  const timer = setTimeout(() => child.kill("SIGKILL"), options.startMs ?? PATIENT_MS);
  const end = await ended;
  clearTimeout(timer);
  // A slow machine's service says where its start is.
  return { ...end, output: output.filter((line) => !line.includes('"still starting"')) };
}

interface Launched {
  readonly child: ChildProcess;
  readonly output: string[];
  readonly ended: Promise<ProcessEnd>;
}

async function launch(options: ServiceProcessOptions): Promise<Launched> {
  const { dataDir, adminKey, environment = {}, wrapper = [], program = USUAL_PROGRAM } = options;
  const [command, ...args] = [...wrapper, process.execPath, ...(await argumentsOf(program))];
  if (command === undefined) throw new Error("no command");
  const child = spawn(command, args, {
    env: {
      ...process.env,
      // Each process has stores of its own in its data folder, also where the tests have a server.
      DATABASE_URL: "",
      HTTP_HOST: "127.0.0.1",
      MQTT_HOST: "127.0.0.1",
      HTTP_PORT: "0",
      MQTT_PORT: "0",
      DATA_DIR: dataDir,
      ADMIN_API_KEY: adminKey,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => output.push(line));
  }
  // "close" and not "exit": by then every line was read.
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  return { child, output, ended };
}

interface ReadyLine {
  readonly http: string;
  readonly mqtt?: string;
  readonly mqttWs?: string;
  readonly https?: string;
  readonly mqttWss?: string;
  readonly mqtts?: string;
  readonly teltonika?: string;
  readonly osmand?: string;
}

const portOf = (url: string): number => Number(new URL(url).port);

function waitReady(child: ChildProcess, output: string[], startMs: number): Promise<ReadyLine> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}:\n${output.join("\n")}`));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail(`not ready within ${startMs} ms`);
    }, startMs);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      fail(`ended before it was ready (${code ?? signal})`);
    });
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (!line.includes('"plumbline is ready"')) return;
      clearTimeout(timer);
      resolve(JSON.parse(line) as ReadyLine);
    });
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MINUTE_MS } from "../domain/time.ts";

/** Where the demo's server can be reached. */
export interface ServerAddresses {
  readonly http: string;
  readonly mqtt: string;
}

/** The service as a process of its own, started by the demo. */
export interface DemoServer {
  /** Rejects when it ended first, or has said nothing for `silenceMs`. */
  readonly ready: Promise<ServerAddresses>;
  /** Resolves with its exit code, or the signal, when it is gone. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** Asks it to stop, and ends it when it has not within `STOP_MS`. */
  stop(): Promise<void>;
  /** Ends it now. Safe at any moment: what it acknowledged is on disk. */
  kill(): void;
}

export interface DemoServerOptions {
  readonly dataDir: string;
  /** Every environment variable of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called at each step of the start, with its name. */
  readonly onStep: (step: string) => void;
  /** Time without output of the server after which the start is given up, ms. */
  readonly silenceMs?: number;
  /** The program; by default the one beside this module. */
  readonly program?: string;
}

/**
 * A stop is 0.3 s of work. A server that takes longer than this, ms, is ended, which costs 1 s at the next
 * start; longer, Ctrl-C seems to hang.
 */
const STOP_MS = 2_000;
/**
 * Longest time between two lines of a server that is starting, ms: a machine may be slow, but it moves. Shorter
 * ends starts on slow machines, longer waits for one that hangs.
 */
const SILENCE_MS = 10 * MINUTE_MS;

/** Path of the log of a demo whose data lie in `dataDir`. */
export const demoLog = (dataDir: string): string => join(dataDir, "demo.log");

/** Starts the service. What it says goes to the log; what goes wrong, to stderr too. */
export function startDemoServer(options: DemoServerOptions): DemoServer {
  const { program = ownProgram(), silenceMs = SILENCE_MS } = options;
  const child = spawn(process.execPath, [...process.execArgv, program], {
    env: options.environment,
    // A signal of the terminal reaches the whole group; the demo stops the server itself.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = createWriteStream(demoLog(options.dataDir), { flags: "a" });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  const kill = () => void child.kill("SIGKILL");
  const ready = readyOf(child, options.onStep, silenceMs);
  // Whoever stops before it is ready does not wait for this.
  ready.catch(() => undefined);
  return {
    ready,
    ended,
    kill,
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(kill, STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** `main.ts` of the sources, or `main.js` of what was made of them. */
function ownProgram(): string {
  const suffix = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`../main.${suffix}`, import.meta.url));
}

function readyOf(
  child: ChildProcess,
  onStep: (step: string) => void,
  silenceMs: number,
): Promise<ServerAddresses> {
  return new Promise((resolve, reject) => {
    const silence = setTimeout(
      () => reject(new Error(`the server has said nothing for ${silenceMs / 1_000} s`)),
      silenceMs,
    );
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(silence);
      reject(new Error("the server did not start"));
    });
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      silence.refresh();
      const entry = parseLine(line);
      if (typeof entry.step === "string") onStep(entry.step);
      if (entry.http === undefined || entry.mqtt === undefined) return;
      clearTimeout(silence);
      resolve({ http: String(entry.http), mqtt: String(entry.mqtt) });
    });
  });
}

interface LogLine {
  readonly step?: unknown;
  readonly http?: unknown;
  readonly mqtt?: unknown;
}

/** A line of the log; nothing for one that is not JSON. */
function parseLine(line: string): LogLine {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? entry : {};
  } catch {
    return {};
  }
}

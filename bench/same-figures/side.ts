import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { CLOCK_START_MS } from "./by-nature.ts";
import { createTranslator, type Renames, type Translator } from "./renames.ts";

const ADMIN_KEY = "same-figures-admin-key-0123456789abcdef";
const CLOCK = new URL("fixed-clock.mjs", import.meta.url).href;
/** What ends a run that hangs, ms; a busy machine takes minutes where a quiet one takes seconds. */
const PATIENCE_MS = 1_800_000;
const POLL_MS = 250;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** An answer of a service; JSON is parsed, and has the field names of `--after`. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** An answer as it came. */
export interface FileAnswer {
  readonly status: number;
  /** Media type. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** The service of one checkout, as a process of that checkout's code on fresh data. */
export interface Side extends AsyncDisposable {
  readonly name: "before" | "after";
  readonly mqttPort: number;
  readonly translator: Translator;
  /** A request to `/api/v1`; a body that is not bytes or a form is sent as JSON. */
  request(method: string, path: string, body?: unknown, type?: string): Promise<Answer>;
  /** The same, of which only a success is expected. @throws Error with the answer otherwise. */
  expect(method: string, path: string, body?: unknown, type?: string): Promise<unknown>;
  /** What is at an address that an answer named. */
  open(url: string): Promise<FileAnswer>;
  /** Waits until every acknowledged reading is in its place, late ones too. */
  settled(): Promise<void>;
}

export interface SideOptions {
  readonly name: "before" | "after";
  readonly checkout: string;
  readonly renames: Renames;
}

/** Starts `main.ts` of a checkout with a clock that begins at `CLOCK_START_MS`. */
export async function openSide({ name, checkout, renames }: SideOptions): Promise<Side> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-same-figures-"));
  const folder = resolve(checkout);
  const program = await programOf(folder);
  const child = spawn(process.execPath, program, {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      TMPDIR: process.env["TMPDIR"],
      NODE_OPTIONS: `--import=${CLOCK}`,
      SAME_FIGURES_CLOCK_OFFSET_MS: String(CLOCK_START_MS - Date.now()),
      ADMIN_API_KEY: ADMIN_KEY,
      CHROMIUM_FILE: "none",
      DATA_DIR: dataDir,
      // Hours of readings come in seconds, and some golden payloads are years old.
      DEVICE_BURST_READINGS: "1000000",
      DEVICE_READINGS_PER_S: "1000000",
      RETENTION_DAYS: "3650",
      HTTP_HOST: "127.0.0.1",
      HTTP_PORT: "0",
      MQTT_HOST: "127.0.0.1",
      MQTT_PORT: "0",
      // Two services are at work at once.
      WORKERS: "1",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  // However this program ends.
  process.once("exit", () => child.kill("SIGKILL"));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  const ready = await readyLine(createInterface({ input: child.stdout })).catch(async (error) => {
    await stop();
    throw error;
  });
  if (ready === undefined) {
    await stop();
    throw new Error(`the service of ${name} (${checkout}) ended before it was ready`);
  }
  const { http, mqtt } = ready;
  const translator = createTranslator(name, renames);

  const side: Side = {
    name,
    translator,
    mqttPort: Number(new URL(mqtt).port),
    async request(method, path, body, type) {
      const sent = await contentOf(body, type, translator);
      const url = `${http}/api/v1${translator.request(path)}`;
      const headers = { authorization: `Bearer ${ADMIN_KEY}`, ...sent.headers };
      const answer = await call({ method, url, headers, bytes: sent.bytes });
      const text = answer.bytes.toString();
      const isJson = answer.type.includes("json");
      return {
        status: answer.status,
        body: isJson ? translator.answer(JSON.parse(text)) : text,
      };
    },
    async expect(method, path, body, type) {
      const answer = await side.request(method, path, body, type);
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      const text = JSON.stringify(answer.body);
      throw new Error(`${name}: ${method} ${path} was answered ${answer.status}: ${text}`);
    },
    async open(url) {
      return await call({ method: "GET", url, headers: {} });
    },
    async settled() {
      await waitUntil(`${name} has no reading waiting`, async () => {
        const { bytes } = await call({ method: "GET", url: `${http}/metrics`, headers: {} });
        const waiting = [...bytes.toString().matchAll(WAITING)].map(([, value]) => Number(value));
        return waiting.length >= 3 && waiting.every((value) => value === 0);
      });
    },
    [Symbol.asyncDispose]: stop,
  };
  return side;
}

/**
 * How to run a checkout's `main.ts`: by the bundle that its demo is started from, which costs a third of the CPU,
 * or from the sources where it has none.
 */
async function programOf(folder: string): Promise<readonly string[]> {
  const file = join(folder, "scripts", "bundle.mjs");
  if (!existsSync(file)) return ["--import", "tsx", "main.ts"];
  const { bundleSources }: { readonly bundleSources: () => Promise<string> } = await import(
    pathToFileURL(file).href
  );
  return [join(await bundleSources(), "main.js")];
}

interface Content {
  readonly bytes?: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A form with its boundary, bytes as they are, everything else as JSON. */
async function contentOf(
  body: unknown,
  type: string | undefined,
  translator: Translator,
): Promise<Content> {
  if (body === undefined) return { headers: {} };
  if (body instanceof FormData) {
    const form = new Response(body);
    const bytes = Buffer.from(await form.arrayBuffer());
    return { bytes, headers: { "content-type": form.headers.get("content-type") ?? "" } };
  }
  if (body instanceof Uint8Array) {
    return { bytes: Buffer.from(body), headers: { "content-type": type ?? "" } };
  }
  const bytes = Buffer.from(translator.request(JSON.stringify(body)));
  return { bytes, headers: { "content-type": "application/json" } };
}

interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes?: Buffer | undefined;
}

/** Not by `fetch`, which gives up after 5 min: a measurement on a busy machine takes longer. */
function call({ method, url, headers, bytes }: Call) {
  return new Promise<FileAnswer>((done, failed) => {
    const length = bytes === undefined ? {} : { "content-length": bytes.length };
    const asked = request(url, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", failed);
      answer.on("end", () => {
        const type = answer.headers["content-type"] ?? "";
        done({ status: answer.statusCode ?? 0, type, bytes: Buffer.concat(chunks) });
      });
    });
    asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error(`${url}: no answer`)));
    asked.on("error", failed);
    asked.end(bytes);
  });
}

/** Lag of both readers of the journal, and assets that wait to be evaluated again. */
const WAITING = /^plumbline_(?:journal_lag_records|pipeline_reruns_pending)(?:\{[^}]*\})? (\d+)$/gm;

interface ReadyLine {
  readonly http: string;
  readonly mqtt: string;
}

/** The line that names the addresses; `undefined` when there was none. What comes after it is not kept. */
async function readyLine(lines: ReturnType<typeof createInterface>) {
  return await new Promise<ReadyLine | undefined>((done) => {
    lines.on("line", (line) => {
      if (line.includes('"plumbline is ready"')) done(JSON.parse(line) as ReadyLine);
    });
    lines.once("close", () => done(undefined));
  });
}

/** Polls until it is so. @throws Error when it takes too long. */
export async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`not within 30 min: ${what}`);
    await sleep(POLL_MS);
  }
}

import { type ChildProcess, fork, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BatchForm, PostResult } from "./post.ts";
import type { PublishResult } from "./publish.ts";

const SCRIPT = fileURLToPath(new URL("../ingest.ts", import.meta.url));
const MOSQUITTO = process.env["MOSQUITTO"] ?? "/usr/sbin/mosquitto";

/** A broker under test in a process of its own. */
export interface Contender {
  readonly name: string;
  readonly port: number;
  /** Of HTTP ingest; 0: it has none. */
  readonly httpPort: number;
  /** The child, where it answers messages. */
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts this script again in another role. */
function role(args: readonly string[]): ChildProcess {
  return fork(SCRIPT, args, { execArgv: ["--import", "tsx", ...profileFlags(args)] });
}

/** `PROFILE=folder` keeps a CPU profile of our broker there. */
function profileFlags(args: readonly string[]): readonly string[] {
  const folder = process.env["PROFILE"];
  if (folder === undefined || args[1] !== "plumbline") return [];
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

/** Asks a child and resolves with its next message. */
export function ask<T>(child: ChildProcess, question?: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`child ended with ${code}`));
    child.once("message", (answer) => {
      child.off("exit", onExit);
      resolve(answer as T);
    });
    child.once("exit", onExit);
    if (question !== undefined) child.send(question);
  });
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) resolve();
    else child.once("exit", () => resolve());
  });

export async function startServer(name: "plumbline" | "aedes"): Promise<Contender> {
  const child = role(["serve", name]);
  const { port, httpPort } = await ask<{ port: number; httpPort: number }>(child);
  return {
    name,
    port,
    httpPort,
    child,
    async stop() {
      child.send("stop");
      await ended(child);
    },
  };
}

/** Stock mosquitto on a port of its own; `undefined` where it is not installed. */
export async function startMosquitto(): Promise<Contender | undefined> {
  if (!existsSync(MOSQUITTO)) return undefined;
  const dir = await mkdtemp(join(tmpdir(), "mosquitto-bench-"));
  const port = await freePort();
  const config = join(dir, "mosquitto.conf");
  await writeFile(config, `listener ${port} 127.0.0.1\nallow_anonymous true\nlog_type error\n`);
  const child = spawn(MOSQUITTO, ["-c", config], { stdio: "ignore" });
  await accepts(port);
  return {
    name: "mosquitto",
    port,
    httpPort: 0,
    child,
    async stop() {
      child.kill("SIGTERM");
      await ended(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Runs the publishers in another process, so that they do not share the broker's event loop. */
export async function runPublishers(
  { port, child: { pid = 0 } }: Pick<Contender, "port" | "child">,
  connections: number,
  window: number,
  seconds: number,
): Promise<PublishResult> {
  const child = role(["publish", ...[port, connections, window, seconds, pid].map(String)]);
  const result = await ask<PublishResult>(child);
  await ended(child);
  return result;
}

/** The same of posters to HTTP ingest. */
export async function runPosters(
  port: number,
  connections: number,
  batch: number,
  form: BatchForm,
  seconds: number,
): Promise<PostResult> {
  const child = role(["post", ...[port, connections, batch].map(String), form, String(seconds)]);
  const result = await ask<PostResult>(child);
  await ended(child);
  return result;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function accepts(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on port ${port}`);
}

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accepts, freePorts } from "./tcp-ports.ts";
import { until } from "./until.ts";

const MOSQUITTO = process.env["MOSQUITTO"] ?? "/usr/sbin/mosquitto";
const requiredBackends = (process.env["REQUIRE_BACKENDS"] ?? "").split(",");

/** The real broker that tests run on. */
export const MOSQUITTO_BROKER = {
  absent: existsSync(MOSQUITTO) ? undefined : `no ${MOSQUITTO}`,
  required: requiredBackends.includes("mosquitto"),
};

/** Mosquitto as a process of its own, on a port of its own. */
export interface MosquittoServer {
  readonly port: number;
  readonly url: string;
  /** Starts it again on the same port, after `kill`. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Kills it and removes its folder. */
  close(): Promise<void>;
}

/** Starts Mosquitto with the settings that `docs/several-machines.md` asks for; `lines` come in addition. */
export async function startMosquitto(
  options: { readonly lines?: readonly string[]; readonly files?: Record<string, string> } = {},
): Promise<MosquittoServer> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-mosquitto-"));
  // Started by root, it reads its files as a user of its own.
  await chmod(dir, 0o755);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await writeFile(join(dir, name), text, { mode: 0o644 });
  }
  const [port = 0] = await freePorts(1);
  const config = join(dir, "mosquitto.conf");
  const lines = options.lines ?? ["allow_anonymous true"];
  await writeFile(
    config,
    [
      `listener ${port} 127.0.0.1`,
      "max_inflight_messages 1000",
      "max_queued_messages 0",
      "log_type error",
      ...lines.map((line) => line.replaceAll("$DIR", dir)),
      "",
    ].join("\n"),
  );
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(MOSQUITTO, ["-c", config], { stdio: "ignore" });
    child = started;
    await until(
      "mosquitto listens",
      () => {
        if (started.exitCode !== null) throw new Error(`mosquitto ended with ${started.exitCode}`);
        return accepts(port);
      },
      30_000,
    );
  }
  async function kill(): Promise<void> {
    const dying = child;
    if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return;
    const gone = new Promise((resolve) => dying.once("exit", resolve));
    dying.kill("SIGKILL");
    await gone;
  }
  await start();
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    start,
    kill,
    async close() {
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

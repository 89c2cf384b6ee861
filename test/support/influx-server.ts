import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InfluxTarget } from "../../storage/telemetry/influx/target.ts";
import { PATIENT_MS } from "./patience.ts";
import { freePorts } from "./tcp-ports.ts";
import { until } from "./until.ts";

const INFLUXD = "/usr/bin/influxd";
const requiredBackends = (process.env["REQUIRE_BACKENDS"] ?? "").split(",");

/** The real InfluxDB that tests run on: `INFLUX_TEST_URL`, else Debian's, started by the test. */
export const INFLUXDB = {
  absent:
    process.env["INFLUX_TEST_URL"] === undefined && !existsSync(INFLUXD)
      ? `neither INFLUX_TEST_URL nor ${INFLUXD}`
      : undefined,
  required: requiredBackends.includes("influxdb"),
};

/** An InfluxDB as a process of its own, on a folder and ports of its own. */
export interface InfluxServer {
  readonly url: string;
  readonly port: number;
  /** A database, or bucket, of it as the service speaks to it. */
  target(database: string): InfluxTarget;
  /** The settings, beside `INFLUX_URL`, that name that database or bucket. */
  environment(database: string): Readonly<Record<string, string>>;
  /** Starts it again on the same folder and port. */
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** SIGSTOP and SIGCONT: it holds its connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Kills it and removes its folder. */
  close(): Promise<void>;
}

/** A server to use and to leave alone: the one of `INFLUX_TEST_URL`, or one of our own. */
export async function openInfluxServer(): Promise<Pick<InfluxServer, "url" | "close">> {
  const url = process.env["INFLUX_TEST_URL"];
  return url === undefined ? startInfluxServer() : { url, close: async () => {} };
}

/** Starts Debian's influxd; with authentication it wants an administrator first. */
export async function startInfluxServer(
  { withAuth }: { readonly withAuth: boolean } = { withAuth: false },
): Promise<InfluxServer> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-influxd-"));
  const [port = 0, rpcPort = 0] = await freePorts(2);
  const config = join(dir, "influxdb.conf");
  await writeFile(config, configuration(dir, port, rpcPort, withAuth));
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(INFLUXD, ["-config", config], { stdio: "ignore" });
    child = started;
    await until(
      "influxd answers",
      async () => {
        if (started.exitCode !== null) throw new Error(`influxd ended with ${started.exitCode}`);
        return (await fetch(`${url}/ping`)).ok;
      },
      PATIENT_MS,
    );
  }
  async function kill(signal: NodeJS.Signals): Promise<void> {
    const dying = child;
    if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return;
    const gone = new Promise((resolve) => dying.once("exit", resolve));
    dying.kill(signal);
    await gone;
  }
  await start();
  return {
    url,
    port,
    target: (database) => ({ url, dialect: "v1", database, org: "", headers: {} }),
    environment: (database) => ({ INFLUX_DATABASE: database }),
    start,
    kill,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    async close() {
      await kill("SIGKILL");
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** As Debian ships it, but for the folders, quiet, and without the parts that nobody asks. */
function configuration(dir: string, port: number, rpcPort: number, withAuth: boolean): string {
  return `
reporting-disabled = true
bind-address = "127.0.0.1:${rpcPort}"
[meta]
  dir = "${dir}/meta"
  logging-enabled = false
[data]
  dir = "${dir}/data"
  wal-dir = "${dir}/wal"
  query-log-enabled = false
  index-version = "inmem"
[monitor]
  store-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
  auth-enabled = ${withAuth}
[logging]
  level = "error"
`;
}

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InfluxTarget } from "../../storage/telemetry/influx/target.ts";
import type { InfluxServer } from "./influx-server.ts";
import { PATIENT_MS } from "./patience.ts";
import { freePorts } from "./tcp-ports.ts";
import { until } from "./until.ts";

const INFLUXD2 = process.env["INFLUXD2"] ?? "";
const requiredBackends = (process.env["REQUIRE_BACKENDS"] ?? "").split(",");

/** A real InfluxDB 2: `sh test/support/influx2/build.sh` makes it, in ten minutes. */
export const INFLUXDB2 = {
  absent: existsSync(INFLUXD2) ? undefined : "INFLUXD2 names no influxd of InfluxDB 2",
  required: requiredBackends.includes("influxdb2"),
};

/** As docker-compose.yml sets it up. */
export const INFLUX2_ORG = "plumbline";
const ADMIN_TOKEN = "plumbline-test-token-of-the-administrator";

/** An InfluxDB 2 as a process of its own, with an organisation and a token that may do everything. */
export interface Influx2Server extends InfluxServer {
  readonly token: string;
  /** `token`: another one than the administrator's. */
  target(bucket: string, token?: string): InfluxTarget;
  /** Calls its own API as the administrator. */
  admin<T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<T>;
}

export async function startInflux2Server(): Promise<Influx2Server> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-influxd2-"));
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(
      INFLUXD2,
      [
        ...["--bolt-path", join(dir, "bolt"), "--engine-path", join(dir, "engine")],
        ...["--sqlite-path", join(dir, "sqlite"), "--http-bind-address", `127.0.0.1:${port}`],
        ...["--reporting-disabled", "--log-level", "error"],
      ],
      { stdio: "ignore" },
    );
    child = started;
    await until(
      "influxd answers",
      async () => {
        if (started.exitCode !== null) throw new Error(`influxd ended with ${started.exitCode}`);
        return (await fetch(`${url}/health`)).ok;
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
  async function admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: { authorization: `Token ${ADMIN_TOKEN}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  await start();
  await admin("POST", "/setup", {
    ...{ username: "plumbline", password: "plumbline-password", token: ADMIN_TOKEN },
    ...{ org: INFLUX2_ORG, bucket: "first" },
  });
  return {
    url,
    port,
    token: ADMIN_TOKEN,
    start,
    kill,
    admin,
    target: (bucket, token = ADMIN_TOKEN) => ({
      url,
      dialect: "v2",
      database: bucket,
      org: INFLUX2_ORG,
      headers: { Authorization: `Token ${token}` },
    }),
    environment: (bucket) => ({
      ...{ INFLUX_TOKEN: ADMIN_TOKEN, INFLUX_ORG: INFLUX2_ORG, INFLUX_BUCKET: bucket },
    }),
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    async close() {
      await kill("SIGKILL");
      await rm(dir, { recursive: true, force: true });
    },
  };
}

import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createApiClient } from "../../support/api-client.ts";
import { type LaunchedService, launchServiceProcess } from "../../support/service-process.ts";
import { caughtUp, createSite, storedNumbers } from "../../support/site.ts";
import type { CrashTarget } from "./target.ts";

export const ADMIN_KEY = "crash-test-admin-key-of-forty-characters";
export const PROJECT = "crash-site";

/** The program with addresses that stay the same over all starts, so that clients find it by themselves. */
export interface PlumblineTarget extends CrashTarget {
  readonly http: string;
  readonly mqttPort: number;
}

/** A program with one of its modules replaced. */
export interface PlumblineControl {
  readonly name: string;
  /** URL of what Node loads before the program. */
  readonly hooks: string;
  /** A line that the replaced module writes at every start. */
  readonly says: string;
}

/** The real program on embedded stores, killed as a process; or a control. */
export async function createPlumblineTarget(control?: PlumblineControl): Promise<PlumblineTarget> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-crash-"));
  const [httpPort, mqttPort] = await freePorts(2);
  let service: LaunchedService | undefined;
  const http = `http://127.0.0.1:${httpPort}`;
  const api = createApiClient(http, ADMIN_KEY);

  async function launch(): Promise<LaunchedService> {
    service = await launchServiceProcess({
      dataDir,
      adminKey: ADMIN_KEY,
      // A bundle has no module that a control could replace.
      ...(control === undefined ? {} : { program: "sources" }),
      environment: {
        HTTP_PORT: String(httpPort),
        MQTT_PORT: String(mqttPort),
        // The test sends faster than any device may: its subject is loss, not the rate limit.
        DEVICE_READINGS_PER_S: "1000000",
        OUTBOUND_ALLOW_CIDRS: "127.0.0.1/32",
        IMAGE_FETCH_ALLOW_CIDRS: "127.0.0.1/32",
        WORKERS: "1",
        ...(control === undefined ? {} : { NODE_OPTIONS: `--import=${control.hooks}` }),
      },
    });
    return service;
  }

  return {
    name: control === undefined ? "plumbline" : control.name,
    http,
    mqttPort: mqttPort ?? 0,
    async start() {
      const { ready } = await launch();
      const { output } = await ready;
      if (control !== undefined && !output.some((line) => line.includes(control.says))) {
        throw new Error(`${control.name} runs without what makes it a control`);
      }
      return { mqttPort: mqttPort ?? 0 };
    },
    async register(ids) {
      return createSite(api, PROJECT, ids);
    },
    async kill() {
      await service?.end("SIGKILL");
    },
    async killDuringStart(afterMs) {
      const starting = await launch();
      await delay(afterMs);
      await starting.end("SIGKILL");
    },
    async stored(ids) {
      await caughtUp(api);
      const stored = new Map<string, readonly number[]>();
      for (const id of ids) stored.set(id, await storedNumbers(api, id));
      return stored;
    },
    async dispose({ keepData }) {
      await service?.end("SIGTERM");
      if (keepData) console.log(`data kept in ${dataDir}`);
      else await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Ports of 127.0.0.1 that nobody listens on now. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) server.close();
  return ports;
}

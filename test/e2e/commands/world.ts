import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import { until } from "../../support/until.ts";

/** A command as the API shows it, as far as the checks read it. */
export interface CommandView {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly attempt: number;
  readonly sequence: number;
  readonly failure?: string;
}

/** The real program, which is killed and started again on the same ports and data. */
export interface CommandWorld {
  readonly api: ApiClient;
  readonly dir: string;
  readonly mqttPort: number;
  readonly teltonikaPort: number;
  readonly kills: number;
  /** `kill -9`, and a new process. */
  restart(): Promise<void>;
  /** Posts once, however often the process is killed meanwhile: by an `Idempotency-Key`. */
  command(assetId: string, body: object, key: string): Promise<CommandView>;
  close(): Promise<void>;
}

export const PROJECT = "yard";
const ADMIN_KEY = "an-admin-key-for-tests-of-the-commands";
/** The slowest start of a busy machine, ms. */
const START_MS = 120_000;

export async function openCommandWorld(): Promise<CommandWorld> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-commands-"));
  const start = (environment: Readonly<Record<string, string>>): Promise<ServiceProcess> =>
    startServiceProcess({
      dataDir: join(dir, "data"),
      adminKey: ADMIN_KEY,
      environment,
      startMs: START_MS,
    });
  let service = await start({ TELTONIKA_PORT: "0" });
  const teltonikaPort = service.devicePorts.teltonika ?? 0;
  const { http, mqttPort } = service;
  const ports = {
    HTTP_PORT: new URL(http).port,
    MQTT_PORT: String(mqttPort),
    TELTONIKA_PORT: String(teltonikaPort),
  };
  const api = createApiClient(http, ADMIN_KEY);
  let kills = 0;
  return {
    api,
    dir,
    mqttPort,
    teltonikaPort,
    get kills() {
      return kills;
    },
    async restart() {
      await service.end("SIGKILL");
      kills += 1;
      service = await start(ports);
    },
    command: (assetId, body, key) =>
      until(
        `command ${key} is stored`,
        async () => {
          const response = await fetch(`${http}/api/v1/equipment/assets/${assetId}/commands`, {
            method: "POST",
            headers: {
              Authorization: `Bearer ${ADMIN_KEY}`,
              "Content-Type": "application/json",
              "Idempotency-Key": key,
            },
            body: JSON.stringify(body),
          });
          const text = await response.text();
          if (response.status !== 201) throw new Error(`${response.status} ${text}`);
          return JSON.parse(text) as CommandView;
        },
        START_MS,
      ),
    async close() {
      await service.end("SIGTERM");
      await rm(dir, { recursive: true, force: true });
    },
  };
}

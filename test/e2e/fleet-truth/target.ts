import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";

const ADMIN_KEY = "fleet-truth-admin-key-of-forty-characters";

/** The real program on a folder of its own; it keeps its addresses when it is killed and started again. */
export interface FleetTarget {
  readonly http: string;
  readonly mqttUrl: string;
  /** Listeners of formats that do not go over MQTT. */
  readonly ports: { readonly teltonika: number; readonly osmand: number };
  readonly key: string;
  readonly api: ApiClient;
  /** Ends it as a power cut does and waits until it is ready again. */
  killAndRestart(): Promise<void>;
  /** Stops it cleanly; its folder is removed unless it is asked for. */
  dispose(options: { readonly keepData: boolean }): Promise<void>;
}

/** Starts the program on fresh stores. */
export async function openFleetTarget(): Promise<FleetTarget> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-fleet-"));
  const start = (ports: Readonly<Record<"http" | "mqtt" | "teltonika" | "osmand", number>>) =>
    startServiceProcess({
      dataDir,
      adminKey: ADMIN_KEY,
      environment: {
        HTTP_PORT: String(ports.http),
        MQTT_PORT: String(ports.mqtt),
        TELTONIKA_PORT: String(ports.teltonika),
        OSMAND_PORT: String(ports.osmand),
        // Hours pass in seconds, which no device does: the subject here is order, not the rate limit.
        DEVICE_READINGS_PER_S: "1000000",
        DEVICE_BURST_READINGS: "1000000",
      },
    });
  let service: ServiceProcess = await start({ http: 0, mqtt: 0, teltonika: 0, osmand: 0 });
  const { http, mqttPort: mqtt, devicePorts } = service;
  const { teltonika = 0, osmand = 0 } = devicePorts;
  const ports = { http: Number(new URL(http).port), mqtt, teltonika, osmand };
  return {
    http,
    mqttUrl: `mqtt://127.0.0.1:${mqtt}`,
    ports: { teltonika, osmand },
    key: ADMIN_KEY,
    api: createApiClient(http, ADMIN_KEY),
    async killAndRestart() {
      await service.end("SIGKILL");
      service = await start(ports);
    },
    async dispose({ keepData }) {
      await service.end("SIGTERM");
      if (keepData) console.log(`data kept in ${dataDir}`);
      else await rm(dataDir, { recursive: true, force: true });
    },
  };
}

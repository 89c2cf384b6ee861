import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import { caughtUp } from "../../support/site.ts";
import { telemetryRows } from "../../support/telemetry-rows.ts";
import type { ListenerDevice } from "./device.ts";
import type { ListenerTarget } from "./target.ts";

const ADMIN_KEY = "listeners-kill-admin-key-of-forty-characters";
const PROJECT = "listener-site";
const HOUR_MS = 3_600_000;

/** The real program on embedded stores, killed as a process. */
export async function createPlumblineTarget(): Promise<ListenerTarget> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-listeners-"));
  let service: ServiceProcess | undefined;
  const api = () => createApiClient(service?.http ?? "", ADMIN_KEY);
  return {
    name: "plumbline",
    async start() {
      service = await startServiceProcess({
        dataDir,
        adminKey: ADMIN_KEY,
        environment: {
          TELTONIKA_PORT: "0",
          OSMAND_PORT: "0",
          // The subject is loss, not the rate limit.
          DEVICE_READINGS_PER_S: "1000000",
        },
      });
      const { teltonika, osmand } = service.devicePorts;
      const http = Number(new URL(service.http).port);
      if (teltonika === undefined || osmand === undefined) throw new Error("a listener is missing");
      return { teltonika, osmand, http };
    },
    async register(devices) {
      const location = { latitude: 52.5, longitude: 13.4 };
      await api().post("/projects", { id: PROJECT, name: PROJECT, location });
      for (const device of devices) {
        const { id, decoder, hardwareId } = device;
        const { mqtt } = await api().post<{ readonly mqtt: { readonly password: string } }>(
          "/equipment/assets",
          {
            ...{ id, name: id, type: "excavator", project_id: PROJECT },
            ...{ decoder, hardware_id: hardwareId },
          },
        );
        device.logInWith?.(mqtt.password);
      }
    },
    async kill() {
      await service?.end("SIGKILL");
    },
    async stored(devices) {
      await caughtUp(api());
      const stored = new Map<string, readonly number[]>();
      for (const device of devices) stored.set(device.id, await storedNumbers(api(), device));
      return stored;
    },
    async dispose() {
      await service?.end("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The number of every stored row of the last 25 h. */
async function storedNumbers(
  api: ApiClient,
  { id, field }: ListenerDevice,
): Promise<readonly number[]> {
  const to = new Date(Date.now() + HOUR_MS).toISOString();
  const from = new Date(Date.now() - 25 * HOUR_MS).toISOString();
  const rows = await telemetryRows(api, id, { from, to, fields: field });
  return rows.flatMap(({ [field]: number }) => (typeof number === "number" ? [number] : []));
}

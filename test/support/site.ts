import type { ApiClient } from "./api-client.ts";
import { telemetryRows } from "./telemetry-rows.ts";
import { until } from "./until.ts";

/** What a device needs to connect and publish; the API's own names. */
export interface DeviceAccess {
  readonly username: string;
  readonly password: string;
  readonly topic: string;
}

/** Time for the readers of the journal to catch up, ms. */
const CATCH_UP_MS = 120_000;

/** Registers a project and one asset for each id; yields what the API answered, by id. */
export async function createSite(
  api: ApiClient,
  projectId: string,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, DeviceAccess>> {
  const location = { latitude: 52.5, longitude: 13.4 };
  await api.post("/projects", { id: projectId, name: projectId, location });
  const access = new Map<string, DeviceAccess>();
  for (const id of assetIds) access.set(id, await createAsset(api, projectId, id));
  return access;
}

/** Registers one asset and yields its credentials. */
export async function createAsset(
  api: ApiClient,
  projectId: string,
  id: string,
): Promise<DeviceAccess> {
  const asset = await api.post<{ mqtt: DeviceAccess }>("/equipment/assets", {
    id,
    name: id,
    type: "van",
    project_id: projectId,
  });
  return asset.mqtt;
}

/** The field `number` of every stored row since then, by default of the last 25 h, in order of fix time. */
export async function storedNumbers(
  api: ApiClient,
  assetId: string,
  sinceMs = Date.now() - 25 * 3_600_000,
): Promise<readonly number[]> {
  const from = new Date(sinceMs).toISOString();
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const rows = await telemetryRows(api, assetId, { from, to, fields: "number" });
  return rows.flatMap(({ number }) => (number === undefined ? [] : [number]));
}

/** Values of one metric, by its labels as they are written (`{reader="pipeline"}`; "": none). */
async function metric(api: ApiClient, name: string): Promise<ReadonlyMap<string, number>> {
  const values = new Map<string, number>();
  for (const line of (await api.text("/metrics")).split("\n")) {
    const [key = "", value = ""] = line.split(/ (?=[^ ]+$)/);
    if (key === name || key.startsWith(`${name}{`)) {
      values.set(key.slice(name.length), Number(value));
    }
  }
  return values;
}

/** One count of broker or intake. */
export async function mqttCount(api: ApiClient, event: string): Promise<number> {
  const counts = await metric(api, "plumbline_mqtt_events_total");
  return counts.get(`{event="${event}"}`) ?? 0;
}

/** Waits until both readers of the journal have no lag. */
export async function caughtUp(api: ApiClient, withinMs = CATCH_UP_MS): Promise<void> {
  await until(
    "both readers of the journal have no lag",
    async () => {
      const lags = [...(await metric(api, "plumbline_journal_lag_records")).values()];
      return lags.length === 2 && lags.every((lag) => lag === 0);
    },
    withinMs,
  );
}

/** Waits until every acknowledged reading, late ones too, is in its place. */
export async function settled(api: ApiClient, withinMs = CATCH_UP_MS): Promise<void> {
  await until(
    "no asset waits for a re-run",
    async () => {
      await caughtUp(api, withinMs);
      return (await metric(api, "plumbline_pipeline_reruns_pending")).get("") === 0;
    },
    withinMs,
  );
}

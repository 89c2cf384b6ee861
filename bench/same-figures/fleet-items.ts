import { DAY_MS } from "../../domain/time.ts";
import { openDevice } from "../../test/support/mqtt-device.ts";
import type { DeviceAccess } from "../../test/support/site.ts";
import { isClockEvent, plain, withoutRunningLength } from "./by-nature.ts";
import { CONTROL } from "./compare.ts";
import { FLEET_START_MS, fleetMessages } from "./fleet-messages.ts";
import { groupedBy, publishedEvents, wholeList, wholeSeries } from "./lists.ts";
import type { Side } from "./side.ts";

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
const RANGE = `from=${day(FLEET_START_MS)}T00:00:00Z&to=${day(FLEET_START_MS + DAY_MS)}T00:00:00Z`;
/** Services fall due and limits are exceeded within an hour of work. */
const PLAN = {
  services: [{ item: "grease", name: "Grease", every_hours: 1 }],
  limits: [
    {
      ...{ id: "warm", field: "coolant_temperature_c", above: 75, for_s: 60, clear_at: 70 },
      severity: "warning",
    },
  ],
};
/** A machine of its own, so that its message of another content changes nothing else. */
const CONTROL_ASSET = "control-van";

/** A simulated fleet's messages, one after the other; then events, alerts, visits, working time and maintenance. */
export async function fleetItems(side: Side): Promise<ReadonlyMap<string, unknown>> {
  const { project, fences, assets, messages } = fleetMessages();
  await side.expect("POST", "/projects", project);
  for (const fence of fences) await side.expect("POST", "/equipment/geofences", fence);
  const types = new Set(assets.map(({ type }) => type));
  for (const type of types) {
    await side.expect("PUT", `/equipment/projects/${project.id}/maintenance-plans/${type}`, PLAN);
  }
  const devices = new Map<string, Awaited<ReturnType<typeof openDevice>>>();
  for (const { id, type } of [...assets, { id: CONTROL_ASSET, type: "van" }]) {
    const asset = { id, name: id, type, project_id: project.id };
    const made = (await side.expect("POST", "/equipment/assets", asset)) as {
      readonly mqtt: DeviceAccess;
    };
    devices.set(id, await openDevice({ access: made.mqtt, port: side.mqttPort, keepalive: 0 }));
  }
  // Each waits for the one before: a fixed order over all connections.
  for (const { assetId, payload } of [...messages, controlMessage(side)]) {
    await devices.get(assetId)?.publish({ payload });
  }
  await side.settled();

  const items = new Map<string, unknown>();
  const events = groupedBy(await publishedEvents(side, project.id), "asset_id");
  const query = `project_id=${project.id}`;
  const opened = await wholeList(side, `/equipment/alerts?${query}&${RANGE}`);
  const ofMessages = opened.filter(({ type }) => !isClockEvent(type));
  const alerts = groupedBy(ofMessages, "asset_id");
  const visits = groupedBy(
    await wholeList(side, `/equipment/visits?${query}&${RANGE}`),
    "asset_id",
  );
  const dates = `from=${day(FLEET_START_MS)}&to=${day(FLEET_START_MS)}`;
  for (const { id } of assets) {
    const path = `/equipment/assets/${id}`;
    const read = {
      events: events.get(id) ?? [],
      alerts: alerts.get(id) ?? [],
      visits: (visits.get(id) ?? []).map(withoutRunningLength),
      utilization: await side.expect("GET", `${path}/utilization?${dates}`),
      maintenance: await side.expect("GET", `${path}/maintenance`),
      asset: await side.expect("GET", path),
      readings: await wholeSeries(side, `${path}/telemetry?${RANGE}`),
      means: await side.expect(
        "GET",
        `${path}/telemetry?${RANGE}&interval_s=600&fields=speed_kmh,load_percent`,
      ),
    };
    for (const [what, value] of Object.entries(read)) {
      items.set(`fleet/${id}/${what}`, plain(value));
    }
  }
  const control = `/equipment/assets/${CONTROL_ASSET}/telemetry?${RANGE}`;
  items.set(`fleet/${CONTROL}/one reading`, plain(await side.expect("GET", control)));
  for (const device of devices.values()) await device.disconnect();
  return items;
}

/** For the later checkout: one digit is another. */
function controlMessage({ name }: Side) {
  const timestamp = new Date(FLEET_START_MS).toISOString();
  const fuel_level_percent = name === "after" ? 50.1 : 50;
  return { assetId: CONTROL_ASSET, payload: JSON.stringify({ timestamp, fuel_level_percent }) };
}

import sharp from "sharp";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { openDevice } from "../../support/mqtt-device.ts";
import type { ServiceProcess } from "../../support/service-process.ts";
import type { DeviceAccess } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import type { Tenant } from "./id-pools.ts";

const LOCATION = { latitude: 52.2, longitude: 21 };
const SQUARE = [
  [52.1995, 20.9995],
  [52.1995, 21.0005],
  [52.2005, 21.0005],
  [52.2005, 20.9995],
];
/** Requests of a key are counted, and 10,000 a minute would end a fast test. */
const KEYS = 8;
const SCOPES = [
  "progress:read",
  "progress:write",
  "equipment:read",
  "equipment:write",
  "materials:read",
  "materials:write",
  "events:read",
];

/** Two customers with a site each, whose machines have reported, and keys that see it alone. */
export async function makeTenants(
  service: ServiceProcess,
  adminKey: string,
): Promise<{ readonly tenants: readonly [Tenant, Tenant]; readonly narrowKey: string }> {
  const admin = createApiClient(service.http, adminKey);
  const narrow = await admin.post<{ key: string }>("/keys", {
    name: "narrow",
    scopes: ["events:read"],
    plan: "enterprise",
  });
  return {
    tenants: [
      await makeTenant(service, admin, "first", "tnAlphaX"),
      await makeTenant(service, admin, "second", "tnBravoX"),
    ],
    narrowKey: narrow.key,
  };
}

async function makeTenant(
  service: ServiceProcess,
  admin: ApiClient,
  name: string,
  marker: string,
): Promise<Tenant> {
  const project_id = `${marker}-site`;
  // With dates: without them a project has no plan and no report.
  const dates = { planned_start: "2026-01-05", planned_finish: "2028-01-05" };
  const site = { id: project_id, name: `${marker} site`, location: LOCATION, ...dates };
  await admin.post("/projects", site);
  const keys: string[] = [];
  for (let i = 0; i < KEYS; i += 1) {
    const body = {
      name: `${marker} ${i}`,
      scopes: SCOPES,
      plan: "enterprise",
      project_ids: [project_id],
    };
    keys.push((await admin.post<{ key: string }>("/keys", body)).key);
  }
  const own = createApiClient(service.http, keys[0] ?? "");
  const at = { project_id, name: `${marker} place` };
  await own.post("/equipment/geofences", {
    ...at,
    id: `${marker}-fence`,
    polygon: SQUARE,
    alert_on: ["both"],
  });
  await own.post("/progress/zones", {
    ...at,
    id: `${marker}-zone`,
    polygon: SQUARE,
    metric: { kind: "manual" },
  });
  await own.post("/materials/stockpiles", {
    project_id,
    id: `${marker}-pile`,
    material: "sand",
    max_capacity_m3: 10_000,
    current_volume_m3: 100,
    geofence_id: `${marker}-fence`,
    location: `${marker} yard`,
    footprint: SQUARE,
  });
  const { mqtt } = await own.post<{ mqtt: DeviceAccess }>("/equipment/assets", {
    ...at,
    id: `${marker}-truck`,
    type: "dump_truck",
  });
  await own.put(`/equipment/assets/${marker}-truck/maintenance-plan`, {
    services: [{ item: "oil", name: "Oil", every_hours: 500 }],
    limits: [{ id: "speed", field: "speed_kmh", above: 20, clear_at: 5 }],
  });
  await report(service, mqtt);
  await own.post(`/progress/zones/${marker}-zone/observations`, { progress: 20 });
  const imageUrl = await makeReport(service, keys[0] ?? "", marker);
  const outline = [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.5, 0.9],
  ];
  await own.post("/progress/zones", { ...at, id: `${marker}-view`, metric: { kind: "image" } });
  await own.post("/progress/cameras", {
    ...at,
    id: `${marker}-camera`,
    reference_image: imageUrl,
    zones: [{ zone_id: `${marker}-view`, outline }],
  });
  return { name, marker, keys, imageUrl };
}

/** A picture of a zone, and the report that its capture ends in. */
async function makeReport(service: ServiceProcess, key: string, marker: string): Promise<string> {
  const picture = await sharp({
    create: {
      width: 640,
      height: 480,
      channels: 3,
      background: "#987",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.append("images", new Blob([new Uint8Array(picture)], { type: "image/jpeg" }), "a.jpg");
  const headers = { authorization: `Bearer ${key}` };
  const stored = await fetch(`${service.http}/api/v1/progress/images`, {
    method: "POST",
    headers,
    body: form,
  });
  const { images } = (await stored.json()) as { images: readonly { url: string }[] };
  const own = createApiClient(service.http, key);
  const { id } = await own.post<{ id: string }>("/progress/captures", {
    project_id: `${marker}-site`,
    capture_type: "manual",
    images: [`${images[0]?.url}#zone=${marker}-zone`],
  });
  await until(
    "the capture ends",
    async () => {
      const { status } = await own.get<{ status: string }>(`/progress/captures/${id}`);
      return status === "processing" ? undefined : status;
    },
    120_000,
  );
  return images[0]?.url ?? "";
}

/** Readings that enter and leave the fence, and one message that nobody can read. */
async function report(service: ServiceProcess, access: DeviceAccess): Promise<void> {
  const device = await openDevice({ access, port: service.mqttPort });
  const startMs = Date.now() - 600_000;
  for (let i = 0; i < 40; i += 1) {
    const latitude = LOCATION.latitude + (i % 20 < 10 ? 0 : 0.01);
    const reading = {
      timestamp: new Date(startMs + i * 10_000).toISOString(),
      latitude,
      longitude: LOCATION.longitude,
      speed_kmh: i % 30,
      fuel_level_percent: 50 - i,
      engine_hours: 1_000 + i / 360,
    };
    await device.publish({ payload: JSON.stringify(reading), qos: 1 });
  }
  await device.publish({ payload: '{"timestamp":"nobody knows"}', qos: 1 });
  await device.disconnect();
}

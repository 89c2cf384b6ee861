import { randomUUID } from "node:crypto";
import type {
  AlertId,
  AssetId,
  CameraId,
  ProjectId,
  WebhookId,
  WorkZoneId,
} from "../../domain/ids.ts";
import { untriedDelivery } from "../../ingest/delivery/webhooks/delivery-log.ts";
import { capture, completed, report, view, workZone } from "../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, type TestApp } from "./api-app.ts";
import { cameraScene } from "./camera-scene.ts";
import { CAMERAS, newCamera, uploaded } from "./camera-site.ts";
import { CAPTURES, photographs } from "./capture-site.ts";
import { fenceFile, polygonFeature } from "./fence-file.ts";
import { storeStockpile } from "./measuring.ts";
import { newEvent } from "./new-event.ts";
import { newStockpile, STOCKPILES } from "./stockpile-site.ts";
import { storeMeasuredSurvey } from "./survey-site.ts";
import { newZone, ZONE_POLYGON, ZONES } from "./zone-site.ts";

/** A request that a route accepts, and the writes that it commits when it is done once. */
export interface PostRoute {
  readonly operationId: string;
  /** Calls of record ports that write, within transactions; none: doing it again changes nothing. */
  readonly writes: readonly string[];
  /** Makes what the request needs, anew for each request, and yields it. */
  prepare(t: TestApp): Promise<{ readonly url: string; readonly body?: object }>;
}

const API = "/api/v1";
const EQUIPMENT = `${API}/equipment`;
/** Nobody listens there. */
const RECEIVER = "http://127.0.0.1:9/";
const P1 = "p1" as ProjectId;
/** 15 m by 14 m. */
const PILE = [
  [52.52, 13.405],
  [52.52, 13.4052],
  [52.52014, 13.4052],
  [52.52014, 13.405],
];
const scene = cameraScene(3);
const STAGES = [
  { name: "framing", credit: 20 },
  { name: "paint", credit: 100 },
];
let made = 0;
/** Ids that no other request of the file has. */
const fresh = (): string => {
  made += 1;
  return `n${made}`;
};

/** Puts in what all requests share: a project, an asset with a plan, zones and a camera. */
export async function preparePostSite(t: TestApp): Promise<void> {
  await t.project({ id: P1, planned_start: "2026-01-01", planned_finish: "2026-12-31" });
  await t.asset({ id: "a1" as AssetId, project_id: P1 });
  const plan = { services: [{ item: "oil", name: "Oil", every_hours: 500 }] };
  await posted(t, "PUT", `${EQUIPMENT}/assets/a1/maintenance-plan`, plan);
  const kinds = { z1: { kind: "image" }, z2: { kind: "stages", stages: STAGES } };
  for (const [id, metric] of Object.entries(kinds)) {
    await posted(t, "POST", ZONES, newZone({ id, metric }));
  }
  const reference = await uploaded(t, scene, { progress: 0 });
  await posted(t, "POST", CAMERAS, newCamera(reference, scene, { id: "k1" }));
}

async function posted(t: TestApp, method: "POST" | "PUT", url: string, body: object) {
  const response = await t.send(method, url, ADMIN_KEY, body);
  if (response.statusCode >= 300) throw new Error(`${url}: ${response.body}`);
  return response.json();
}

const webhookOf = async (t: TestApp): Promise<WebhookId> =>
  (await posted(t, "POST", `${API}/webhooks`, { url: RECEIVER })).id;

/** A webhook that one event was posted to. */
async function delivered(t: TestApp): Promise<{ id: WebhookId; sequence: number }> {
  const id = await webhookOf(t);
  await t.records.events.append([newEvent(`evt_${fresh()}`)]);
  const event = t.records.rows.events.at(-1);
  if (event === undefined) throw new Error("the event was not stored");
  await t.records.webhooks.record({
    deliveries: [untriedDelivery(id, event, NOON_MS)],
    cursors: new Map([[id, { subscription: 1, sequence: event.sequence }]]),
  });
  return { id, sequence: event.sequence };
}

/** Puts an open alert into the store. */
function openAlert(t: TestApp): AlertId {
  const id = `alr_${fresh()}` as AlertId;
  t.records.rows.alerts.set(id, {
    ...{ id, type: "equipment.geofence.entered", severity: "warning", projectId: P1 },
    ...{ message: "entered", openedAtMs: NOON_MS, resolvedAtMs: undefined, occurrences: 1 },
    ...{ data: {}, state: "open", acknowledgedAtMs: undefined, acknowledgedBy: undefined },
    ...{ assetId: undefined, note: undefined },
  });
  return id;
}

/** A capture that saw the zone. */
export async function seen(t: TestApp, zone: string, id = `cap_${fresh()}`): Promise<string> {
  await t.records.captures.insert(capture(id, { project_id: P1 }));
  const views = [view(fresh(), { zone_id: zone as WorkZoneId, camera_id: "k1" as CameraId })];
  const dated = { capture_date: "2026-03-04T12:00:00.000Z" };
  await t.records.captures.complete(completed(id, 4, dated, { views }));
  return id;
}

/** Every POST route that takes an `Idempotency-Key`. */
export const POST_ROUTES: readonly PostRoute[] = [
  {
    operationId: "createProject",
    writes: ["projects.insert"],
    prepare: async () => ({
      url: `${API}/projects`,
      body: { name: "Quay", location: { latitude: 53.5, longitude: 9.9 } },
    }),
  },
  {
    operationId: "createKey",
    writes: ["apiKeys.insert"],
    prepare: async () => ({
      url: `${API}/keys`,
      body: { name: "reader", scopes: ["equipment:read"] },
    }),
  },
  {
    operationId: "createWebhook",
    writes: ["webhooks.insert"],
    prepare: async () => ({ url: `${API}/webhooks`, body: { url: RECEIVER } }),
  },
  {
    operationId: "rotateWebhookSecret",
    writes: ["webhooks.update"],
    prepare: async (t) => ({ url: `${API}/webhooks/${await webhookOf(t)}/rotate-secret` }),
  },
  {
    operationId: "replayWebhookDelivery",
    writes: ["webhooks.record"],
    async prepare(t) {
      const { id, sequence } = await delivered(t);
      return { url: `${API}/webhooks/${id}/deliveries/${sequence}/replay` };
    },
  },
  {
    operationId: "replayWebhook",
    writes: ["webhooks.record"],
    async prepare(t) {
      const { id, sequence } = await delivered(t);
      return { url: `${API}/webhooks/${id}/replay`, body: { cursor: String(sequence - 1) } };
    },
  },
  {
    operationId: "testWebhook",
    writes: [],
    prepare: async (t) => ({ url: `${API}/webhooks/${await webhookOf(t)}/test` }),
  },
  {
    operationId: "createForwarder",
    writes: ["forwarders.insert"],
    prepare: async () => ({
      url: `${API}/forwarders`,
      body: { kind: "traccar_http", url: RECEIVER },
    }),
  },
  {
    operationId: "authenticateMqtt",
    writes: [],
    prepare: async () => ({
      url: `${API}/mqtt/auth`,
      body: { username: "a1", password: "wrong", clientid: "c" },
    }),
  },
  {
    operationId: "authorizeMqtt",
    writes: [],
    prepare: async () => ({
      url: `${API}/mqtt/acl`,
      body: { username: "a1", action: "publish", topic: "sites/p1/assets/a1/telemetry" },
    }),
  },
  {
    operationId: "createFleetSource",
    writes: ["fleetSources.insert"],
    prepare: async () => ({ url: `${EQUIPMENT}/fleet-sources`, body: { url: RECEIVER } }),
  },
  {
    operationId: "pollFleetSource",
    writes: ["fleetSources.requestPoll"],
    async prepare(t) {
      const { id } = await posted(t, "POST", `${EQUIPMENT}/fleet-sources`, { url: RECEIVER });
      return { url: `${EQUIPMENT}/fleet-sources/${id}/poll` };
    },
  },
  {
    operationId: "createAsset",
    writes: ["assets.insert"],
    prepare: async () => ({
      url: `${EQUIPMENT}/assets`,
      body: { project_id: P1, name: "Van", type: "van" },
    }),
  },
  {
    operationId: "rotateAssetCredentials",
    writes: ["assets.setSecret"],
    prepare: async () => ({ url: `${EQUIPMENT}/assets/a1/credentials` }),
  },
  {
    operationId: "createCommand",
    writes: ["commands.insert"],
    prepare: async () => ({ url: `${EQUIPMENT}/assets/a1/commands`, body: { name: "reboot" } }),
  },
  {
    operationId: "recordService",
    writes: ["maintenance.recordService"],
    prepare: async () => ({ url: `${EQUIPMENT}/assets/a1/services`, body: { item: "oil" } }),
  },
  {
    operationId: "createGeofence",
    writes: ["geofences.insert"],
    prepare: async () => ({
      url: `${EQUIPMENT}/geofences`,
      body: { project_id: P1, name: "Yard", polygon: ZONE_POLYGON, alert_on: "both" },
    }),
  },
  {
    operationId: "importGeofences",
    writes: ["geofences.insertAll"],
    prepare: async () => ({
      url: `${EQUIPMENT}/geofences/import?project_id=${P1}`,
      body: fenceFile([polygonFeature(), polygonFeature({ name: "Gate" })]),
    }),
  },
  {
    operationId: "previewGeofence",
    writes: [],
    prepare: async () => ({
      url: `${EQUIPMENT}/geofences/preview`,
      body: { project_id: P1, polygon: ZONE_POLYGON },
    }),
  },
  {
    operationId: "measureSurveyVolume",
    writes: [],
    async prepare(t) {
      const { id } = await storeMeasuredSurvey(t, fresh(), P1);
      return { url: `${API}/surveys/${id}/volume`, body: { footprint: PILE } };
    },
  },
  {
    operationId: "previewStockpileVolume",
    writes: [],
    async prepare(t) {
      const { id: measurement_id, stockpile_id } = await storeMeasuredSurvey(t, fresh(), P1);
      await t.records.stockpiles.update(stockpile_id, (pile) => ({ ...pile, measurement_id }));
      return { url: `${STOCKPILES}/${stockpile_id}/preview-volume`, body: { footprint: PILE } };
    },
  },
  {
    operationId: "acknowledgeAlert",
    writes: ["alerts.acknowledge"],
    prepare: async (t) => ({ url: `${EQUIPMENT}/alerts/${openAlert(t)}/acknowledge` }),
  },
  {
    operationId: "acknowledgeAlerts",
    writes: ["alerts.acknowledgeSome"],
    prepare: async (t) => ({
      url: `${EQUIPMENT}/alerts/acknowledge`,
      body: { alert_ids: [openAlert(t)] },
    }),
  },
  {
    operationId: "createAlertMute",
    writes: ["alertMutes.insert"],
    prepare: async () => ({
      url: `${EQUIPMENT}/alert-mutes`,
      body: {
        asset_id: "a1",
        type: "equipment.limit.exceeded",
        until: new Date(NOON_MS + 3_600_000).toISOString(),
      },
    }),
  },
  {
    operationId: "replayQuarantined",
    writes: ["quarantine.markReplayed"],
    async prepare(t) {
      const id = `j-${fresh()}`;
      t.records.rows.quarantine.push({
        ...{ id, assetId: "a1" as AssetId, projectId: P1, receivedAtMs: NOON_MS },
        ...{ topic: "sites/p1/assets/a1/telemetry", format: "telemetry", reason: "not JSON" },
        ...{ payload: Buffer.from("x"), replayedAtMs: undefined },
      });
      return { url: `${EQUIPMENT}/quarantine/${id}/replay` };
    },
  },
  {
    operationId: "dryRunPayload",
    writes: [],
    prepare: async () => ({
      url: `${EQUIPMENT}/dry-run`,
      body: { decoder: "plumbline", payload: { speed_kmh: 1 } },
    }),
  },
  {
    operationId: "createStockpile",
    writes: ["stockpiles.insert"],
    prepare: async () => ({ url: STOCKPILES, body: newStockpile() }),
  },
  {
    operationId: "measureStockpile",
    writes: ["jobs.add"],
    async prepare(t) {
      const { id } = await storeStockpile(t, { id: fresh() as never, project_id: P1 });
      return { url: `${STOCKPILES}/${id}/measure`, body: { images: photographs(5) } };
    },
  },
  {
    operationId: "createCapture",
    writes: ["captures.insert", "jobs.add"],
    prepare: async () => ({
      url: CAPTURES,
      body: { project_id: P1, capture_type: "drone", images: photographs(6) },
    }),
  },
  {
    operationId: "createSurvey",
    writes: ["captures.insert", "jobs.add"],
    prepare: async () => ({
      url: `${API}/surveys`,
      body: { project_id: P1, images: photographs(6) },
    }),
  },
  {
    operationId: "createZone",
    writes: ["workZones.insert"],
    prepare: async () => ({ url: ZONES, body: newZone() }),
  },
  {
    operationId: "createObservation",
    writes: ["workZones.addObservation", "siteCameras.addLabel"],
    prepare: async (t) => ({
      url: `${ZONES}/z1/observations`,
      body: { progress: 40, capture_id: await seen(t, "z1") },
    }),
  },
  {
    operationId: "createCamera",
    writes: ["siteCameras.insert"],
    prepare: async (t) => ({
      url: CAMERAS,
      body: newCamera(await uploaded(t, scene, { progress: 0 }), scene),
    }),
  },
  {
    operationId: "createCalibration",
    writes: ["siteCameras.addLabel"],
    prepare: async (t) => ({
      url: `${ZONES}/z1/calibrations`,
      body: { progress: 40, capture_id: await seen(t, "z1") },
    }),
  },
  {
    operationId: "createCalibration",
    writes: ["jobs.add"],
    prepare: async () => ({
      url: `${ZONES}/z2/calibrations`,
      body: { stage: "paint", image_url: `https://site.example/${randomUUID()}.jpg` },
    }),
  },
  {
    operationId: "correctReport",
    writes: ["progressReports.correct"],
    async prepare(t) {
      const id = `rpt_${fresh()}`;
      const captureId = `cap_${fresh()}`;
      const z1 = workZone("z1");
      await t.records.captures.insert(capture(captureId, { project_id: P1 }));
      const zone = {
        ...{ zone_id: z1.id, name: "Zone", progress: 40, status: "in_progress" as const },
        ...{ method: "manual" as const, interval_95: null, observed_fraction: 1 },
        ...{ raw_progress: 40, as_of: "2026-03-05T09:30:00.000Z", planned: 50, weight: 1 },
        ...{ regression_suspected: false, no_estimate: null, notes: [], evidence: {} },
      };
      const full = report(id, {
        ...{ project_id: P1, capture_id: captureId as never, total_zones: 1, zones: [zone] },
        capture_date: "2026-03-05T09:30:00.000Z",
        progress_percentage: 40,
      });
      t.records.rows.reports.push({ report: full, supersededBy: undefined });
      return {
        url: `${API}/progress/reports/${id}/corrections`,
        body: { zones: [{ zone_id: "z1", progress: 60 }] },
      };
    },
  },
];

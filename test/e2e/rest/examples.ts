import { MARKER } from "./placeholders.ts";

const own = (param: string, pick = 0) => ({ $id: param, pick, whose: "own" });
const project_id = own("project_id");
const SQUARE = [
  [52.1995, 20.9995],
  [52.1995, 21.0005],
  [52.2005, 21.0005],
  [52.2005, 20.9995],
];
const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const MAPPING = {
  readings: "/data",
  time: { pointer: "/ts", unit: "s" },
  fields: { speed_kmh: { pointer: "/v", unit: "m/s" }, boom_angle: { pointer: "/p/0" } },
};

/**
 * Bodies by operation whose rules are given in words only, so that values made by the schemas alone would
 * hardly ever pass. They are sent as they are, and mutated.
 */
export const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  createForwarder: [
    {
      kind: "mqtt",
      url: "mqtt://host.invalid:1883",
      name: `${MARKER} f`,
      project_ids: [project_id],
      topic: "x/{project}/{asset}",
    },
    { kind: "traccar_http", url: "https://host.invalid/", project_ids: [project_id] },
  ],
  updateForwarder: [{ status: "disabled" }, { name: `${MARKER} g` }],
  createWebhook: [{ url: "https://host.invalid/w", types: ["*"], project_ids: [project_id] }],
  createStockpile: [
    { project_id, material: "gravel", location: `${MARKER} east`, max_capacity_m3: 50 },
    {
      project_id,
      material: "sand",
      location: "west",
      max_capacity_m3: 500,
      footprint: SQUARE,
      geofence_id: own("geofence_id"),
      base: { method: "level", height_m: 1 },
    },
  ],
  createObservation: [
    { progress: 40, observed_at: ago(3) },
    { progress: 0, interval_95: [0, 5] },
    { progress: 60, image_url: own("image_url") },
  ],
  updateGeofence: [{ name: `${MARKER} pit, deeper` }],
  createGeofence: [{ project_id, name: `${MARKER} pit`, polygon: SQUARE }],
  createZone: [
    { project_id, name: `${MARKER} z`, metric: { kind: "fill" }, polygon: SQUARE },
    { project_id, name: "flat", metric: { kind: "manual" } },
  ],
  createCamera: [
    {
      project_id,
      name: `${MARKER} camera`,
      reference_image: own("image_url"),
      zones: [
        {
          zone_id: own("zone_id"),
          outline: [
            [0.1, 0.1],
            [0.9, 0.1],
            [0.5, 0.9],
          ],
        },
      ],
    },
  ],
  createCalibration: [
    { image_url: own("image_url"), camera_id: own("camera_id"), progress: 50, taken_at: ago(5) },
  ],
  createCapture: [
    { project_id, capture_type: "manual", images: ["https://host.invalid/1.jpg"] },
    { project_id, capture_type: "drone", images: ["https://host.invalid/1.jpg"] },
  ],
  createSurvey: [{ project_id, images: ["https://host.invalid/1.jpg"] }],
  correctReport: [{ zones: [{ zone_id: own("zone_id"), progress: 30 }], note: MARKER }],
  recordService: [{ item: "oil" }, { item: "oil", serviced_at: ago(9), engine_hours: 900 }],
  putMapping: [MAPPING],
  dryRunPayload: [
    { decoder: "plumbline", payload: { timestamp: ago(1), speed_kmh: 3 } },
    { decoder: "mapping", mapping: MAPPING, payload: { data: [{ ts: 1_790_000_000, v: 2 }] } },
    {
      decoder: "nmea",
      payload_text: "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,,*XX",
    },
    { decoder: "teltonika", payload_base64: "AAAA" },
  ],
  putAssetMaintenancePlan: [{ services: [{ item: "oil", name: "Oil", every_hours: 500 }] }],
  putTypeMaintenancePlan: [{ services: [{ item: "oil", name: "Oil", every_hours: 100 }] }],
  putZoneSurface: [{ height_m: 4, reference: "survey" }, { height_m: 1 }],
  createFleetSource: [
    {
      name: `${MARKER} maker`,
      url: "https://host.invalid/iso",
      auth: { kind: "basic", username: "u", password: "p" },
    },
  ],
  createAlertMute: [
    {
      asset_id: own("asset_id"),
      type: "equipment.limit.exceeded",
      until: ago(-1),
      note: MARKER,
    },
    { asset_id: own("asset_id"), type: "equipment.project.outage", until: "2000-01-01T00:00:00Z" },
  ],
  previewGeofence: [{ project_id, polygon: SQUARE }],
  createCommand: [{ name: "reboot" }],
  acknowledgeAlerts: [{ filter: { project_id }, note: MARKER }, { alert_ids: ["x1"] }],
  acknowledgeAlert: [{ note: MARKER }, {}],
  measureStockpile: [
    { images: Array.from({ length: 5 }, (_, i) => `https://host.invalid/${i}.jpg`) },
  ],
};

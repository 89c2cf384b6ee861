import { describe, expect, it } from "vitest";
import type {
  AssetId,
  GeofenceId,
  JobId,
  MeasurementId,
  ProjectId,
  StockpileId,
  VisitId,
} from "../../domain/ids.ts";
import { measureJob } from "../../processing/measurement/measure-request.ts";
import { newCommand } from "../contracts/records/commands.ts";
import {
  camera,
  capture,
  observation,
  report,
  workZone,
  zoneId,
} from "../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../support/api-app.ts";
import { inlined } from "../support/inlined-api.ts";
import { putAlert } from "../support/put-alert.ts";
import { sampleMeasurement, sampleStockpile } from "../support/sample-stockpile.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly responses: Readonly<Record<string, { description: string; content?: object }>>;
}

/** Every route that the app serves, from its own description; the pages at /docs are not in it. */
function operationsOf(t: TestApp): readonly Operation[] {
  const document: { paths: Record<string, Record<string, Operation>> } = inlined(
    JSON.parse(JSON.stringify(t.app.swagger())),
  );
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase() as Method,
    })),
  );
}

function call(
  t: TestApp,
  { method, path, operationId }: Operation,
  key: string | undefined,
  id = "absent",
) {
  // A tile's place is checked before anything is looked for.
  const url = path
    .replace("{layer}", "orthophoto")
    .replace("{z}/{x}/{tile}", "0/0/0.webp")
    .replaceAll(/\{[^}]+\}/g, id)
    .concat(QUERIES[operationId] ?? "");
  // The routes of ISO 15143-3 answer in XML unless asked.
  const accept = { accept: "application/json" };
  if (method === "GET") return t.get(url, key, accept);
  return t.send(method, url, key, BODIES[operationId] ?? {}, accept);
}

/** Queries of the routes that cannot be asked without. */
const QUERIES: Readonly<Record<string, string>> = {
  getSurveyHeight: "?at=52.5,13.4",
  getSurveyProfile: "?from=52.5,13.4&to=52.5001,13.4",
};

const PILE = [
  [52.52, 13.405],
  [52.52, 13.4052],
  [52.52014, 13.4052],
];

/** Valid bodies of the routes that check their body first. */
const BODIES: Readonly<Record<string, object>> = {
  acknowledgeAlerts: { alert_ids: ["absent"] },
  createAlertMute: {
    asset_id: "absent",
    type: "equipment.limit.exceeded",
    until: new Date(NOON_MS + 3_600_000).toISOString(),
  },
  createCommand: { name: "reboot" },
  correctReport: { zones: [{ zone_id: "z1", progress: 50 }] },
  measureStockpile: { images: ["1", "2", "3", "4", "5"].map((i) => `https://site.example/${i}`) },
  measureSurveyVolume: { footprint: PILE },
  previewStockpileVolume: { footprint: PILE },
  recordService: { item: "oil" },
};

const isPublic = (operation: Operation) => operation.security?.length === 0;
const isOfDevices = ({ operationId }: Operation) => OF_DEVICES.includes(operationId);

/** The operation ids of all routes, sorted. */
const ROUTES = [
  "acknowledgeAlert",
  "acknowledgeAlerts",
  "authenticateMqtt",
  "authorizeMqtt",
  "cancelCapture",
  "cancelCommand",
  "cancelJob",
  "continueUpload",
  "correctReport",
  "createAlertMute",
  "createAsset",
  "createCalibration",
  "createCamera",
  "createCapture",
  "createCommand",
  "createFleetSource",
  "createForwarder",
  "createGeofence",
  "createKey",
  "createObservation",
  "createProject",
  "createSession",
  "createStockpile",
  "createSurvey",
  "createUpload",
  "createWebhook",
  "createZone",
  "deleteAlertMute",
  "deleteAsset",
  "deleteAssetMaintenancePlan",
  "deleteCalibration",
  "deleteCamera",
  "deleteFleetSource",
  "deleteForwarder",
  "deleteGeofence",
  "deleteMapping",
  "deleteOwnSession",
  "deleteProject",
  "deleteProjectLogo",
  "deleteSession",
  "deleteStockpile",
  "deleteSurvey",
  "deleteTypeMaintenancePlan",
  "deleteUpload",
  "deleteWebhook",
  "deleteZone",
  "deleteZoneSurface",
  "dryRunPayload",
  "dryRunSchedule",
  "getAlert",
  "getAsset",
  "getAssetLocation",
  "getAssetMaintenance",
  "getAssetMaintenancePlan",
  "getAssetTelemetry",
  "getAssetUtilization",
  "getBackup",
  "getCamera",
  "getCapture",
  "getCommand",
  "getConsoleConfig",
  "getFleetSource",
  "getFleetUtilization",
  "getForwarder",
  "getGeofence",
  "getIsoEquipment",
  "getIsoFleet",
  "getIsoTimeSeries",
  "getJob",
  "getKey",
  "getLiveness",
  "getMapping",
  "getMeasurement",
  "getMeasurementProfile",
  "getMeasurementReport",
  "getMetrics",
  "getOpenApi",
  "getOverview",
  "getOwnKey",
  "getOwnSession",
  "getPlannedProgress",
  "getProgressCurve",
  "getProject",
  "getProjectLogo",
  "getProjectStorage",
  "getReadiness",
  "getReport",
  "getReportChanges",
  "getReportPage",
  "getSchedule",
  "getService",
  "getStockpile",
  "getSurvey",
  "getSurveyChangeTile",
  "getSurveyHeight",
  "getSurveyPile",
  "getSurveyPoints",
  "getSurveyProfile",
  "getSurveyTile",
  "getTracks",
  "getTypeMaintenancePlan",
  "getUpload",
  "getWebhook",
  "getZone",
  "importGeofences",
  "ingestMessages",
  "listAlertMutes",
  "listAlerts",
  "listAssetConnections",
  "listAssetMessages",
  "listAssets",
  "listCalibrations",
  "listCameras",
  "listCaptures",
  "listCommands",
  "listEvents",
  "listFleetSources",
  "listForwarders",
  "listGeofenceVisits",
  "listGeofences",
  "listJobs",
  "listKeys",
  "listLabelRequests",
  "listMappings",
  "listMeasurements",
  "listObservations",
  "listProjects",
  "listQuarantine",
  "listReports",
  "listScheduleRevisions",
  "listServices",
  "listSessions",
  "listStockpiles",
  "listSurveys",
  "listUnknownConnections",
  "listVisits",
  "listWebhookDeliveries",
  "listWebhooks",
  "listZones",
  "measureStockpile",
  "measureSurveyVolume",
  "pollFleetSource",
  "previewGeofence",
  "previewStockpileVolume",
  "putAssetMaintenancePlan",
  "putMapping",
  "putProjectLogo",
  "putSchedule",
  "putTypeMaintenancePlan",
  "putZoneSurface",
  "reconcileStockpile",
  "recordService",
  "replayQuarantined",
  "replayWebhook",
  "replayWebhookDelivery",
  "revokeKey",
  "rotateAssetCredentials",
  "rotateWebhookSecret",
  "setProjectStorage",
  "streamEvents",
  "streamLive",
  "testWebhook",
  "updateAsset",
  "updateCamera",
  "updateFleetSource",
  "updateForwarder",
  "updateGeofence",
  "updateKey",
  "updateProject",
  "updateStockpile",
  "updateWebhook",
  "updateZone",
  "uploadImages",
];

/** Need no key; the log-in has it in its body. */
const PUBLIC = ["createSession", "getLiveness", "getMetrics", "getOpenApi", "getReadiness"];

/** Need the id and secret of an asset; test/api/ingest/ingest.test.ts has their refusals. */
const OF_DEVICES = ["ingestMessages"];

/** Open to every valid key, whatever its scopes. */
const ANY_KEY = [
  "deleteOwnSession",
  "getConsoleConfig",
  "getOwnKey",
  "getOwnSession",
  "getProject",
  "getProjectLogo",
  "getProjectStorage",
  "listProjects",
];

describe("the description of the API", () => {
  it("the description of the API lists every route that is served", async () => {
    await using t = await openTestApp();
    const ids = operationsOf(t).map((operation) => operation.operationId);
    expect(ids.toSorted()).toEqual(ROUTES);
  });

  it("the description of the API names, tags and documents every route with its answers and failures", async () => {
    await using t = await openTestApp();
    for (const operation of operationsOf(t)) {
      const { operationId, tags, summary, responses } = operation;
      const successes = Object.keys(responses).filter((status) => status.startsWith("2"));
      expect({ operationId, tags: tags.length, successes: successes.length }).toEqual({
        operationId: expect.stringMatching(/^[a-z]+[A-Za-z]+$/),
        tags: 1,
        // One that may be asked not to wait has two.
        successes: operationId === "measureStockpile" ? 2 : 1,
      });
      expect(summary).not.toBe("");
      const [success = ""] = successes;
      const hasBody = responses[success]?.content !== undefined;
      expect({ operationId, hasBody }).toEqual({ operationId, hasBody: success !== "204" });
      const failures = isPublic(operation) ? [] : ["400", "401", "403", "404", "429", "500"];
      for (const status of failures) {
        expect({ operationId, status, schema: JSON.stringify(responses[status]) }).toEqual({
          operationId,
          status,
          schema: expect.stringContaining("Also in the X-Request-Id header"),
        });
      }
    }
  });

  it("the description of the API documents only the contract's statuses for the contract's endpoints", async () => {
    await using t = await openTestApp();
    const successes = {
      listAssets: "200",
      getAssetLocation: "200",
      createGeofence: "201",
      listStockpiles: "200",
      measureStockpile: "200",
      createCapture: "201",
      listReports: "200",
      getReport: "200",
    };
    for (const [operationId, success] of Object.entries(successes)) {
      const operation = operationsOf(t).find((found) => found.operationId === operationId);
      const failures = ["400", "401", "403", "404", "429", "500"];
      // A client that sends If-None-Match asked for 304.
      const unchanged = ["getReport", "listAssets"].includes(operationId) ? ["304"] : [];
      const statuses = Object.keys(operation?.responses ?? {});
      // Only who asks for it by a header of its own gets it.
      const unwaited = operationId === "measureStockpile" ? ["202"] : [];
      expect(statuses).toEqual([success, ...unwaited, ...unchanged, ...failures]);
    }
  });

  it("the description of the API is OpenAPI 3.1 with the bearer scheme, and its pages need no other host", async () => {
    await using t = await openTestApp();
    const document = (await t.get("/openapi.json", undefined)).json();
    expect(document.openapi).toBe("3.1.0");
    expect(document.components.securitySchemes).toMatchObject({ bearer: { scheme: "bearer" } });
    expect(Object.keys(document.components.schemas)).toContain("Error");
    const page = await t.get("/docs", undefined);
    expect(page.statusCode).toBe(200);
    const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
    expect(sources.length).toBeGreaterThan(3);
    expect(sources.filter((source) => /^(https?:)?\/\//.test(source ?? ""))).toEqual([]);
  });
});

describe("the order of refusal", () => {
  it("the API answers 401 on every route that is not public, before anything else", async () => {
    await using t = await openTestApp();
    let closed = 0;
    for (const operation of operationsOf(t)) {
      if (isOfDevices(operation)) continue;
      const response = await call(t, operation, undefined);
      if (isPublic(operation)) {
        const status = operation.operationId === "createSession" ? 400 : 200;
        expect([operation.operationId, response.statusCode]).toEqual([
          operation.operationId,
          status,
        ]);
        continue;
      }
      closed += 1;
      expect([operation.operationId, response.statusCode]).toEqual([operation.operationId, 401]);
      const schemes = operation.path.startsWith("/iso15143-3/")
        ? ['Basic realm="Plumbline", charset="UTF-8"', "Bearer"]
        : "Bearer";
      expect(response.headers["www-authenticate"]).toEqual(schemes);
      expect(response.json()).toEqual({
        error: {
          code: "unauthorized",
          message: "Invalid API key",
          request_id: response.headers["x-request-id"],
        },
      });
    }
    expect(closed).toBe(ROUTES.length - PUBLIC.length - OF_DEVICES.length);
  });

  it("a key without the scope is answered 403 before the body and the resource are checked", async () => {
    await using t = await openTestApp();
    const key = await t.key({ scopes: [] });
    let closed = 0;
    for (const operation of operationsOf(t)) {
      if (isPublic(operation) || isOfDevices(operation)) continue;
      if (ANY_KEY.includes(operation.operationId)) continue;
      const response = await call(t, operation, key);
      closed += 1;
      expect([operation.operationId, response.statusCode]).toEqual([operation.operationId, 403]);
      expect(response.json().error.code).toBe("forbidden");
    }
    const others = PUBLIC.length + OF_DEVICES.length + ANY_KEY.length;
    expect(closed).toBe(ROUTES.length - others);
  });

  it("the API does not let a read key write, nor an equipment key manage keys", async () => {
    await using t = await openTestApp();
    const reader = await t.key({ scopes: ["equipment:read"] });
    const writer = await t.key({ scopes: ["equipment:write"] });
    const written = await t.send("POST", "/api/v1/equipment/assets", reader, {});
    const keyMade = await t.send("POST", "/api/v1/keys", writer, {});
    const read = await t.get("/api/v1/equipment/assets", writer);
    expect([written.statusCode, keyMade.statusCode, read.statusCode]).toEqual([403, 403, 403]);
  });

  it("the API keeps projects and keys from an admin key that is limited to some projects", async () => {
    await using t = await openTestApp();
    const mine = await t.project();
    const key = await t.key({ scopes: ["admin"], project_ids: [mine] });
    const made = await t.send("POST", "/api/v1/keys", key, { name: "x", scopes: ["admin"] });
    const assets = await t.get("/api/v1/equipment/assets", key);
    expect([made.statusCode, assets.statusCode]).toEqual([403, 200]);
  });

  it.each([
    ["no scheme", ADMIN_KEY],
    ["another scheme", `Basic ${ADMIN_KEY}`],
    ["an empty key", "Bearer "],
    ["one wrong character", `Bearer ${ADMIN_KEY.slice(0, -1)}X`],
    ["a key of our form that does not exist", `Bearer plb_live_${"a".repeat(36)}`],
  ])("the API refuses %s with 401", async (_name, authorization) => {
    await using t = await openTestApp();
    const response = await t.get("/api/v1/equipment/assets", undefined, { authorization });
    expect(response.statusCode).toBe(401);
  });

  it("the API takes the scheme in any case", async () => {
    await using t = await openTestApp();
    const authorization = `bearer ${ADMIN_KEY}`;
    const response = await t.get("/api/v1/equipment/assets", undefined, { authorization });
    expect(response.statusCode).toBe(200);
  });

  it("the API answers an unknown route with 401, then 404, whatever the method", async () => {
    await using t = await openTestApp();
    const statuses: number[] = [];
    for (const key of [undefined, ADMIN_KEY]) {
      statuses.push((await t.get("/api/v1/nothing", key)).statusCode);
      statuses.push((await t.send("POST", "/api/v1/equipment/assets/x/location", key)).statusCode);
      statuses.push((await t.get(`/api/v1/equipment/assets/${"x".repeat(200)}`, key)).statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 404, 404, 404]);
  });

  it("the API answers a path that cannot be decoded with 401, then 400", async () => {
    await using t = await openTestApp();
    const without = await t.get("/api/v1/equipment/assets/%ff%", undefined);
    const response = await t.get("/api/v1/equipment/assets/%ff%", ADMIN_KEY);
    expect([without.statusCode, response.statusCode]).toEqual([401, 400]);
    expect(response.json().error.code).toBe("invalid_request");
    expect(response.headers["x-ratelimit-limit"]).toBe("10000");
  });
});

describe("another tenant", () => {
  const TRIANGLE = [
    [53, 9],
    [53, 9.1],
    [53.1, 9],
  ];

  const AREAS = ["equipment", "materials", "progress"] as const;

  /** Ours sees `ours` only; everything of theirs says "theirs". */
  async function tenants(t: TestApp) {
    const ours = await t.project({ id: "ours" as ProjectId });
    const theirs = await t.project({ id: "theirs" as ProjectId, name: "theirs" });
    const own = await t.asset({ project_id: ours });
    await t.asset({ project_id: theirs, id: "theirs-1" as AssetId, name: "theirs" });
    t.records.rows.quarantine.push({
      id: "theirs-1",
      assetId: "theirs-1" as AssetId,
      projectId: theirs,
      receivedAtMs: NOON_MS,
      topic: "sites/theirs/assets/theirs-1/telemetry",
      format: "telemetry",
      reason: "theirs",
      payload: Buffer.from("theirs"),
      replayedAtMs: undefined,
    });
    const fence = { id: "theirs-1", name: "theirs", project_id: theirs, polygon: TRIANGLE };
    await t.send("POST", "/api/v1/equipment/geofences", ADMIN_KEY, fence);
    const assetId = "theirs-1" as AssetId;
    const silent = { type: "equipment.asset.silent", severity: "critical" as const };
    putAlert(t, "theirs-1", { ...silent, projectId: theirs, assetId, message: "theirs" });
    const location = { latitude: 53, longitude: 9 };
    t.records.rows.visits.set("theirs-1" as VisitId, {
      id: "theirs-1" as VisitId,
      assetId,
      projectId: theirs,
      geofenceId: "theirs-1" as GeofenceId,
      ordinal: 0,
      entered: { atMs: NOON_MS, location, accuracyM: 2.5, cause: "crossing" },
      exited: undefined,
      inferred: false,
      withdrawn: false,
      published: {
        entered: 1,
        exited: 0,
        exitWithdrawn: false,
        enterAlerted: false,
        exitAlerted: false,
      },
    });
    const stockpile = sampleStockpile({
      id: "theirs-1" as StockpileId,
      project_id: theirs,
      location: "theirs",
    });
    await t.records.stockpiles.insert(stockpile);
    await t.records.stockpiles.addMeasurement(stockpile.id, "theirs-1" as JobId, (before) => ({
      stockpile: before,
      measurement: {
        ...sampleMeasurement(before, "theirs-1" as JobId),
        id: "theirs-1" as MeasurementId,
      },
      events: [],
    }));
    await t.records.jobs.add({
      ...measureJob(stockpile, { images: ["theirs"], requestedAtMs: NOON_MS }),
      id: "theirs-1" as JobId,
    });
    await t.records.workZones.insert(workZone("theirs-1", { project_id: theirs, name: "theirs" }));
    await t.records.workZones.addObservation(
      observation("theirs-1", { zone_id: zoneId("theirs-1"), note: "theirs" }),
    );
    await t.records.siteCameras.insert(camera("theirs-1", { project_id: theirs, name: "theirs" }));
    await t.records.captures.insert(capture("theirs-1", { project_id: theirs, images_count: 7 }));
    t.records.rows.reports.push({
      report: report("theirs-1", { project_id: theirs }),
      supersededBy: undefined,
    });
    const key = await t.key({
      scopes: [
        ...AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
        "equipment:command",
      ],
      project_ids: [ours],
    });
    await t.records.commands.insert(
      newCommand("theirs-1", { assetId, projectId: theirs, name: "theirs" }),
    );
    return { key, own };
  }

  it("another tenant's resource is not found on every route that takes an id", async () => {
    await using t = await openTestApp();
    const { key } = await tenants(t);
    let checked = 0;
    for (const operation of operationsOf(t)) {
      if (!operation.path.includes("{") || isOfDevices(operation)) continue;
      const id = operation.path.includes("{project_id}") ? "theirs" : "theirs-1";
      const foreign = await call(t, operation, key, id);
      const absent = await call(t, operation, key, "absent");
      checked += 1;
      const expected = foreign.statusCode === 403 ? 403 : 404;
      const withoutId = (text: string) => text.replaceAll(/req_[\w-]+/g, "");
      expect([operation.operationId, foreign.statusCode]).toEqual([
        operation.operationId,
        expected,
      ]);
      expect(withoutId(foreign.body)).toBe(withoutId(absent.body));
      expect(foreign.body).not.toContain("theirs");
    }
    expect(checked).toBe(112);
    expect(t.replayed).toEqual([]);
  });

  it("another tenant's data is in no list", async () => {
    await using t = await openTestApp();
    const { key, own } = await tenants(t);
    const assets = await t.get("/api/v1/equipment/assets", key);
    const projects = await t.get("/api/v1/projects", key);
    const paged = await Promise.all(
      ["quarantine", "geofences", "visits", "alerts"]
        .map((list) => `equipment/${list}`)
        .concat("progress/captures", "progress/zones")
        .map((list) => t.get(`/api/v1/${list}`, key)),
    );
    expect(assets.json().data).toMatchObject([{ id: own }]);
    expect(projects.json().data).toMatchObject([{ id: "ours" }]);
    for (const response of paged) {
      expect(response.json()).toMatchObject({ data: [], pagination: { total: 0 } });
    }
    for (const response of [assets, projects, ...paged]) {
      expect(response.body).not.toContain("theirs");
    }
  });

  it("another tenant's data cannot be reached through a query or a body", async () => {
    await using t = await openTestApp();
    const { key, own } = await tenants(t);
    const asset = { name: "x", type: "van", project_id: "theirs" };
    const fence = { name: "x", project_id: "theirs", polygon: TRIANGLE };
    const pile = {
      material: "Sand",
      location: "x",
      max_capacity_m3: 1,
      project_id: "theirs",
    };
    const zone = { name: "x", project_id: "theirs", metric: { kind: "manual" } };
    const answers = [
      await t.get("/api/v1/equipment/assets?project_id=theirs", key),
      await t.get("/api/v1/equipment/quarantine?asset_id=theirs-1", key),
      await t.send("POST", "/api/v1/equipment/assets", key, asset),
      await t.send("PATCH", `/api/v1/equipment/assets/${own}`, key, { project_id: "theirs" }),
      await t.get("/api/v1/equipment/geofences?project_id=theirs", key),
      await t.get("/api/v1/equipment/visits?project_id=theirs", key),
      await t.get("/api/v1/equipment/alerts?project_id=theirs", key),
      await t.get("/api/v1/materials/stockpiles?project_id=theirs", key),
      await t.get("/api/v1/progress/captures?project_id=theirs", key),
      await t.get("/api/v1/progress/zones?project_id=theirs", key),
      await t.get("/api/v1/progress/reports?project_id=theirs", key),
      await t.send("POST", "/api/v1/materials/stockpiles", key, pile),
      await t.send("POST", "/api/v1/equipment/geofences", key, fence),
      await t.send("POST", "/api/v1/progress/zones", key, zone),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 404));
    expect(answers.map((answer) => answer.json().error.message)).toEqual(
      answers.map(() => "Not found"),
    );
  });
});

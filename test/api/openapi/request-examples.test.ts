import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type ApiDocument,
  type DescribedContent,
  operationsOf,
} from "../../../api/openapi/document.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { createAddressRules } from "../../../outbound/address-rules.ts";
import { openOutboundClient } from "../../../outbound/client.ts";
import { createMqttSockets } from "../../../outbound/mqtt-address.ts";
import { FLEET_DEFAULTS } from "../../../simulators/fleet/options.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { cameraScene } from "../../support/camera-scene.ts";
import { uploaded } from "../../support/camera-site.ts";
import { startMeasuring } from "../../support/measuring.ts";
import { POST_ROUTES, preparePostSite, seen } from "../../support/post-routes.ts";
import { runPostTask } from "../../support/post-tasks.ts";
import { TAGGED } from "../../support/tagged-resources.ts";
import { createZone, ZONES } from "../../support/zone-site.ts";

const PROJECT = FLEET_DEFAULTS.projectId as ProjectId;
/** Take files, as a form or as their bytes, which a text cannot show. */
const FORMS = ["putProjectLogo", "uploadImages", "continueUpload"];
/** What PATCH and PUT are sent to, by the operation. */
const CHANGED: Readonly<Record<string, string>> = {
  putAssetMaintenancePlan: "plan of an asset",
  putMapping: "mapping",
  putTypeMaintenancePlan: "plan of a type",
  updateAsset: "asset",
  updateCamera: "camera",
  updateFleetSource: "fleet source",
  updateForwarder: "forwarder",
  updateGeofence: "geofence",
  updateProject: "project",
  updateStockpile: "stockpile",
  updateWebhook: "webhook",
  updateZone: "zone",
};

let t: TestApp;
let document: ApiDocument;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  // The receivers of examples are at an address for documents; nothing is sent to them.
  const use = {
    rules: createAddressRules(["127.0.0.0/8", "203.0.113.0/24"]),
    resolve: async () => ["203.0.113.7"],
  };
  const outbound = openOutboundClient(use);
  const sockets = createMqttSockets(use);
  const changed = () => undefined;
  t = await openTestApp({
    runTask: runPostTask,
    webhooks: { outbound, changed },
    fleetSources: { outbound, changed },
    forwarders: { outbound, sockets, changed },
  });
  closing.push(
    () => outbound.close(),
    () => t[Symbol.asyncDispose](),
  );
  document = (await t.app.inject("/openapi.json")).json();
  await preparePostSite(t);
  await t.project({ id: PROJECT });
  await t.asset({ id: "site-a-excavator-01" as AssetId, project_id: PROJECT });
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** The operation's path with what it needs made before. */
async function pathOf(operationId: string): Promise<string> {
  const tagged = TAGGED.find(({ name }) => name === CHANGED[operationId]);
  if (tagged !== undefined) return await tagged.make(t);
  if (operationId === "createSession") return "/api/v1/session";
  if (operationId === "updateKey") return await keyPath();
  if (operationId === "setProjectStorage") return "/api/v1/projects/p1/storage";
  if (operationId === "putSchedule") return "/api/v1/progress/projects/p1/schedule";
  if (operationId === "dryRunSchedule") return `${await pathOf("putSchedule")}?dry_run=true`;
  if (operationId === "putZoneSurface") {
    return `${ZONES}/${(await createZone(t)).id}/surfaces/baseline`;
  }
  if (operationId === "createCalibration") await seen(t, "z1", "cap_1");
  const route = POST_ROUTES.find((one) => one.operationId === operationId);
  if (route === undefined) throw new Error(`${operationId} is not prepared`);
  return (await route.prepare(t)).url;
}

/** Not among the tagged resources: a key is revoked and stays, where they are removed. */
async function keyPath(): Promise<string> {
  const made = await t.send("POST", "/api/v1/keys", ADMIN_KEY, { name: "x", scopes: ["admin"] });
  return `/api/v1/keys/${made.json().id}`;
}

interface Shown {
  readonly operationId: string;
  readonly method: "POST" | "PUT" | "PATCH";
  readonly type: string;
  readonly content: DescribedContent;
}

/** Every body that is shown. */
const shown = (): readonly Shown[] =>
  Object.values(document.paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody }]) =>
      Object.entries(requestBody?.content ?? {}).flatMap(([type, content]) =>
        content["example"] === undefined
          ? []
          : [{ operationId, method: method.toUpperCase() as Shown["method"], type, content }],
      ),
    ),
  );

it("every operation that takes a body shows one", () => {
  const taking = operationsOf(document)
    .filter(({ requestBody }) => requestBody !== undefined)
    .map(({ operationId }) => operationId);
  expect(shown().map(({ operationId }) => operationId)).toEqual(
    taking.filter((id) => !FORMS.includes(id)),
  );
  const replacing = Object.values(document.paths).flatMap(({ put, patch }) => [put, patch]);
  expect(replacing.filter((one) => one !== undefined && !taking.includes(one.operationId))).toEqual(
    [],
  );
});

it("every body is accepted as it is shown, where there is what it names", async () => {
  await using _worker = startMeasuring(t);
  for (const { operationId, method, type, content } of shown()) {
    const url = await pathOf(operationId);
    const example = content["example"];
    // The address of an upload is signed by the service that has it.
    const reference_image =
      operationId === "createCamera" ? await uploaded(t, cameraScene(3), { progress: 0 }) : "";
    const named = reference_image === "" ? example : { ...(example as object), reference_image };
    // Nobody has the key that is shown.
    const body = operationId === "createSession" ? { key: ADMIN_KEY } : named;
    const answer = await t.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": type },
      payload: typeof body === "string" ? body : JSON.stringify(body),
    });
    expect([operationId, answer.statusCode, answer.statusCode < 300 ? "" : answer.body]).toEqual([
      operationId,
      expect.toSatisfy((status: number) => status >= 200 && status < 300),
      "",
    ]);
    expect([operationId, answer.headers["x-ignored-fields"]]).toEqual([operationId, undefined]);
  }
});

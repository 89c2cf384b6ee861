import type { AssetId } from "../../domain/ids.ts";
import { ADMIN_KEY, type TestApp } from "./api-app.ts";
import { POST_ROUTES } from "./post-routes.ts";

/** A kind of single resources whose answers have an entity tag, and which can be changed. */
export interface TaggedResource {
  readonly name: string;
  /** Makes one, and yields its path. */
  make(t: TestApp): Promise<string>;
  readonly method: "PATCH" | "PUT";
  /** A body that changes it; another one for each number. */
  change(n: number): object;
}

const EQUIPMENT = "/api/v1/equipment";
const named = (n: number) => ({ name: `Name ${n}` });

/** What POST makes, by the name of its operation. */
function created(operationId: string): (t: TestApp) => Promise<string> {
  return async (t) => {
    const route = POST_ROUTES.find((one) => one.operationId === operationId);
    if (route === undefined) throw new Error(`no route ${operationId}`);
    const { url, body } = await route.prepare(t);
    const answer = await t.send("POST", url, ADMIN_KEY, body);
    if (answer.statusCode !== 201) throw new Error(answer.body);
    return String(answer.headers.location);
  };
}

const plan = (n: number) => ({ services: [{ item: "oil", name: "Oil", every_hours: 100 + n }] });
const mapping = (n: number) => ({ fields: { speed_kmh: { pointer: `/v${n}` } } });

function put(path: string, body: object): (t: TestApp) => Promise<string> {
  return async (t) => {
    const answer = await t.send("PUT", path, ADMIN_KEY, body);
    if (answer.statusCode >= 300) throw new Error(answer.body);
    return path;
  };
}

/** All of them. Those that are made by POST need the site of `preparePostSite`. */
export const TAGGED: readonly TaggedResource[] = [
  { name: "project", make: created("createProject"), method: "PATCH", change: named },
  { name: "webhook", make: created("createWebhook"), method: "PATCH", change: named },
  { name: "forwarder", make: created("createForwarder"), method: "PATCH", change: named },
  { name: "fleet source", make: created("createFleetSource"), method: "PATCH", change: named },
  { name: "asset", make: created("createAsset"), method: "PATCH", change: named },
  { name: "geofence", make: created("createGeofence"), method: "PATCH", change: named },
  { name: "zone", make: created("createZone"), method: "PATCH", change: named },
  { name: "camera", make: created("createCamera"), method: "PATCH", change: named },
  {
    name: "stockpile",
    make: created("createStockpile"),
    method: "PATCH",
    change: (n) => ({ location: `Bay ${n}` }),
  },
  {
    name: "mapping",
    make: put(`${EQUIPMENT}/mappings/crane`, mapping(0)),
    method: "PUT",
    change: mapping,
  },
  {
    name: "plan of an asset",
    async make(t) {
      const id = await t.asset({ project_id: "p1" as never, type: "crane" });
      return await put(`${EQUIPMENT}/assets/${id as AssetId}/maintenance-plan`, plan(0))(t);
    },
    method: "PUT",
    change: plan,
  },
  {
    name: "plan of a type",
    make: put(`${EQUIPMENT}/projects/p1/maintenance-plans/crane`, plan(0)),
    method: "PUT",
    change: plan,
  },
];

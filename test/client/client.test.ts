import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import {
  type components,
  createPlumblineClient,
  type PlumblineClient,
} from "../../client/index.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../support/api-app.ts";

let t: TestApp;
let baseUrl: string;
let client: PlumblineClient;
beforeAll(async () => {
  t = await openTestApp();
  await t.project({ id: "p1" as ProjectId });
  await t.asset({ id: "a1" as AssetId, project_id: "p1" as ProjectId, name: "Excavator 7" });
  baseUrl = await t.app.listen({ port: 0, host: "127.0.0.1" });
  client = createPlumblineClient({ baseUrl, apiKey: ADMIN_KEY });
});
afterAll(() => t[Symbol.asyncDispose]());

describe("the typed client", () => {
  it("reads assets as what they are", async () => {
    const { data } = await client.GET("/api/v1/equipment/assets", {
      params: { query: { project_id: "p1", limit: 10 } },
    });
    expectTypeOf(data?.data[0]).toEqualTypeOf<components["schemas"]["Asset"] | undefined>();
    expect(data?.data.map(({ id, name, status }) => [id, name, status])).toEqual([
      ["a1", "Excavator 7", "idle"],
    ]);
    expect(data?.pagination).toEqual({ page: 1, limit: 10, total: 1, has_more: false });
  });

  it("yields a failure with its code, and throws nothing", async () => {
    const stranger = createPlumblineClient({ baseUrl, apiKey: "nobody's" });
    const { data, error, response } = await stranger.GET("/api/v1/equipment/assets");
    expect([response.status, data]).toEqual([401, undefined]);
    expectTypeOf(error).toEqualTypeOf<components["schemas"]["Error"] | undefined>();
    expect(error?.error.code).toBe("unauthorized");
  });

  it("sends bodies and headers, and reads what was made", async () => {
    const made = await client.POST("/api/v1/equipment/geofences", {
      params: { header: { "Idempotency-Key": "fence-1" } },
      body: {
        project_id: "p1",
        name: "Fuel yard",
        polygon: [
          [53.5, 9.9],
          [53.501, 9.9],
          [53.501, 9.901],
        ],
        alert_on: "both",
      },
    });
    expect(made.error).toBeUndefined();
    expect(made.response.headers.get("location")).toBe(
      `/api/v1/equipment/geofences/${made.data?.id}`,
    );
    expect(made.data).toMatchObject({ name: "Fuel yard", status: "active" });
  });

  it("writes lists of a query with commas", async () => {
    const asked: string[] = [];
    const watched = createPlumblineClient({
      baseUrl,
      apiKey: ADMIN_KEY,
      fetch: async (request) => {
        asked.push(new URL(request.url).search);
        return await fetch(request);
      },
    });
    const { response } = await watched.GET("/api/v1/equipment/assets/{asset_id}/telemetry", {
      params: { path: { asset_id: "a1" }, query: { fields: ["speed_kmh", "fuel_level_percent"] } },
    });
    expect(response.status).toBe(200);
    expect(asked).toEqual(["?fields=speed_kmh,fuel_level_percent"]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";

/** Two API processes on one record store. */
async function openPair(): Promise<readonly [TestApp, TestApp]> {
  const records = openMemoryRecords();
  const { requestCounts } = records;
  return [
    await openTestApp({ records, requestCounts }),
    await openTestApp({ records, requestCounts }),
  ];
}

// No directory polls by itself: what is known is what a request had looked up.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval"] }));
afterEach(() => void vi.useRealTimers());

describe("what another API process registered a moment ago", () => {
  it("is known at once: a project in a body, an asset in a path and in a query", async () => {
    const [first, second] = await openPair();
    await using _first = first;
    await using _second = second;
    const yard = { id: "yard", name: "Yard", location: { latitude: 52.5, longitude: 13.4 } };
    const made = await first.send("POST", "/api/v1/projects", ADMIN_KEY, yard);
    expect(made.statusCode).toBe(201);
    expect(second.directory.project("yard" as ProjectId)).toBeUndefined();
    const asset = { id: "digger", name: "Digger", type: "excavator", project_id: "yard" };
    expect(
      (await second.send("POST", "/api/v1/equipment/assets", ADMIN_KEY, asset)).statusCode,
    ).toBe(201);
    expect(first.directory.find("digger" as AssetId)).toBeUndefined();
    const path = "/api/v1/equipment/assets/digger/utilization?from=2026-03-05&to=2026-03-05";
    expect((await first.get(path, ADMIN_KEY)).statusCode).toBe(200);

    await second.send("POST", "/api/v1/equipment/assets", ADMIN_KEY, { ...asset, id: "truck" });
    const tracks =
      "/api/v1/equipment/tracks?asset_id=truck&from=2026-03-05T00:00:00Z&to=2026-03-05T01:00:00Z";
    expect((await first.get(tracks, ADMIN_KEY)).statusCode).toBe(200);
  });

  it("is not looked for where everything named is known, nor when the record store is away", async () => {
    const [first, second] = await openPair();
    await using _first = first;
    await using _second = second;
    await first.project({ id: "yard" as ProjectId });
    await first.directory.refresh();
    const refresh = vi.spyOn(first.directory, "refresh");
    expect((await first.get("/api/v1/projects/yard", ADMIN_KEY)).statusCode).toBe(200);
    expect(refresh).not.toHaveBeenCalled();
    refresh.mockRejectedValue(new Error("the record store is away"));
    expect((await first.get("/api/v1/equipment/assets/digger", ADMIN_KEY)).statusCode).toBe(404);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("stays unknown to a key of another project, in the same words", async () => {
    const [first, second] = await openPair();
    await using _first = first;
    await using _second = second;
    await first.project({ id: "yard" as ProjectId });
    await first.project({ id: "pit" as ProjectId });
    const key = await first.key({ project_ids: ["pit" as ProjectId] });
    const asset = { id: "digger", name: "Digger", type: "excavator" };
    const body = (projectId: string) => ({ ...asset, project_id: projectId });
    const others = await second.send("POST", "/api/v1/equipment/assets", key, body("yard"));
    const absent = await second.send("POST", "/api/v1/equipment/assets", key, body("nowhere"));
    const said = ({ statusCode, json }: typeof others) => {
      const { code, message, details } = json<{ error: Record<string, unknown> }>().error;
      return { statusCode, code, message, details };
    };
    expect(said(others)).toEqual(said(absent));
    expect(others.statusCode).toBe(404);
  });
});

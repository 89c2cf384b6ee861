import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trackJson } from "../../../api/equipment/assets/track.ts";
import { csvLine } from "../../../api/representations/csv.ts";
import { preferredType } from "../../../api/representations/negotiation.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { ADMIN_KEY, FIX, NOON_MS, openTestApp } from "../../support/api-app.ts";

const ASSETS = "/api/v1/equipment/assets";
const geo = { accept: "application/geo+json" };

describe("the Accept header", () => {
  it.each([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["text/csv", "text/csv"],
    ["TEXT/CSV", "text/csv"],
    ["text/*", "text/csv"],
    ["application/geo+json", "application/geo+json"],
    ["application/json;q=0.5, text/csv", "text/csv"],
    ["application/json, text/csv;q=0.9", "application/json"],
    ["text/csv;q=0", "application/json"],
    ["text/html,application/xhtml+xml,*/*;q=0.8", "application/json"],
    ["image/png", "application/json"],
    ["text/csv;q=nonsense", "application/json"],
    [";;,,q=", "application/json"],
  ])("%s asks for %s", (accept, expected) => {
    expect(preferredType(accept, ["application/geo+json", "text/csv"])).toBe(expected);
  });
});

describe("CSV", () => {
  it("CSV quotes commas, quotes and line breaks, and disarms formulas but not numbers", () => {
    const line = csvLine(["a,b", 'say "x"', "two\nlines", "=1+1", "@x", "-dash", -1.5, undefined]);
    expect(line).toBe(`"a,b","say ""x""","two\nlines",'=1+1,'@x,'-dash,-1.5,\r\n`);
  });

  it("CSV lists assets and histories", async () => {
    await using t = await openTestApp();
    const asset = await t.asset({ project_id: await t.project(), id: "a1" as AssetId });
    t.live(asset);
    const fields = { latitude: -1.25, longitude: 2 };
    const point = { assetId: asset, projectId: "p" as ProjectId, seq: -1, payloadHash: 0, fields };
    await t.telemetry.write([{ ...point, fixTimeMs: NOON_MS }], { journalId: "j", sequence: 1 });

    const list = await t.get(ASSETS, ADMIN_KEY, { accept: "text/csv" });
    const url = `${ASSETS}/a1/location?history=true`;
    const history = await t.get(url, ADMIN_KEY, { accept: "text/csv" });

    expect(list.body).toBe(
      "id,name,type,status,latitude,longitude,last_update,utilization_today,zone,location_source,connection_status,last_message_at,utilization_basis,utilization_lower,utilization_upper,utilization_seen_percent,heading,speed_kmh,accuracy_meters,last_fix_at\r\n" +
        "a1,Excavator 7,excavator,idle,53.5511,9.9937,2026-03-05T11:59:50.000Z,0,,gnss,ok,2026-03-05T11:59:50.500Z,none,,,,270,12.5,2.5,2026-03-05T11:59:50.000Z\r\n",
    );
    expect(history.body).toBe(
      "timestamp,latitude,longitude\r\n2026-03-05T12:00:00.000Z,-1.25,2\r\n",
    );
  });
});

describe("GeoJSON", () => {
  it("GeoJSON has positions as [longitude, latitude]", async () => {
    await using t = await openTestApp();
    const asset = await t.asset({ project_id: await t.project(), id: "a1" as AssetId });
    t.live(asset, { fix: { ...FIX, latitude: -33.9, longitude: 151.2 } });
    const list = await t.get(ASSETS, ADMIN_KEY, geo);
    const one = await t.get(`${ASSETS}/a1/location`, ADMIN_KEY, geo);
    expect(list.headers["content-type"]).toMatch(/^application\/geo\+json/);
    expect(list.json()).toMatchObject({
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          id: "a1",
          geometry: { type: "Point", coordinates: [151.2, -33.9] },
          properties: { name: "Excavator 7", status: "idle" },
        },
      ],
    });
    expect(one.json()).toMatchObject({
      type: "Feature",
      geometry: { type: "Point", coordinates: [151.2, -33.9] },
      properties: { asset_id: "a1", speed_kmh: 12.5, zone: { id: "", name: "" } },
    });
  });

  it.each([
    [1, "MultiPoint"],
    [3, "LineString"],
  ])("GeoJSON shows a history of %i positions as a %s with its times", async (count, type) => {
    await using t = await openTestApp();
    const asset = await t.asset({ project_id: await t.project(), id: "a1" as AssetId });
    t.live(asset);
    const points = Array.from({ length: count }, (_, i) => ({
      assetId: asset,
      projectId: "p" as ProjectId,
      fixTimeMs: NOON_MS - i,
      seq: -1,
      payloadHash: 0,
      fields: { latitude: i, longitude: 100 + i },
    }));
    await t.telemetry.write(points, { journalId: "j", sequence: 1 });
    const { features } = (await t.get(`${ASSETS}/a1/location?history=1`, ADMIN_KEY, geo)).json();
    const [, way] = features;
    expect(way.geometry.type).toBe(type);
    expect(way.geometry.coordinates[0]).toEqual([99 + count, count - 1]);
    expect(way.properties.timestamps).toHaveLength(count);
    expect(way.properties.timestamps.at(-1)).toBe("2026-03-05T12:00:00.000Z");
  });
});

describe("a track as JSON", () => {
  function parsed(timesMs: number[], latitudes: number[], longitudes: number[]) {
    const track = {
      timesMs: Float64Array.from(timesMs),
      latitudes: Float64Array.from(latitudes),
      longitudes: Float64Array.from(longitudes),
    };
    return JSON.parse(`[${Buffer.concat([...trackJson(track)])}]`);
  }

  it("reads back as exactly the same numbers and times", () => {
    const degrees = fc.oneof(
      fc.double({ min: -180, max: 180, noNaN: true }),
      // What receivers send: 1 to 9 decimals.
      fc
        .tuple(
          fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
          fc.integer({ min: 7, max: 9 }),
        )
        .map(([units, decimals]) => units / 10 ** decimals),
    );
    const timeMs = fc.integer({ min: 0, max: 4_102_444_800_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(timeMs, degrees, degrees)), (rows) => {
        const [times, latitudes, longitudes] = [0, 1, 2].map((i) => rows.map((row) => row[i] ?? 0));
        expect(parsed(times ?? [], latitudes ?? [], longitudes ?? [])).toEqual(
          rows.map(([time, latitude, longitude]) => ({
            // JSON has -0, and so has toEqual.
            latitude: latitude + 0,
            longitude: longitude + 0,
            timestamp: new Date(time).toISOString(),
          })),
        );
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    0, 5e-324, 1e-7, 1.5e-7, 0.1, 9.9999999, 10, 99.9999999, 100, 179.9999999, 180, -180,
  ])("a track as JSON writes %d so that it reads back", (value) => {
    expect(parsed([0], [value], [-value])).toMatchObject([
      { latitude: value, longitude: value === 0 ? 0 : -value },
    ]);
  });

  it("a track as JSON crosses midnight and the leap day", () => {
    const times = [
      "2024-02-28T23:59:59.999Z",
      "2024-02-29T00:00:00.000Z",
      "2024-03-01T00:00:00.001Z",
    ];
    const rows = parsed(times.map(Date.parse), [1, 2, 3], [1, 2, 3]);
    expect(rows.map((row: { timestamp: string }) => row.timestamp)).toEqual(times);
  });
});

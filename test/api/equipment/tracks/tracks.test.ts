import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TrackList } from "../../../../api/equipment/tracks/track-schemas.ts";
import type { AssetId, GeofenceId, ProjectId, VisitId } from "../../../../domain/ids.ts";
import { visit, visitEnd } from "../../../contracts/records/rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";

const TRACKS = "/api/v1/equipment/tracks";
const POSITION = { journalId: "j", sequence: 1 };
const at = (s: number) => new Date(NOON_MS - 3_600_000 + s * 1_000).toISOString();

async function write(
  t: TestApp,
  asset: string,
  rows: readonly (Readonly<Record<string, number>> & { readonly s: number })[],
): Promise<void> {
  await t.telemetry.write(
    rows.map(({ s, ...fields }) => ({
      assetId: asset as AssetId,
      projectId: "p1" as ProjectId,
      fixTimeMs: NOON_MS - 3_600_000 + s * 1_000,
      seq: -1,
      payloadHash: 0,
      fields,
    })),
    POSITION,
  );
}

/** a1 in p1: drives, is silent, stands; a2 in p2. */
let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  for (const n of ["1", "2"]) {
    await t.project({ id: `p${n}` as ProjectId });
    const name = n === "1" ? '<b>"Bagger" & Söhne\u0007</b>' : "=cmd|' /C calc'!A0";
    await t.asset({ id: `a${n}` as AssetId, project_id: `p${n}` as ProjectId, name });
  }
  await write(t, "a1", [
    { s: 0, latitude: 53.5, longitude: 9.9, speed_kmh: 36, heading: 0, accuracy_meters: 3 },
    { s: 10, latitude: 53.501, longitude: 9.9, hdop: 1.2 },
    { s: 15, latitude: 10, longitude: 10, position_mocked: 1 },
    { s: 20, latitude: 53.502, longitude: 9.9, device_time_ms: 5 },
    { s: 25, engine_rpm: 900 },
    ...Array.from({ length: 30 }, (_, i) => ({
      s: 1_000 + i * 10,
      latitude: 53.51,
      longitude: 9.9,
    })),
  ]);
  await write(t, "a2", [{ s: 0, latitude: -33, longitude: 179.9 }]);
  const end = { location: { latitude: 53.502, longitude: 9.9 } };
  const v1 = visit("v1", {
    assetId: "a1" as AssetId,
    projectId: "p1" as ProjectId,
    geofenceId: "g1" as GeofenceId,
    entered: visitEnd(NOON_MS - 3_600_000 + 20_000, end),
    exited: visitEnd(NOON_MS - 3_600_000 + 1_000_000, end),
    inferred: true,
  });
  const other = { ...v1, id: "v2" as VisitId, projectId: "p2" as ProjectId };
  for (const one of [v1, other]) t.records.rows.visits.set(one.id, one);
});
afterAll(() => t[Symbol.asyncDispose]());

const read = async (query: string, accept = "application/json", key = ADMIN_KEY) =>
  await t.get(`${TRACKS}?${query}`, key, { accept });

describe("GET /tracks", () => {
  it("GET /tracks gives pieces, gaps, stops, crossings and figures; unknown values are null", async () => {
    const key = await t.key({ project_ids: ["p1" as ProjectId] });
    const answer = await read(`asset_id=a1&from=${at(0)}&to=${at(3_600)}`, undefined, key);
    expect(answer.statusCode).toBe(200);
    const body = answer.json();
    expect(Compile(TrackList).Check(body)).toBe(true);
    const [track] = body.data;
    expect(track.pieces.map(({ points }: { points: object[] }) => points.length)).toEqual([3, 30]);
    expect(track.pieces[0].points).toEqual([
      {
        ...{ timestamp: at(0), latitude: 53.5, longitude: 9.9 },
        ...{ speed_kmh: 36, heading: 0, accuracy_meters: 3 },
      },
      {
        ...{ timestamp: at(10), latitude: 53.501, longitude: 9.9, speed_kmh: null, heading: null },
        ...{ accuracy_meters: 6, flags: ["accuracy_from_hdop"] },
      },
      {
        ...{ timestamp: at(20), latitude: 53.502, longitude: 9.9, speed_kmh: null, heading: null },
        ...{ accuracy_meters: null, flags: ["clock_corrected"] },
      },
    ]);
    expect(track.gaps).toEqual([
      { from: at(20), to: at(1_000), duration_s: 980, distance_m: expect.closeTo(889.6, 0) },
    ]);
    expect(track.stops).toEqual([
      {
        ...{ from: at(1_000), to: at(1_290), duration_s: 290, positions: 30 },
        location: { latitude: 53.51, longitude: 9.9 },
      },
    ]);
    expect([track.positions, track.mocked, track.is_thinned]).toEqual([33, 1, false]);
    expect(
      track.crossings.map(({ visit_id, type, timestamp, inferred }: Record<string, unknown>) => ({
        visit_id,
        type,
        timestamp,
        inferred,
      })),
    ).toEqual([
      { visit_id: "v1", type: "entered", timestamp: at(20), inferred: true },
      { visit_id: "v1", type: "exited", timestamp: at(1_000), inferred: true },
    ]);
    expect(track.summary).toEqual({
      distance_m: expect.closeTo(222.4, 0),
      ...{ moving_s: 20, stopped_s: 290, unknown_s: 980, max_speed_kmh: 36 },
    });
  });

  it("GET /tracks says which positions were received late, how many, and in which stretches, also thinned", async () => {
    await using own = await openTestApp();
    await own.project({ id: "p1" as ProjectId });
    await own.asset({ id: "m1" as AssetId, project_id: "p1" as ProjectId });
    const backlog = Array.from({ length: 120 }, (_, i) => ({
      ...{ s: i * 10, latitude: 53.5 + i / 10_000, longitude: 9.9 },
      ...(i >= 40 && i < 100 ? { received_late_s: 8_200 - i * 10 } : {}),
    }));
    await write(own, "m1", backlog);
    const ask = (query: string, accept = "application/json") =>
      own.get(`${TRACKS}?asset_id=m1&from=${at(0)}&to=${at(3_600)}${query}`, ADMIN_KEY, { accept });
    const body = (await ask("")).json();
    expect(Compile(TrackList).Check(body)).toBe(true);
    expect("late_known_from" in body).toBe(false);
    const late = {
      ...{ positions: 60, most_s: 7_800, unknown: 0, stretches_complete: true },
      stretches: [{ from: at(400), to: at(990), duration_s: 590, positions: 60, most_s: 7_800 }],
    };
    expect(body.data[0].late).toEqual(late);
    const points = body.data[0].pieces[0].points;
    expect([39, 40, 99, 100].map((i) => points[i].received_late_s)).toEqual([
      ...[undefined, 7_800, 7_210, undefined],
    ]);
    const [thinned] = (await ask("&max_points=10")).json().data;
    expect(thinned.late).toEqual(late);
    const marked = thinned.pieces[0].points.filter(
      (point: { received_late_s?: number }) => point.received_late_s !== undefined,
    );
    expect([marked[0].timestamp, marked.at(-1).timestamp]).toEqual([at(400), at(990)]);

    const [piece] = (await ask("", "application/geo+json")).json().features;
    expect(piece.properties.received_late_s.slice(39, 41)).toEqual([null, 7_800]);
    expect((await ask("", "application/gpx+xml")).body.match(/<cmt>/g)).toHaveLength(60);
    expect((await ask("", "application/gpx+xml")).body).toContain(
      `<time>${at(400)}</time><cmt>received 7800 s late</cmt></trkpt>`,
    );
    expect((await ask("", "text/csv")).body).toContain(`m1,1,${at(400)},53.504,9.9,,,,,7800\r\n`);
  });

  it("GET /tracks says of positions of before the service kept it that nobody knows whether they were late", async () => {
    await using old = await openTestApp();
    await old.project({ id: "p1" as ProjectId });
    await old.asset({ id: "m1" as AssetId, project_id: "p1" as ProjectId });
    const place = { latitude: 53.5, longitude: 9.9 };
    await write(old, "m1", [
      { s: 0, ...place },
      { s: 10, ...place, received_late_s: 7_200 },
      { s: 20, ...place },
      { s: 30, ...place },
    ]);
    old.records.rows.lateKnownFromMs = Date.parse(at(30));
    const body = (await old.get(`${TRACKS}?asset_id=m1`, ADMIN_KEY)).json();
    expect(body.late_known_from).toBe(at(30));
    expect(body.data[0].late).toMatchObject({ positions: 1, unknown: 2 });
    const geo = { accept: "application/geo+json" };
    const drawn = await old.get(`${TRACKS}?asset_id=m1`, ADMIN_KEY, geo);
    expect(drawn.json().late_known_from).toBe(at(30));
    const after = await old.get(`${TRACKS}?asset_id=m1&from=${at(30)}`, ADMIN_KEY);
    expect("late_known_from" in after.json()).toBe(false);
  });

  it("GET /tracks gives several machines in the order asked for, and nulls for one without positions", async () => {
    const body = (await read(`asset_id=a2,a1&from=${at(5)}&to=${at(600)}`)).json();
    expect(body.data.map(({ asset_id }: { asset_id: string }) => asset_id)).toEqual(["a2", "a1"]);
    expect(body.data[0]).toMatchObject({
      positions: 0,
      pieces: [],
      gaps: [],
      summary: { distance_m: null, moving_s: null, stopped_s: null, max_speed_kmh: null },
    });
  });

  it("GET /tracks without a range gives the last 24 h", async () => {
    const body = (await read("asset_id=a1")).json();
    expect([body.from, body.to]).toEqual([at(3_600 - 86_400), at(3_600)]);
    expect(body.data[0].positions).toBe(33);
  });

  it("GET /tracks thins each track to max_points", async () => {
    const [track] = (await read("asset_id=a1&max_points=10")).json().data;
    const points = track.pieces.flatMap((piece: { points: object[] }) => piece.points);
    expect([points.length <= 10, track.is_thinned, track.positions]).toEqual([true, true, 33]);
    expect(track.pieces[0].points[0].timestamp).toBe(at(0));
    expect(track.pieces.at(-1).points.at(-1).timestamp).toBe(at(1_290));
    expect(track.summary.max_speed_kmh).toBe(36);
  });

  it("GET /tracks is GeoJSON on request: lines by piece, stops and crossings as points, gaps without geometry", async () => {
    const answer = await read("asset_id=a1", "application/geo+json");
    expect(answer.headers["content-type"]).toContain("application/geo+json");
    const { type, features } = answer.json();
    expect(type).toBe("FeatureCollection");
    const kinds = features.map(
      (feature: { geometry: { type: string } | null; properties: { kind: string } }) => [
        feature.properties.kind,
        feature.geometry?.type,
      ],
    );
    expect(kinds.slice(0, 3)).toEqual([
      ["piece", "LineString"],
      ["piece", "LineString"],
      ["stop", "Point"],
    ]);
    expect(kinds.at(-1)).toEqual(["gap", undefined]);
    expect(features[0].geometry.coordinates[0]).toEqual([9.9, 53.5]);
    expect(features[0].properties.speeds_kmh).toEqual([36, null, null]);
  });

  it("GET /tracks is GPX on request, one segment a piece, and a name cannot leave its element", async () => {
    const answer = await read("asset_id=a1", "application/gpx+xml");
    expect(answer.headers["content-type"]).toBe("application/gpx+xml");
    const { body } = answer;
    expect(body).toContain('<gpx version="1.1"');
    expect(body.match(/<trkseg>/g)).toHaveLength(2);
    expect(body.match(/<trkpt /g)).toHaveLength(33);
    expect(body).toContain(`<trkpt lat="53.5" lon="9.9"><time>${at(0)}</time>`);
    expect(body).toContain("<t:speed>10</t:speed><t:course>0</t:course>");
    expect(body).toContain("&lt;b&gt;&quot;Bagger&quot; &amp; Söhne\uFFFD&lt;/b&gt;");
    expect(body).not.toContain("<b>");
    // Waypoints come before tracks in the schema of GPX.
    expect(body.indexOf("<wpt")).toBeLessThan(body.indexOf("<trk>"));
  });

  it("GET /tracks is CSV on request", async () => {
    const { body } = await read(`asset_id=a1&to=${at(11)}`, "text/csv");
    expect(body).toBe(
      "asset_id,piece,timestamp,latitude,longitude,speed_kmh,heading,accuracy_meters,flags,received_late_s\r\n" +
        `a1,1,${at(0)},53.5,9.9,36,0,3,,\r\n` +
        `a1,1,${at(10)},53.501,9.9,,,6,accuracy_from_hdop,\r\n`,
    );
  });

  it("GET /tracks shows a key its own projects' assets and crossings only", async () => {
    const key = await t.key({ project_ids: ["p2" as ProjectId] });
    for (const ids of ["a1", "a2,a1", "absent"]) {
      const answer = await read(`asset_id=${ids}`, undefined, key);
      expect([ids, answer.statusCode, answer.json().error.message]).toEqual([
        ids,
        404,
        "Not found",
      ]);
    }
    expect((await read("asset_id=a2", undefined, key)).json().data[0].positions).toBe(1);
  });

  it("GET /tracks does not show a key where an asset was in a project of another tenant", async () => {
    await using moved = await openTestApp();
    for (const id of ["p1", "p2"]) await moved.project({ id: id as ProjectId });
    await moved.asset({ id: "m1" as AssetId, project_id: "p2" as ProjectId });
    await write(moved, "m1", [{ s: 3_000, latitude: 1, longitude: 1 }]);
    moved.clock.ms += 60_000;
    const change = { project_id: "p1" };
    await moved.send("PATCH", "/api/v1/equipment/assets/m1", ADMIN_KEY, change);
    moved.clock.ms += 60_000;
    await write(moved, "m1", [{ s: 3_700, latitude: 2, longitude: 2 }]);
    const key = await moved.key({ project_ids: ["p1" as ProjectId] });
    const [own] = (await moved.get(`${TRACKS}?asset_id=m1`, key)).json().data;
    expect([own.positions, own.pieces[0].points[0].latitude]).toEqual([1, 2]);
    const [all] = (await moved.get(`${TRACKS}?asset_id=m1`, ADMIN_KEY)).json().data;
    expect(all.positions).toBe(2);
  });

  it.each([
    ["", "asset_id"],
    ["asset_id=", "asset_id"],
    ["asset_id=a1,a1", "asset_id"],
    ["asset_id=a1'--", "asset_id"],
    [`asset_id=${Array.from({ length: 21 }, (_, i) => `x${i}`).join(",")}`, "asset_id"],
    [`asset_id=a1&from=${at(1)}&to=${at(1)}`, "from"],
    [`asset_id=a1&from=${at(2)}&to=${at(1)}`, "from"],
    [`asset_id=a1&from=${at(-8 * 86_400)}`, "from"],
    ["asset_id=a1&from=yesterday", "from"],
    ["asset_id=a1&to=0000-01-01T00:00:00Z", "to"],
    ["asset_id=a1&max_points=9", "max_points"],
    ["asset_id=a1&max_points=40001", "max_points"],
    ["asset_id=a1,a2&max_points=20001", "max_points"],
  ])("GET /tracks answers 400 to %s and names the parameter", async (query, parameter) => {
    const answer = await read(query);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details[0].parameter.split(".")[0]).toBe(parameter);
  });

  it("GET /tracks answers 429 to a third read of a key while two are under way", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => read("asset_id=a1")));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 429]);
    expect((await read("asset_id=a1")).statusCode).toBe(200);
  });

  it("GET /tracks accepts a range that only begins, in the past and in the future", async () => {
    expect((await read(`asset_id=a1&from=${at(0)}`)).statusCode).toBe(200);
    expect((await read(`asset_id=a1&from=${at(999_999)}`)).json().data[0].positions).toBe(0);
    expect((await read("asset_id=a1&to=1970-01-01T00:00:01Z")).statusCode).toBe(200);
  });
});

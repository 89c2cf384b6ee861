import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import { openAssetDirectory } from "../../../../ingest/directories/asset-directory.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";

const URL = "/api/v1/equipment/mappings";
const SPEED = { pointer: "/gps/v", unit: "m/s", scale: 0.1, offset: 0, ignore: [-1, "n/a"] };
const MAPPING = {
  readings: "/data",
  time: { pointer: "/ts", unit: "s" },
  seq: { pointer: "#/n" },
  fields: {
    latitude: { pointer: "/gps/lat" },
    longitude: { pointer: "/gps/lon" },
    speed_kmh: SPEED,
    engine_on: { pointer: "/ign", values: { on: 1, off: 0 } },
    boom_angle: { pointer: "/boom" },
  },
  faults: { pointer: "/dtc", spn: "/spn", fmi: "/fmi" },
};
const minimal = { fields: { speed_kmh: { pointer: "/v" } } };
const iso = (ms: number) => new Date(ms).toISOString();

const put = (t: TestApp, type: string, body: object = MAPPING, key = ADMIN_KEY) =>
  t.send("PUT", `${URL}/${encodeURIComponent(type)}`, key, body);

/** An app with project `p1`. */
async function openSite() {
  const t = await openTestApp();
  const project_id = await t.project({ id: "p1" as ProjectId });
  const register = (asset: object) =>
    t.send("POST", "/api/v1/equipment/assets", ADMIN_KEY, {
      id: "ex-1",
      name: "Excavator",
      type: "excavator",
      project_id,
      decoder: "mapping",
      ...asset,
    });
  const change = (asset: object) =>
    t.send("PATCH", "/api/v1/equipment/assets/ex-1", ADMIN_KEY, asset);
  return { t, register, change };
}

describe("the mapping of a type", () => {
  it("at most 500 mappings of types are stored, and each of them can still be changed", async () => {
    await using t = await openTestApp();
    const text = JSON.stringify(minimal);
    for (let i = 0; i < 499; i += 1)
      await t.records.payloadMappings.put(`type-${i}`, text, NOON_MS);
    expect((await put(t, "the-last")).statusCode).toBe(200);
    const refused = await put(t, "one-too-many");
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ error: { message: "There are 500 mappings already" } });
    expect((await put(t, "type-7")).statusCode).toBe(200);
  });

  it("the mapping of a type is kept and answered as it was put, twice the same", async () => {
    const { t } = await openSite();
    await using _ = t;
    const type = "Raupe / 20 t";
    const answer = await put(t, type);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      asset_type: type,
      mapping: MAPPING,
      created_at: iso(NOON_MS),
      updated_at: iso(NOON_MS),
    });
    t.clock.ms += 60_000;
    expect((await put(t, type)).json()).toEqual(answer.json());
    expect((await t.get(`${URL}/${encodeURIComponent(type)}`, ADMIN_KEY)).json()).toEqual(
      answer.json(),
    );
    const changed = await put(t, type, minimal);
    expect(changed.json()).toEqual({
      asset_type: type,
      mapping: minimal,
      created_at: iso(NOON_MS),
      updated_at: iso(NOON_MS + 60_000),
    });
  });

  it("the mapping of a type is in the list, by page and as CSV, until it is removed", async () => {
    const { t } = await openSite();
    await using _ = t;
    for (const type of ["b", "a", "c"]) await put(t, type, type === "a" ? MAPPING : minimal);
    const types = async (query: string) =>
      (await t.get(`${URL}${query}`, ADMIN_KEY)).json().data.map((row: object) => row);
    expect((await types("")).map((row: { asset_type: string }) => row.asset_type)).toEqual([
      "a",
      "b",
      "c",
    ]);
    const page = (await t.get(`${URL}?limit=1&offset=1`, ADMIN_KEY)).json();
    expect(page).toMatchObject({
      data: [{ asset_type: "b", mapping: minimal }],
      pagination: { page: 2, limit: 1, total: 3, has_more: true },
    });
    const csv = await t.get(URL, ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body.split("\r\n")[1]).toBe(
      `a,latitude longitude speed_kmh engine_on boom_angle,${iso(NOON_MS)},${iso(NOON_MS)}`,
    );
    expect((await t.send("DELETE", `${URL}/b`, ADMIN_KEY)).statusCode).toBe(204);
    expect((await t.send("DELETE", `${URL}/b`, ADMIN_KEY)).statusCode).toBe(404);
    expect((await t.get(`${URL}/b`, ADMIN_KEY)).statusCode).toBe(404);
    expect(await types("")).toHaveLength(2);
  });
});

describe("a mapping", () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openTestApp();
  });
  afterAll(() => t[Symbol.asyncDispose]());

  it.each([
    ["a pointer without slash", { speed_kmh: { pointer: "v" } }, "speed_kmh.pointer"],
    [
      "a pointer of nine parts",
      { speed_kmh: { pointer: "/1/2/3/4/5/6/7/8/9" } },
      "speed_kmh.pointer",
    ],
    ["a tilde", { speed_kmh: { pointer: "/a~2" } }, "speed_kmh.pointer"],
    ["half a percent-encoding", { speed_kmh: { pointer: "#/100%" } }, "speed_kmh.pointer"],
    ["a long pointer", { speed_kmh: { pointer: `/${"x".repeat(256)}` } }, "speed_kmh.pointer"],
    ["a scale of 0", { speed_kmh: { pointer: "/v", scale: 0 } }, "speed_kmh.scale"],
    ["a scale that is text", { speed_kmh: { pointer: "/v", scale: "2" } }, "speed_kmh.scale"],
    ["an unknown key of a field", { speed_kmh: { pointer: "/v", factor: 2 } }, "speed_kmh.factor"],
    ["half a position", { latitude: { pointer: "/lat" } }, "longitude"],
    ["a name that is none", { "speed kmh": { pointer: "/v" } }, "speed kmh"],
    ["a name of Object.prototype", { constructor: { pointer: "/v" } }, "constructor"],
    ["a time as field", { timestamp: { pointer: "/t" } }, "timestamp"],
    ["a unit of the engine", { engine_on: { pointer: "/e", unit: "%" } }, "engine_on.unit"],
    [
      "an engine that is half on",
      { engine_on: { pointer: "/e", values: { ok: 0.5 } } },
      "engine_on.values.ok",
    ],
    ["a text with a line end", { gear: { pointer: "/g", values: { "a\nb": 1 } } }, "gear.values"],
    ["a field without pointer", { gear: {} }, "gear.pointer"],
  ])("a mapping with %s is refused where it is", async (_name, fields, place) => {
    const answer = await put(t, "van", { fields });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatchObject({
      code: "invalid_parameter",
      details: [{ parameter: `fields.${place}` }],
    });
    expect(t.records.rows.payloadMappings.size).toBe(0);
  });

  it("a mapping names what is allowed, and every place that is wrong", async () => {
    const details = async (body: object) => (await put(t, "van", body)).json().error.details;
    expect(
      await details({
        readings: "data",
        time: { pointer: "ts" },
        fields: {
          speed_kmh: { pointer: "/v", unit: "knots" },
          satellites: { pointer: "/s", unit: "%" },
          cabin_c: { pointer: "/c", unit: "C" },
        },
        faults: { pointer: "/f", spn: "x", fmi: "/y" },
      }),
    ).toEqual([
      { parameter: "readings", message: expect.stringContaining('begin with "/"') },
      { parameter: "time.pointer", message: expect.stringContaining('begin with "/"') },
      { parameter: "faults.spn", message: expect.stringContaining('begin with "/"') },
      { parameter: "fields.speed_kmh.unit", message: "must be one of km/h, m/s, mph, kn" },
      {
        parameter: "fields.satellites.unit",
        message: "cannot be given, because the field's name says no unit; use scale and offset",
      },
      { parameter: "fields.cabin_c.unit", message: "must be one of Cel, K, degF" },
    ]);
    expect(await details({ fields: {} })).toEqual([
      { parameter: "fields", message: "has 0 fields; 1 to 64 are allowed" },
    ]);
    expect(await details({ ...minimal, mapping: 1, __x: 2 })).toEqual([
      { parameter: "mapping", message: "is not known here" },
      { parameter: "__x", message: "is not known here" },
    ]);
    expect(await details({ ...minimal, time: { pointer: "/t", unit: "minutes" } })).toEqual([
      { parameter: "time.unit", message: expect.any(String) },
    ]);
    expect(await details({})).toEqual([{ parameter: "fields", message: "is required" }]);
  });

  it("a mapping has a bounded size", async () => {
    const field = (i: number) => [`field_${i}`, { pointer: `/${"p".repeat(255)}` }];
    const many = Object.fromEntries(Array.from({ length: 65 }, (_v, i) => field(i)));
    expect((await put(t, "van", { fields: many })).json().error.message).toBe(
      "fields has 65 fields; 1 to 64 are allowed",
    );
    const values = (i: number) =>
      Object.fromEntries(
        Array.from({ length: 100 }, (_v, k) => [`${i} ${k} ${"v".repeat(80)}`, k]),
      );
    const large = Object.fromEntries(
      Array.from({ length: 9 }, (_v, i) => [`field_${i}`, { pointer: "/x", values: values(i) }]),
    );
    const answer = await put(t, "van", { fields: large });
    expect(answer.json().error.message).toMatch(/^body has \d{5} bytes; 65536 are allowed$/);
    const { field_0 } = large;
    expect((await put(t, "van", { fields: { field_0 } })).statusCode).toBe(200);
  });

  it.each([
    "",
    "x".repeat(65),
    "a\0b",
  ])("a mapping of a name that no type has, %j, is not taken", async (type) => {
    const answers = [
      await put(t, type),
      await t.get(`${URL}/${encodeURIComponent(type)}`, ADMIN_KEY),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 404]);
  });
});

describe("an asset that speaks by a mapping", () => {
  it("an asset that speaks by a mapping is not registered before its type has one, and says so", async () => {
    const { t, register } = await openSite();
    await using _ = t;
    const refused = await register({});
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.details).toEqual([
      {
        parameter: "decoder",
        message: expect.stringContaining("needs a mapping of the asset's type"),
      },
    ]);
    await put(t, "excavator");
    const made = await register({});
    expect(made.statusCode).toBe(201);
    expect(made.json()).toMatchObject({
      decoder: "mapping",
      mqtt: { topic: "sites/p1/assets/ex-1/mapping" },
    });
  });

  it("an asset that speaks by a mapping does not come to a type without one, by its decoder or by its type", async () => {
    const { t, register, change } = await openSite();
    await using _ = t;
    await register({ decoder: "plumbline" });
    const decoder = await change({ decoder: "mapping" });
    await put(t, "excavator");
    expect((await change({ decoder: "mapping" })).statusCode).toBe(200);
    const type = await change({ type: "crane" });
    const parameters = [decoder, type].map((answer) => [
      answer.statusCode,
      answer.json().error.details[0].parameter,
    ]);
    expect(parameters).toEqual([
      [400, "decoder"],
      [400, "type"],
    ]);
    expect(t.directory.find("ex-1" as AssetId)?.asset).toMatchObject({
      type: "excavator",
      decoder: "mapping",
    });
    expect((await change({ type: "crane", decoder: "nmea" })).statusCode).toBe(200);
  });

  it("an asset that speaks by a mapping keeps its mapping from being removed", async () => {
    const { t, register } = await openSite();
    await using _ = t;
    await put(t, "excavator");
    await register({});
    const refused = await t.send("DELETE", `${URL}/excavator`, ADMIN_KEY);
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, "conflict"]);
    await t.send("DELETE", "/api/v1/equipment/assets/ex-1", ADMIN_KEY);
    expect((await t.send("DELETE", `${URL}/excavator`, ADMIN_KEY)).statusCode).toBe(204);
  });

  it("an asset that speaks by a mapping is read by it at once, here and by every process that follows", async () => {
    const { t, register } = await openSite();
    await using _ = t;
    const other = await openAssetDirectory(t.records);
    try {
      await put(t, "excavator", minimal);
      await register({});
      const read = (directory = t.directory) =>
        directory.find("ex-1" as AssetId)?.mapping?.read({ v: 3, w: 4 }).readings[0]?.fields;
      expect(read()).toEqual({ speed_kmh: 3 });
      await other.refresh();
      expect(read(other)).toEqual({ speed_kmh: 3 });
      await put(t, "excavator", { fields: { speed_kmh: { pointer: "/w" } } });
      expect(read()).toEqual({ speed_kmh: 4 });
      await other.refresh();
      expect(read(other)).toEqual({ speed_kmh: 4 });
    } finally {
      other.close();
    }
  });

  it("an asset that speaks by a mapping is read by none when a newer version stored one that this version does not understand", async () => {
    const { t, register } = await openSite();
    await using _ = t;
    await put(t, "excavator", minimal);
    await register({});
    const newer = { ...minimal, units: "imperial" };
    await t.records.payloadMappings.put("excavator", JSON.stringify(newer), NOON_MS);
    await t.directory.refresh();
    const entry = t.directory.find("ex-1" as AssetId);
    expect([entry?.asset.decoder, entry?.mapping]).toEqual(["mapping", undefined]);
  });
});

describe("a key of some projects", () => {
  it("a key of some projects reads the mappings of its assets' types, and writes none", async () => {
    const { t, register } = await openSite();
    await using _ = t;
    await t.project({ id: "p2" as ProjectId });
    await put(t, "excavator");
    await put(t, "theirs");
    await register({ decoder: "plumbline" });
    const theirs = { id: "x-1", type: "theirs", project_id: "p2" };
    expect((await register(theirs)).statusCode).toBe(201);
    const key = await t.key({ project_ids: ["p1" as ProjectId] });
    const list = await t.get(URL, key);
    expect(list.json().data).toMatchObject([{ asset_type: "excavator" }]);
    expect(list.body).not.toContain("theirs");
    const statuses = [
      await t.get(`${URL}/excavator`, key),
      await t.get(`${URL}/theirs`, key),
      await t.get(`${URL}/absent`, key),
      await put(t, "excavator", minimal, key),
      await put(t, "crane", minimal, key),
      await t.send("DELETE", `${URL}/theirs`, key),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([200, 404, 404, 403, 403, 403]);
    const all = await t.key({ scopes: ["equipment:write"] });
    expect((await put(t, "crane", minimal, all)).statusCode).toBe(200);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";

const CASES = join(import.meta.dirname, "../../../ingest/cases");
const NOON = new Date(NOON_MS).toISOString();
const MAPPING = {
  time: { pointer: "/t", unit: "s" },
  seq: { pointer: "/n" },
  fields: { speed_kmh: { pointer: "/v", unit: "m/s" }, boom_angle: { pointer: "/boom" } },
};
const PAYLOAD = { t: NOON_MS / 1_000, n: 7, v: 2.5, Boom: 30 };

const run = (t: TestApp, body: object, key = ADMIN_KEY) =>
  t.send("POST", "/api/v1/equipment/dry-run", key, body);

describe("a dry run", () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openTestApp();
  });
  afterAll(() => t[Symbol.asyncDispose]());

  it("a dry run shows what a mapping makes of a payload, and which pointers found nothing", async () => {
    const answer = await run(t, { decoder: "mapping", mapping: MAPPING, payload: PAYLOAD });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      readings: [{ timestamp: NOON, time_source: "device", seq: 7, fields: { speed_kmh: 9 } }],
      notices: [],
      ignored: 0,
      unused: [{ parameter: "fields.boom_angle.pointer", pointer: "/boom" }],
    });
  });

  it("a dry run shows what an array would store, and which of its readings would go to quarantine", async () => {
    const payload = [{ speed_kmh: 1 }, { latitude: 95, longitude: 13.4 }];
    const answer = await run(t, { decoder: "plumbline", payload });
    expect(answer.json()).toMatchObject({
      readings: [{ fields: { speed_kmh: 1 } }],
      refused:
        "1 of 2 readings refused, the others are stored: reading 1: latitude 95 is outside -90 to 90",
    });
  });

  it("a dry run takes the mapping of a type, and stores nothing", async () => {
    await using t = await openTestApp();
    await t.send("PUT", "/api/v1/equipment/mappings/van", ADMIN_KEY, MAPPING);
    const before = structuredClone({ ...t.records.rows });
    const asked = { decoder: "mapping", asset_type: "van", payload_text: JSON.stringify(PAYLOAD) };
    expect((await run(t, asked)).json().readings[0].fields).toEqual({ speed_kmh: 9 });
    expect(t.records.rows).toEqual(before);
    expect((await run(t, { ...asked, asset_type: "crane" })).statusCode).toBe(404);
    expect((await run(t, { ...asked, asset_type: "a\0b" })).statusCode).toBe(404);
  });

  it("a dry run does not show the mapping of another tenant's type", async () => {
    await using t = await openTestApp();
    await t.project({ id: "p1" as ProjectId });
    await t.send("PUT", "/api/v1/equipment/mappings/van", ADMIN_KEY, MAPPING);
    const asked = { decoder: "mapping", asset_type: "van", payload: PAYLOAD };
    const key = await t.key({ scopes: ["equipment:read"], project_ids: ["p1" as ProjectId] });
    expect((await run(t, asked, key)).statusCode).toBe(404);
    await t.asset({ project_id: "p1" as ProjectId, type: "van" });
    expect((await run(t, asked, key)).statusCode).toBe(200);
    expect(
      (await run(t, { decoder: "plumbline", payload: { speed_kmh: 1 } }, key)).statusCode,
    ).toBe(200);
  });

  it("a dry run reads every format: JSON, text and bytes", async () => {
    const file = (name: string) => readFileSync(join(CASES, name));
    const codec8 = file("teltonika-codec8/south-and-west/input.bin").toString("base64");
    const nmea = file("nmea/teltonika-rut955-one-epoch/input.txt").toString();
    const answers = [
      await run(t, { decoder: "plumbline", payload: { timestamp: NOON, speed_kmh: 3, seq: 0 } }),
      await run(t, { decoder: "nmea", payload_text: nmea }),
      await run(t, { decoder: "teltonika-codec8", payload_base64: codec8 }),
      await run(t, { decoder: "osmand", payload_text: "?lat=1&lon=2&speed=10" }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const [plumbline, sentences, packet, query] = answers.map((answer) => answer.json());
    expect(plumbline).toEqual({
      readings: [{ timestamp: NOON, time_source: "device", seq: 0, fields: { speed_kmh: 3 } }],
      notices: [],
      ignored: 0,
    });
    expect(sentences.readings[0].fields.speed_kmh).toBeCloseTo(17.4, 1);
    expect(packet.readings[0].fields.latitude).toBeLessThan(0);
    expect(query.readings).toEqual([
      {
        timestamp: NOON,
        time_source: "received",
        fields: { latitude: 1, longitude: 2, speed_kmh: 18.52 },
      },
    ]);
  });

  it("a dry run shows notices, faults, and the time that an impossible one is replaced by", async () => {
    const lwt = await run(t, {
      decoder: "owntracks",
      payload: { _type: "lwt", tst: NOON_MS / 1_000 },
    });
    expect(lwt.json().notices).toEqual([
      {
        kind: "last_will",
        timestamp: NOON,
        time_source: "received",
        data: { tst: NOON_MS / 1_000 },
      },
    ]);
    const faults = await run(t, {
      decoder: "plumbline",
      payload: { timestamp: "2099-01-01T00:00:00Z", fault_codes: [{ spn: 110, fmi: 0 }] },
      received_at: "2026-03-01T08:00:00+01:00",
    });
    expect(faults.json().readings).toEqual([
      {
        timestamp: "2026-03-01T07:00:00.000Z",
        time_source: "received",
        fields: {},
        fault_codes: [{ spn: 110, fmi: 0 }],
      },
    ]);
    const far = await run(t, { decoder: "plumbline", payload: { timestamp: -9e15 } });
    expect(far.json().readings[0].timestamp).toBe(NOON);
  });

  it.each([
    ["without payload", { decoder: "nmea" }, "payload", "is required, one of"],
    [
      "with two",
      { decoder: "nmea", payload: 1, payload_text: "" },
      "payload",
      "is required, one of",
    ],
    ["of a format that is none", { decoder: "morse", payload: 1 }, "decoder", ""],
    ["of bad base64", { decoder: "nmea", payload_base64: "###" }, "payload_base64", ""],
    [
      "of a payload that intake would not take",
      { decoder: "nmea", payload_base64: Buffer.alloc(256 * 1024 + 1).toString("base64") },
      "payload_base64",
      "has 262145 bytes; 262144 are allowed",
    ],
    ["by no mapping", { decoder: "mapping", payload: 1 }, "mapping", "or asset_type is required"],
    [
      "by two mappings",
      { decoder: "mapping", mapping: MAPPING, asset_type: "van", payload: 1 },
      "mapping",
      "or asset_type is required, and only one of them",
    ],
    [
      "with a type for another format",
      { decoder: "nmea", asset_type: "van", payload: 1 },
      "asset_type",
      "is only for",
    ],
    [
      "by a mapping that is wrong",
      {
        decoder: "mapping",
        mapping: { fields: { speed_kmh: { pointer: "/v", unit: "K" } } },
        payload: 1,
      },
      "mapping.fields.speed_kmh.unit",
      "must be one of km/h, m/s, mph, kn",
    ],
    [
      "by a mapping with a key that is not known",
      {
        decoder: "mapping",
        mapping: { ...MAPPING, fields: { x: { pointer: "", time: 1 } } },
        payload: 1,
      },
      "mapping.fields.x.time",
      "is not known here",
    ],
    [
      "at a leap second",
      { decoder: "nmea", payload_text: "", received_at: "2016-12-31T23:59:60Z" },
      "received_at",
      "",
    ],
  ])("%s is refused where it is wrong", async (_name, body, parameter, message) => {
    const answer = await run(t, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details).toEqual([
      { parameter, message: expect.stringContaining(message) },
    ]);
  });

  it("a dry run refuses a payload that is nested deeper than a body may be", async () => {
    const levels = 100_000;
    const answer = await t.app.inject({
      method: "POST",
      url: "/api/v1/equipment/dry-run",
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      payload: `{"decoder":"senml","payload":${"[".repeat(levels)}${"]".repeat(levels)}}`,
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.message).toBe("The body is nested more than 16 levels deep");
  });

  it("a dry run shows a value that is not believed under its marked name, and as a notice", async () => {
    const answer = await run(t, {
      decoder: "plumbline",
      payload: { speed_kmh: 5_000, lat: 1, lon: 2 },
    });
    expect(answer.json()).toMatchObject({
      readings: [{ fields: { suspect_speed_kmh: 5_000, latitude: 1, longitude: 2 } }],
      notices: [{ kind: "suspect_value", data: { name: "speed_kmh", value: 5_000 } }],
    });
  });

  it("a dry run answers 400 in the decoder's words", async () => {
    const fuel = { fields: { fuel_level_percent: { pointer: "/fuel" } } };
    const messages = [
      await run(t, { decoder: "mapping", mapping: fuel, payload: { Fuel: 1 } }),
      await run(t, { decoder: "plumbline", payload: { latitude: -91, longitude: 1 } }),
      await run(t, { decoder: "thingsboard", payload_text: "[" }),
    ].map((answer) => [answer.statusCode, answer.json().error.message]);
    expect(messages).toEqual([
      [400, 'nothing is at "/fuel"'],
      [400, "latitude -91 is outside -90 to 90"],
      [400, "payload is not JSON"],
    ]);
  });
});

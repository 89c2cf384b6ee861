import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildStatusApp } from "../../../api/status-app.ts";
import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import type { DeviceReport } from "../../../ingest/device-log/connections/noted-connections.ts";
import { MessageLog } from "../../../ingest/device-log/messages/message-log.ts";
import type { AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import { HttpIngest } from "../../../ingest/http/http-ingest.ts";
import { createIntake, type Intake } from "../../../ingest/intake/intake.ts";
import { openTestApp } from "../../support/api-app.ts";
import {
  assetEntry,
  type FixedDirectory,
  fixedDirectory,
  PEPPER,
  verifySecret,
} from "../../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const NDJSON = { "content-type": "application/x-ndjson" };
const EUI = "0004A30B001C0530";

let nowMs: number;
let journal: ManualJournal;
let directory: FixedDirectory;
let intake: Intake;
let ingest: HttpIngest;
let messages: MessageLog;
let connections: DeviceReport[];
let app: FastifyInstance;

const registered = (
  id: string,
  fields: Partial<AssetRegistration> = {},
  project = "p1",
): AssetEntry => {
  const entry = assetEntry(id, project);
  return { ...entry, asset: { ...entry.asset, ...fields } };
};

beforeEach(async () => {
  nowMs = NOW;
  journal = manualJournal();
  connections = [];
  directory = fixedDirectory([
    registered("a1"),
    registered("gate", { hardware_id: "plant" }),
    registered("a2", { hardware_id: "plant/a2" }),
    registered("phones", { hardware_id: "crew", decoder: "owntracks" }),
    registered("phone-1", { hardware_id: "crew/one", decoder: "owntracks" }),
    registered("net", { decoder: "things-stack" }),
    registered("tracker", { decoder: "things-stack", hardware_id: EUI }),
    registered("theirs", { hardware_id: "plant/theirs" }, "p2"),
    registered("their-tracker", { decoder: "chirpstack", hardware_id: "a".repeat(16) }, "p2"),
  ]);
  messages = new MessageLog(NOW);
  await open(journal);
});

/** Starts intake and the app over that journal, as after a restart. */
async function open(
  of: ManualJournal,
  settings: object = {},
  demandsCertificate = false,
): Promise<void> {
  journal = of;
  const now = () => nowMs;
  intake = await createIntake({
    journal,
    directory,
    pepper: PEPPER,
    messages,
    settings: {
      retentionDays: 90,
      deviceReadingsPerS: 20,
      deviceBurstReadings: 5_000,
      ...settings,
    },
    now,
  });
  const log = pino({ level: "silent" });
  const onConnection = (report: DeviceReport) => connections.push(report);
  const parts = { intake, directory, verifySecret, pepper: PEPPER, log, onConnection, now };
  ingest = new HttpIngest({ ...parts, demandsCertificate });
  const metrics = new Registry();
  app = await buildStatusApp({ health: () => [], damage: () => [], metrics, log, ingest });
}

async function close(): Promise<void> {
  ingest.close();
  await app.close();
  intake.close();
}

afterEach(close);

const basic = (id: string, secret = `${id}-secret`) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});

interface Sent {
  readonly path?: string;
  readonly as?: string;
  readonly headers?: Record<string, string>;
}

/** Sends a body, and makes durable what comes of it. */
async function send(body: string | Buffer, { path = "plumbline", as = "a1", headers }: Sent = {}) {
  let isAnswered = false;
  const answer = app
    .inject({
      method: "POST",
      url: `/api/v1/ingest/${path}`,
      payload: body,
      headers: { ...basic(as), "content-type": "application/json", ...headers },
    })
    .finally(() => {
      isAnswered = true;
    });
  await until(
    "it is answered",
    () => {
      journal.commit();
      return isAnswered;
    },
    PATIENT_MS,
  );
  return await answer;
}

const reading = (minute: number, fields: object = {}) =>
  JSON.stringify({ timestamp: NOW - minute * 60_000, latitude: 52.5, longitude: 13.4, ...fields });

const stored = () =>
  journal
    .entries()
    .flatMap((entry) =>
      entry.type === "readings"
        ? entry.batch.readings.map(({ fields }) => [entry.batch.assetId, fields])
        : [],
    );

const quarantined = () =>
  journal.entries().flatMap((entry) => (entry.type === "quarantined" ? [entry.message] : []));

describe("POST /api/v1/ingest/{decoder}", () => {
  it("POST /api/v1/ingest/{decoder} answers only after the journal has the message on disk", async () => {
    let isAnswered = false;
    const answer = app
      .inject({
        method: "POST",
        url: "/api/v1/ingest/plumbline",
        payload: reading(1),
        headers: basic("a1"),
      })
      .finally(() => {
        isAnswered = true;
      });
    await until("it is offered", () => intake.stats()["received"] === 1, PATIENT_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    journal.commit();

    const { statusCode, headers, body } = await answer;
    expect([statusCode, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(JSON.parse(body)).toEqual({
      messages: 1,
      readings: 1,
      stored: 1,
      duplicate: 0,
      quarantined: 0,
      ignored: 0,
      unknown_device: 0,
      foreign_asset: 0,
      not_stored: 0,
      problems: [],
    });
    expect(stored()).toEqual([["a1", { latitude: 52.5, longitude: 13.4 }]]);
  });

  it("POST /api/v1/ingest/{decoder} takes an array of readings as one message of as many readings", async () => {
    const answer = await send(`[${reading(3)},${reading(2)},${reading(1)}]`);
    expect(answer.json()).toMatchObject({ messages: 1, readings: 3, stored: 1 });
    expect(journal.records.length).toBe(1);
  });

  it("POST /api/v1/ingest/{decoder} stores the readings of an array that can be read, and says which one is in quarantine", async () => {
    const answer = await send(`[${reading(2)},{"latitude":95,"longitude":13.4},${reading(1)}]`);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      {
        ...{ messages: 1, readings: 2, stored: 0, quarantined: 1 },
        problems: [
          {
            ...{ line: 1, outcome: "quarantined", readings: 2 },
            reason:
              "1 of 3 readings refused, the others are stored: reading 1: latitude 95 is outside -90 to 90",
          },
        ],
      },
    ]);
    expect(stored()).toHaveLength(2);
  });

  it.each([
    [
      "a text format",
      "nmea",
      "$GPRMC,112210.00,A,4538.902790,N,02536.288165,E,9.4,53.9,201126,3.7,E,A*09",
    ],
    ["the query of OsmAnd", "osmand", `id=x&timestamp=${NOW / 1_000}&lat=52.5&lon=13.4`],
    ["the registered decoder", "device", reading(1)],
  ])("reads %s by the decoder of the path", async (_name, path, body) => {
    const answer = await send(body, { path, headers: { "content-type": "text/plain" } });
    expect([answer.statusCode, answer.json().stored, answer.json().problems]).toEqual([200, 1, []]);
  });

  it("POST /api/v1/ingest/{decoder} takes a bearer token of id and secret, and no content type", async () => {
    const answer = await app
      .inject({
        method: "POST",
        url: "/api/v1/ingest/plumbline",
        payload: Buffer.from("[]"),
        headers: { authorization: "Bearer a1.wrong" },
      })
      .then(({ statusCode }) => statusCode);
    expect(answer).toBe(401);
    const taken = app.inject({
      method: "POST",
      url: "/api/v1/ingest/plumbline",
      payload: Buffer.from(reading(1)),
      headers: { authorization: "bearer a1.a1-secret" },
    });
    await until("it is offered", () => intake.stats()["received"] === 1, PATIENT_MS);
    journal.commit();
    expect((await taken).statusCode).toBe(200);
  });

  it("POST /api/v1/ingest/{decoder} says what became of each line, and stores the others", async () => {
    const body = [reading(1), "", "{broken", `{"latitude":95,"longitude":1}`, `\t`, reading(2)];
    const answer = await send(body.join("\r\n"), { headers: NDJSON });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ messages: 4, stored: 2, quarantined: 2, not_stored: 0 });
    expect(answer.json().problems).toEqual([
      { line: 3, outcome: "quarantined", reason: "payload is not JSON" },
      { line: 4, outcome: "quarantined", reason: expect.stringContaining("latitude 95") },
    ]);
    expect(quarantined().map(({ payload }) => Buffer.from(payload).toString())).toEqual([
      "{broken",
      `{"latitude":95,"longitude":1}`,
    ]);
  });

  it("POST /api/v1/ingest/{decoder} says which values of stored lines are not believed", async () => {
    const body = [reading(1), reading(2, { fuel_level_percent: 161 })].join("\n");
    const answer = await send(body, { headers: NDJSON });
    expect(answer.json()).toMatchObject({
      stored: 2,
      problems: [],
      notices: [{ line: 2, notice: "fuel_level_percent: outside 0 to 100" }],
    });
  });

  it("POST /api/v1/ingest/{decoder} keeps a message that cannot be read, and answers 200 so that it is not sent for ever", async () => {
    const answer = await send("{");
    expect([answer.statusCode, answer.json().quarantined]).toEqual([200, 1]);
    const deep = await send(`${" ".repeat(5_000)}${"[".repeat(9)}${"]".repeat(9)}`);
    expect(deep.json().problems).toEqual([
      { line: 1, outcome: "quarantined", reason: "nested deeper than 8 levels" },
    ]);
    const large = await send(Buffer.alloc(256 * 1024 + 1, " "));
    expect(large.json().problems).toMatchObject([{ outcome: "quarantined" }]);
  });

  it.each([
    ["an empty body", "", {}, 400, "The body is empty"],
    ["blank lines alone", "\n \n", NDJSON, 400, "The body is empty"],
    ["too many lines", "1\n".repeat(5_001), NDJSON, 400, "The body has more than 5000 lines"],
    ["a compressed body", "x", { "content-encoding": "gzip" }, 400, "Content-Encoding gzip"],
    ["an empty Idempotency-Key", "{}", { "idempotency-key": "" }, 400, "Idempotency-Key must"],
    ["too large a body", Buffer.alloc(1024 * 1024 + 1), {}, 400, "too large"],
  ])("POST /api/v1/ingest/{decoder} refuses %s, and stores nothing", async (_name, body, headers, status, message) => {
    const answer = await send(body, { headers });
    expect([answer.statusCode, answer.json().error.message]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
    expect(journal.records).toEqual([]);
  });

  it("answers 404 for a decoder that does not exist", async () => {
    const answer = await send("{}", { path: "toString" });
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, "not_found"]);
  });
});

describe("a request that is sent again", () => {
  const BODY = [reading(1), '{"fuel_level_percent":50}', "{broken"].join("\n");

  it("a request that is sent again stores nothing twice under its Idempotency-Key, also after a restart", async () => {
    const headers = { ...NDJSON, "idempotency-key": "k1" };
    expect((await send(BODY, { headers })).json()).toMatchObject({ stored: 2, quarantined: 1 });
    expect((await send(BODY, { headers })).json()).toMatchObject({ stored: 0, duplicate: 3 });
    const before = journal.records;
    await close();
    await open(manualJournal(before));
    nowMs += 60_000;
    expect((await send(BODY, { headers })).json()).toMatchObject({ stored: 0, duplicate: 3 });
    expect(journal.records.length).toBe(3);
    // The key of another asset or request is another request.
    expect((await send(BODY, { headers, as: "a2" })).json()).toMatchObject({ stored: 2 });
    const other = { ...NDJSON, "idempotency-key": "k2" };
    expect((await send(BODY, { headers: other })).json()).toMatchObject({ stored: 2 });
  });

  it("a request that is sent again stores the rest of a body that was stored in part, and nothing twice", async () => {
    const answer = app.inject({
      method: "POST",
      url: "/api/v1/ingest/plumbline",
      payload: BODY,
      headers: { ...basic("a1"), ...NDJSON },
    });
    await until("all is offered", () => intake.stats()["received"] === 3, PATIENT_MS);
    journal.commit(2);
    journal.become("full");
    nowMs += 20_000;
    const partial = await answer;

    expect([partial.statusCode, partial.headers["retry-after"]]).toEqual([503, "10"]);
    expect(partial.json()).toMatchObject({
      error: { code: "unavailable", message: expect.stringContaining("send the whole body again") },
      stored: 2,
      not_stored: 1,
      problems: [{ line: 3, outcome: "not_stored" }],
    });
    journal.become("open");
    const again = await send(BODY, { headers: NDJSON });
    expect(again.json()).toMatchObject({ stored: 0, duplicate: 2, quarantined: 1, not_stored: 0 });
    expect(journal.records.length).toBe(3);
  });

  it("a request that is sent again takes the same words for a new message once the one before was answered", async () => {
    const body = '{"fuel_level_percent":50}';
    expect((await send(body)).json()).toMatchObject({ stored: 1 });
    nowMs += 60_000;
    expect((await send(body)).json()).toMatchObject({ stored: 1, duplicate: 0 });
    expect(journal.records.length).toBe(2);
    expect(ingest.stats()["http_unsettled"]).toBe(0);
  });

  it("a request that is sent again does not take a refused message for one with the same words that was stored before", async () => {
    const body = '{"fuel_level_percent":50}';
    await send(body);
    const answer = app.inject({
      method: "POST",
      url: "/api/v1/ingest/plumbline",
      payload: body,
      headers: basic("a1"),
    });
    await until("it is offered", () => intake.stats()["received"] === 2, PATIENT_MS);
    journal.become("full");
    nowMs += 20_000;
    expect((await answer).statusCode).toBe(503);
    journal.become("open");

    expect((await send(body)).json()).toMatchObject({ stored: 1, duplicate: 0 });
    expect(journal.records.length).toBe(2);
  });
});

describe("who may send", () => {
  it("POST /ingest refuses a wrong secret and an unknown asset with the same words, and notes both", async () => {
    const answers = [
      await send("{}", { headers: basic("a1", "wrong") }),
      await send("{}", { headers: basic("nobody", "wrong") }),
      await send("{}", { headers: { authorization: "" } }),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers["www-authenticate"]).toEqual([
        'Basic realm="Plumbline devices", charset="UTF-8"',
        "Bearer",
      ]);
      expect(answer.json().error.message).toBe("Invalid asset id or secret");
    }
    expect(connections).toMatchObject([
      { listener: "http", outcome: "wrong_password", assetId: "a1", hardwareId: "a1" },
      { listener: "http", outcome: "unknown_user", assetId: undefined, hardwareId: "nobody" },
    ]);
  });

  it("POST /ingest bars an asset's wrong secrets after ten in a minute, and lets the right one in all the same", async () => {
    const wrong = { headers: basic("a1", "wrong") };
    for (let i = 0; i < 10; i += 1) expect((await send("{}", wrong)).statusCode).toBe(401);
    const barred = await send("{}", wrong);
    expect([barred.statusCode, barred.headers["retry-after"]]).toEqual([429, "60"]);
    expect((await send(reading(1))).statusCode).toBe(200);
    expect(ingest.stats()).toMatchObject({ http_login_failed: 10, http_login_blocked: 1 });
  });

  it("POST /ingest demands a client certificate of other machines where devices must have one", async () => {
    await close();
    await open(manualJournal(), {}, true);
    const headers = basic("a1");
    const url = "/api/v1/ingest/plumbline";
    const remoteAddress = "203.0.113.7";
    const answer = await app.inject({ method: "POST", url, payload: "{}", headers, remoteAddress });
    expect([answer.statusCode, answer.json().error.message]).toEqual([
      403,
      "Devices need a client certificate here",
    ]);
    expect(connections).toMatchObject([{ outcome: "wrong_certificate", address: remoteAddress }]);
    expect((await send(reading(1))).statusCode).toBe(200);
  });

  it("POST /ingest notes the first request of an asset as a connection, and each message", async () => {
    await send(reading(1));
    await send("{");
    expect(connections).toMatchObject([{ outcome: "accepted", assetId: "a1" }]);
    expect(messages.view("a1" as never).messages).toMatchObject([
      { outcome: "quarantined", topic: "sites/p1/assets/a1/telemetry" },
      { outcome: "stored", readings: 1 },
    ]);
  });

  it("POST /ingest lets a gateway speak for the assets of its project whose name begins with its own", async () => {
    const answer = await send(reading(1), { path: "plumbline?asset=a2", as: "gate" });
    expect(answer.statusCode).toBe(200);
    expect(stored()).toMatchObject([["a2", {}]]);
  });

  it.each([
    ["no gateway of the other", "a1", "a2"],
    ["of another project", "gate", "theirs"],
    ["no device of the gateway", "gate", "a1"],
    ["a device, for its gateway", "a2", "gate"],
    ["for nobody", "gate", "absent"],
  ])("POST /ingest refuses an asset that is %s, with one answer, and reports it", async (_name, as, asset) => {
    const answer = await send(reading(1), { path: `plumbline?asset=${asset}`, as });
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      403,
      { code: "forbidden", message: "The asset may not send for the one that is named" },
    ]);
    journal.commit();
    expect(journal.entries()).toMatchObject([
      { type: "foreign", publish: { assetId: as, topic: `sites/p1/assets/${asset}/telemetry` } },
    ]);
  });
});

describe("backpressure", () => {
  it("POST /ingest answers 503 with Retry-After before it reads a body while the journal is full", async () => {
    journal.become("full");
    const answer = await send("{}");
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "10"]);
    expect(answer.json().error.code).toBe("unavailable");
    expect(intake.stats()["received"]).toBe(0);
  });

  it("POST /ingest answers 503 when 32 requests of an asset wait for the journal", async () => {
    const request = (i: number) =>
      app.inject({
        method: "POST",
        url: "/api/v1/ingest/plumbline",
        payload: reading(i),
        headers: basic("a1"),
      });
    const waiting = Array.from({ length: 32 }, (_, i) => request(i));
    await until("they are offered", () => intake.stats()["received"] === 32, PATIENT_MS);
    const refused = await request(40);
    expect([refused.statusCode, refused.json().not_stored]).toEqual([503, 1]);
    journal.commit();
    for (const answer of await Promise.all(waiting)) expect(answer.statusCode).toBe(200);
  });

  it("POST /ingest holds an answer back by the rate of the asset, and refuses others meanwhile with 429", async () => {
    await close();
    await open(manualJournal(), { deviceReadingsPerS: 1, deviceBurstReadings: 1 });
    await send(reading(1));
    const held = app.inject({
      method: "POST",
      url: "/api/v1/ingest/plumbline",
      payload: reading(2),
      headers: basic("a1"),
    });
    await until("it is offered", () => intake.stats()["received"] === 2, PATIENT_MS);
    journal.commit();
    const refused = await send(reading(3));
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "5"]);
    // The other assets have rates of their own.
    expect((await send(reading(3), { as: "a2" })).statusCode).toBe(200);
    nowMs += 10_000;
    expect((await held).statusCode).toBe(200);
  });
});

describe("OwnTracks in HTTP mode", () => {
  const LOCATION = JSON.stringify({ _type: "location", lat: 52.5, lon: 13.4, tst: NOW / 1_000 });
  const limits = (user: string, device: string) => ({ "x-limit-u": user, "x-limit-d": device });

  it.each([
    ["a phone with its own asset", "a1", limits("a1", "pixel"), "a1"],
    ["a phone that logs in as its crew", "phones", limits("crew", "one"), "phone-1"],
    ["a phone of the crew that nobody registered", "phones", limits("crew", "two"), "phones"],
    ["a client without the headers", "a1", {}, "a1"],
  ])("OwnTracks in HTTP mode answers %s with an empty array", async (_name, as, headers, asset) => {
    const answer = await send(LOCATION, { path: "owntracks", as, headers });
    expect([answer.statusCode, answer.json()]).toEqual([200, []]);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(stored()).toMatchObject([[asset, { latitude: 52.5 }]]);
  });

  it("OwnTracks in HTTP mode answers the app's empty message, and takes user and device from the query", async () => {
    expect((await send("", { path: "owntracks" })).json()).toEqual([]);
    await send(LOCATION, { path: "owntracks?u=crew&d=one", as: "phones" });
    expect(stored()).toMatchObject([["phone-1", {}]]);
  });

  it("OwnTracks in HTTP mode takes the same words of two phones under one key for two messages", async () => {
    for (const device of ["one", "two"]) {
      const headers = { ...limits("crew", device), "idempotency-key": "k1" };
      await send(LOCATION, { path: "owntracks", as: "phones", headers });
    }
    expect(stored().map(([asset]) => asset)).toEqual(["phone-1", "phones"]);
  });

  it("OwnTracks in HTTP mode refuses a user that is another asset", async () => {
    const answer = await send(LOCATION, { path: "owntracks", headers: limits("a2", "pixel") });
    expect(answer.statusCode).toBe(403);
  });
});

describe("the webhook of a LoRaWAN network server", () => {
  const uplink = (eui: string, latitude = 52.5) =>
    JSON.stringify({
      end_device_ids: { device_id: "d", dev_eui: eui },
      received_at: "2026-11-20T11:00:00Z",
      uplink_message: {
        frm_payload: "AQ==",
        decoded_payload: { latitude, longitude: 13.4 },
        rx_metadata: [{ rssi: -97 }],
      },
    });
  const hook = { path: "things-stack", as: "net" };

  it("the webhook of a LoRaWAN network server stores what it says of a device, by the EUI in either case", async () => {
    for (const eui of [EUI, EUI.toLowerCase()]) {
      const answer = await send(uplink(eui), hook);
      expect(answer.json()).toMatchObject({ stored: 1, problems: [] });
    }
    expect(stored().map(([asset]) => asset)).toEqual(["tracker", "tracker"]);
    expect(stored()[0]?.[1]).toEqual({ latitude: 52.5, longitude: 13.4, rssi_dbm: -97 });
  });

  it("the webhook of a LoRaWAN network server answers 200 for a device that nobody registered, and notes its EUI", async () => {
    const unknown = "0".repeat(16);
    const body = [uplink(unknown), uplink(EUI), uplink("a".repeat(16))].join("\n");
    const answer = await send(body, { ...hook, headers: NDJSON });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      stored: 1,
      unknown_device: 2,
      problems: [
        { line: 1, outcome: "unknown_device", reason: expect.stringContaining(unknown) },
        // Of another project: it is reported as unknown.
        { line: 3, outcome: "unknown_device" },
      ],
    });
    const names = connections.filter(({ outcome }) => outcome === "unknown_user");
    expect(names.map(({ hardwareId }) => hardwareId)).toEqual([unknown, "a".repeat(16)]);
  });

  it("the webhook of a LoRaWAN network server takes a device's own messages under its own secret, and none about others", async () => {
    const own = { path: "things-stack", as: "tracker" };
    expect((await send(uplink(EUI), own)).json()).toMatchObject({ stored: 1 });
    const answer = await send(uplink("0".repeat(16)), own);
    expect(answer.json()).toMatchObject({ stored: 0, foreign_asset: 1 });
  });

  it("the webhook of a LoRaWAN network server keeps what names no device in the quarantine of the network server", async () => {
    const answer = await send(`{"uplink_message":5}`, hook);
    expect(answer.json()).toMatchObject({ quarantined: 1 });
    expect(quarantined()).toMatchObject([{ assetId: "net", format: "things-stack" }]);
  });
});

describe("the API", () => {
  it("the API serves the route to devices, who have no key, with the address's window", async () => {
    await using t = await openTestApp({ ingest });
    const answer = t.send("POST", "/api/v1/ingest/plumbline", undefined, {}, basic("a1"));
    await until("it is offered", () => intake.stats()["received"] === 1, PATIENT_MS);
    journal.commit();
    const { statusCode, headers } = await answer;
    expect([statusCode, headers["x-ratelimit-limit"]]).toEqual([200, "1000"]);
    const refused = await t.send("POST", "/api/v1/ingest/plumbline", undefined, {});
    expect(refused.statusCode).toBe(401);
  });

  it("the API says where readings go when its process has no journal", async () => {
    await using t = await openTestApp();
    const answer = await t.send("POST", "/api/v1/ingest/plumbline", undefined, {}, basic("a1"));
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "10"]);
    expect(answer.json().error).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("ROLE=ingest"),
    });
  });
});

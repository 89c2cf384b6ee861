import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { MessageLog } from "../../../ingest/device-log/messages/message-log.ts";
import { InboundMessage } from "../../../ingest/intake/inbound-message.ts";
import { createIntake, type Intake } from "../../../ingest/intake/intake.ts";
import type { CloseReason, IntakeSession } from "../../../ingest/intake/session.ts";
import type { JournalEntry } from "../../../ingest/journal-record/journal-record.ts";
import {
  assetEntry,
  type FixedDirectory,
  fixedDirectory,
  PEPPER,
} from "../../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const TOPIC = "sites/p1/assets/a1/telemetry";

/** A session with what it reported to its connection. */
interface Client {
  readonly session: IntakeSession;
  readonly acknowledged: number[];
  readonly closed: CloseReason[];
  relieved: number;
}

let nowMs: number;
let journal: ManualJournal;
let directory: FixedDirectory;
let intake: Intake;
let messages: MessageLog;

async function open(): Promise<void> {
  messages = new MessageLog(nowMs);
  intake = await createIntake({
    journal,
    directory,
    pepper: PEPPER,
    messages,
    settings: { retentionDays: 90, deviceReadingsPerS: 20, deviceBurstReadings: 5_000 },
    now: () => nowMs,
  });
}

beforeEach(async () => {
  vi.useFakeTimers({
    now: NOW,
    toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "setImmediate"],
  });
  nowMs = NOW;
  journal = manualJournal();
  directory = fixedDirectory([assetEntry("a1")]);
  await open();
});

afterEach(() => {
  intake.close();
  vi.useRealTimers();
});

/** Lets our clock and the timers go on together. */
function pass(ms: number): void {
  nowMs += ms;
  vi.advanceTimersByTime(ms);
}

function connect(clientId = "c1", keepAliveMs = 60_000, assetId = "a1"): Client {
  const client = { acknowledged: [] as number[], closed: [] as CloseReason[], relieved: 0 };
  const session = intake.openSession(
    { assetId: assetId as AssetId, clientId, keepAliveMs },
    {
      acknowledge: (packetId) => client.acknowledged.push(packetId),
      relieved: () => {
        client.relieved += 1;
      },
      close: (reason) => client.closed.push(reason),
    },
  );
  return Object.assign(client, { session });
}

function send(
  client: Client,
  packetId: number,
  payload: unknown = { speed_kmh: packetId },
  more: { topic?: string; qos?: 0 | 1 | 2; dup?: boolean } = {},
): void {
  const { topic = TOPIC, qos = 1, dup = false } = more;
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
  intake.offer(
    client.session,
    new InboundMessage({ topic, payload: bytes, qos, dup, packetId }, nowMs),
  );
}

const readingsOf = (entries: readonly JournalEntry[]) =>
  entries.flatMap((entry) => (entry.type === "readings" ? entry.batch.readings : []));

const noticesOf = (entries: readonly JournalEntry[]) =>
  entries.flatMap((entry) => (entry.type === "readings" ? entry.notices : []));

describe("acknowledgement", () => {
  it("acknowledgement comes after the record is durable, in order of arrival, and not before", () => {
    const client = connect();
    send(client, 7);
    send(client, 3);
    expect(client.acknowledged).toEqual([]);

    journal.commit();

    expect(client.acknowledged).toEqual([7, 3]);
    expect(readingsOf(journal.entries()).map(({ fields }) => fields)).toEqual([
      { speed_kmh: 7 },
      { speed_kmh: 3 },
    ]);
  });

  it("acknowledgement is not given for a QoS 0 message, which is stored all the same", () => {
    const client = connect();
    send(client, 0, { speed_kmh: 1 }, { qos: 0 });
    journal.commit();

    expect(client.acknowledged).toEqual([]);
    expect(intake.stats()["readings"]).toBe(1);
  });

  it("acknowledgement is not given after the connection went, though the message is stored", () => {
    const client = connect();
    send(client, 1);
    client.session.close();
    journal.commit();

    expect(client.acknowledged).toEqual([]);
    expect(journal.records).toHaveLength(1);
  });

  it("acknowledgement answers a message of aedes through its own reply", () => {
    const client = connect();
    const answers: (Error | undefined)[] = [];
    const message = {
      topic: TOPIC,
      payload: Buffer.from("{}"),
      qos: 2 as const,
      dup: false,
      packetId: 9,
    };
    intake.offer(
      client.session,
      new InboundMessage(message, nowMs, (error) => answers.push(error)),
    );
    journal.commit();

    expect(answers).toEqual([undefined]);
    expect(client.acknowledged).toEqual([]);
  });
});

describe("a message of which one reading is impossible", () => {
  const good = [
    { latitude: 52.5, longitude: 13.4 },
    { latitude: 52.6, longitude: 13.4 },
  ];
  const bad = { latitude: 95, longitude: 13.4 };
  const reason =
    "1 of 3 readings refused, the others are stored: reading 2: latitude 95 is outside -90 to 90";

  it("a message of which one reading is impossible is acknowledged when its other readings are stored and the impossible one is in quarantine", () => {
    const client = connect();
    send(client, 7, [...good, bad]);
    expect(client.acknowledged).toEqual([]);
    journal.commit(1);
    expect(client.acknowledged).toEqual([]);
    journal.commit();

    expect(client.acknowledged).toEqual([7]);
    expect(readingsOf(journal.entries()).map(({ fields }) => fields)).toEqual(good);
    const quarantined = journal
      .entries()
      .flatMap((entry) => (entry.type === "quarantined" ? [entry.message] : []));
    expect(quarantined).toMatchObject([{ reason }]);
    expect(Buffer.from(quarantined[0]?.payload ?? []).toString()).toBe(JSON.stringify([bad]));
    expect(intake.stats()).toMatchObject({ readings: 2, quarantined_malformed: 1 });
    expect(messages.view("a1" as AssetId).messages).toMatchObject([
      { outcome: "quarantined", reason, readings: 2 },
    ]);
  });

  it("a message of which one reading is impossible is read again, once it was corrected, in a place in time of its own behind the others", () => {
    send(connect(), 7, [...good, bad]);
    send(connect(), 8, [{ speed_kmh: 3 }]);
    journal.commit();
    const places = readingsOf(journal.entries()).map(({ fixTimeMs }) => fixTimeMs);
    const [entry] = journal
      .entries()
      .flatMap((one) => (one.type === "quarantined" ? [one.message] : []));
    expect([...places, entry?.receivedAtMs]).toEqual([NOW, NOW + 1, NOW + 3, NOW + 2]);
  });

  it("a message of which one reading is impossible stores no reading twice when the journal stops between its two records", () => {
    const client = connect();
    send(client, 7, [...good, bad]);
    journal.commit(1);
    journal.become("full");
    pass(1_000);
    journal.become("open");
    pass(1_000);
    journal.commit();

    expect(client.acknowledged).toEqual([7]);
    expect(readingsOf(journal.entries())).toHaveLength(2);
    expect(journal.entries().filter(({ type }) => type === "quarantined")).toHaveLength(1);
  });

  it("a message of which one reading is impossible is known when it is sent again after a restart", async () => {
    send(connect(), 7, [...good, bad]);
    journal.commit();
    intake.close();
    await open();
    const again = connect();
    send(again, 7, [...good, bad], { dup: true });
    journal.commit();

    expect(again.acknowledged).toEqual([7]);
    expect(journal.records).toHaveLength(2);
  });

  it("a message of which one reading is impossible is not known when it is sent again after a crash that only its first record survived", async () => {
    const message = [{ ...good[0], timestamp: NOW - 1_000 }, bad];
    send(connect(), 7, message);
    journal.commit(1);
    intake.close();
    journal = manualJournal(journal.records);
    await open();
    const again = connect();
    send(again, 7, message, { dup: true });
    expect(again.acknowledged).toEqual([]);
    journal.commit();

    expect(again.acknowledged).toEqual([7]);
    const entries = journal.entries();
    expect(entries.map(({ type }) => type)).toEqual(["readings", "readings", "quarantined"]);
    // The same reading at the same place in time: what reads the journal keeps it once.
    const [first, second] = readingsOf(entries);
    expect(second).toEqual(first);
  });
});

describe("time", () => {
  it("keeps a possible time, and replaces an impossible one by the receive time, raw time kept", () => {
    const client = connect();
    const impossible = NOW + 3_600_000;
    send(client, 1, [{ timestamp: NOW - 5_000, seq: 4 }, { timestamp: impossible }, {}]);
    journal.commit();

    expect(
      readingsOf(journal.entries()).map(({ fixTimeMs, timeSource, rawTimeMs, seq }) => ({
        fixTimeMs,
        timeSource,
        rawTimeMs,
        seq,
      })),
    ).toEqual([
      { fixTimeMs: NOW - 5_000, timeSource: "device", rawTimeMs: undefined, seq: 4 },
      { fixTimeMs: NOW, timeSource: "received", rawTimeMs: impossible, seq: -1 },
      { fixTimeMs: NOW + 1, timeSource: "received", rawTimeMs: undefined, seq: -1 },
    ]);
    expect(intake.stats()).toMatchObject({ impossible_time: 1, without_time: 1 });
  });

  it.each([
    ["seconds in place of milliseconds", NOW / 1_000],
    ["a thousand times a possible time, so that its unit is another", NOW * 1_000],
    ["ahead of the server's clock", NOW + 3_600_000],
    ["older than readings are kept", NOW - 91 * 86_400_000],
  ])("notes a time that is %s, as an event once in 24 h", (why, timestamp) => {
    const client = connect();
    send(client, 1, { timestamp });
    send(client, 2, { timestamp });
    journal.commit();

    expect(noticesOf(journal.entries())).toMatchObject([
      {
        kind: "suspect_value",
        data: {
          ...{ name: "timestamp", value: timestamp },
          problem: `${why}; the time of receipt is used`,
        },
      },
    ]);
    expect(intake.stats()["suspect_values"]).toBe(2);
  });

  it("the receive clock never gives two readings without a time the same one, over all sessions of an asset", () => {
    const clients = [connect("c1"), connect("c2")];
    for (let i = 0; i < 400; i += 1) {
      for (const client of clients) send(client, i + 1);
      if (i % 100 === 0) pass(1);
    }
    journal.commit();

    const times = readingsOf(journal.entries()).map(({ fixTimeMs }) => fixTimeMs);
    expect(times).toHaveLength(800);
    expect(new Set(times).size).toBe(800);
  });

  it("the receive clock never gives one twice across a restart, though a burst was ahead of the clock", async () => {
    const burst = (client: Client) => {
      for (let i = 0; i < 3_000; i += 1) send(client, i + 1, { speed_kmh: 1 });
      journal.commit();
    };
    burst(connect());
    intake.close();
    pass(500);
    await open();
    burst(connect("c2"));

    const times = readingsOf(journal.entries()).map(({ fixTimeMs }) => fixTimeMs);
    expect(times).toHaveLength(6_000);
    expect(new Set(times).size).toBe(6_000);
    expect(intake.stats()).toMatchObject({ time_shared: 0 });
  });

  it("counts readings that share a time because the clock may lead no further than 5 min", () => {
    const client = connect();
    for (let message = 1; message <= 301; message += 1) {
      send(
        client,
        message,
        Array.from({ length: 1_000 }, () => ({})),
      );
      journal.commit();
    }

    expect(intake.stats()).toMatchObject({ without_time: 301_000, time_shared: 999 });
  });
});

describe("quarantine", () => {
  it.each([
    ["a payload that is not JSON", Buffer.from("{"), TOPIC, "payload is not JSON", "malformed"],
    [
      "a format that nobody reads",
      Buffer.from("{}"),
      "sites/p1/assets/a1/morse",
      'no decoder for the format "morse"',
      "unknown_format",
    ],
    [
      "a payload of 256 KiB and 1 byte",
      Buffer.alloc(262_145, 0x20),
      TOPIC,
      "262145 bytes; 262144 are allowed",
      "oversized",
    ],
  ])("quarantine takes %s and acknowledges it when that is durable", (_name, payload, topic, reason, kind) => {
    const client = connect();
    send(client, 5, payload, { topic });
    expect(client.acknowledged).toEqual([]);
    journal.commit();

    expect(client.acknowledged).toEqual([5]);
    expect(intake.stats()[`quarantined_${kind}`]).toBe(1);
    const [entry] = journal.entries();
    expect(entry).toMatchObject({ type: "quarantined", message: { reason, topic } });
    if (entry?.type !== "quarantined") throw new Error("not quarantined");
    expect(entry.message.payload.byteLength).toBe(Math.min(payload.length, 262_144));
  });

  it("quarantine leaves out the asset's 2,001st own name of a field, and stores the rest of the reading", () => {
    const client = connect();
    const named = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`made_up_${from + i}`, 1]));
    send(
      client,
      1,
      Array.from({ length: 40 }, (_, i) => named(i * 50, 50)),
    );
    send(client, 2, { ...named(0, 50), speed_kmh: 2 });
    send(client, 3, { ...named(1_999, 2), speed_kmh: 3 });
    send(client, 4, { fuel_level_percent: 4, speed_kmh: 4 });
    journal.commit();

    expect(client.acknowledged).toEqual([1, 2, 3, 4]);
    const stored = readingsOf(journal.entries());
    expect(stored.slice(40).map(({ fields }) => fields["speed_kmh"])).toEqual([2, 3, 4]);
    expect(stored[41]?.fields).toEqual({ made_up_1999: 1, speed_kmh: 3 });
    expect(noticesOf(journal.entries())).toMatchObject([
      { kind: "fields_left_out", data: { name: "made_up_2000", value: 1 } },
    ]);
    expect(intake.stats()).toMatchObject({ fields_left_out: 1, quarantined_malformed: 0 });
  });
});

describe("a reading with a value that is not believed", () => {
  const odd = { latitude: 52.5, longitude: 13.4, speed_kmh: 5_000, lattitude: 1 };

  it("a reading with an impossible value is stored with its position, and the value under a name that marks it", () => {
    send(connect(), 1, odd);
    journal.commit();

    expect(readingsOf(journal.entries()).map(({ fields }) => fields)).toEqual([
      { latitude: 52.5, longitude: 13.4, suspect_speed_kmh: 5_000, lattitude: 1 },
    ]);
    expect(intake.stats()).toMatchObject({ suspect_values: 1, near_miss_names: 1 });
  });

  it("a reading with an impossible value becomes one notice for each such value, again only after 24 h", () => {
    const client = connect();
    send(client, 1, odd);
    send(client, 2, { ...odd, seq: 2 });
    pass(86_399_999);
    send(client, 3, { ...odd, seq: 3 });
    journal.commit();
    const first = [
      {
        kind: "suspect_value",
        occurredAtMs: NOW,
        timeSource: "received",
        data: { name: "speed_kmh", value: 5_000, problem: "outside 0 to 1000" },
      },
      {
        kind: "near_miss",
        occurredAtMs: NOW,
        timeSource: "received",
        data: {
          name: "lattitude",
          value: "latitude",
          problem: "not a known name; did you mean latitude?",
        },
      },
    ];
    expect(noticesOf(journal.entries())).toEqual(first);

    pass(1);
    send(client, 4, { ...odd, seq: 4 });
    journal.commit();

    expect(noticesOf(journal.entries())).toHaveLength(4);
    expect(intake.stats()).toMatchObject({ suspect_values: 4, notices: 4 });
  });

  it("a reading with an impossible value is remarked on in the list of messages every time it comes", () => {
    const client = connect();
    send(client, 1, odd);
    send(client, 2, { ...odd, seq: 2 });
    send(client, 3, { speed_kmh: 5 });
    journal.commit();

    const lines = [
      "speed_kmh: outside 0 to 1000",
      "lattitude: not a known name; did you mean latitude?",
    ];
    const noted = messages.view("a1" as AssetId).messages.map(({ notices }) => notices);
    expect(noted).toEqual([undefined, lines, lines]);
  });

  it("a reading with an impossible value is reported by the message that is stored in the end, where the journal refused it first", () => {
    const client = connect();
    journal.become("full");
    send(client, 1, odd);
    journal.become("open");
    pass(1_000);
    journal.commit();

    expect(client.acknowledged).toEqual([1]);
    expect(noticesOf(journal.entries())).toHaveLength(2);
  });
});

describe("topics", () => {
  it.each([
    ["of another asset", "sites/p1/assets/a2/telemetry"],
    ["in capitals", "sites/p1/assets/A1/telemetry"],
    ["with a sixth level", "sites/p1/assets/a1/telemetry/x"],
    ["with ..", "sites/p1/assets/a1/../a2/telemetry"],
    ["with an empty project", "sites//assets/a1/telemetry"],
    ["of our events", "sites/p1/events/equipment.geofence.entered"],
    ["with a Cyrillic a", "sites/p1/assets/а1/telemetry"],
    ["of the broker", "$SYS/broker/uptime"],
    ["of 65,535 characters", "a".repeat(65_535)],
  ])("a topic %s is acknowledged, not stored, and journalled as foreign", (_name, topic) => {
    const client = connect();
    send(client, 8, { speed_kmh: 1 }, { topic });
    journal.commit();

    expect(client.acknowledged).toEqual([8]);
    expect(readingsOf(journal.entries())).toEqual([]);
    expect(journal.entries()).toMatchObject([
      { type: "foreign", publish: { assetId: "a1", topic: topic.slice(0, 256) } },
    ]);
    expect(intake.stats()["foreign"]).toBe(1);
  });

  it("intake stores under the asset's own project when the topic names another, and counts it", () => {
    const client = connect();
    send(client, 1, { speed_kmh: 1 }, { topic: "sites/elsewhere/assets/a1/telemetry" });
    journal.commit();

    expect(journal.entries()).toMatchObject([{ batch: { assetId: "a1", projectId: "p1" } }]);
    expect(intake.stats()["project_mismatch"]).toBe(1);
  });

  it("intake reports 150 foreign publishes of a minute as two events with their counts and stores good telemetry between them", () => {
    const client = connect();
    for (let i = 1; i <= 150; i += 1) send(client, i, {}, { topic: "elsewhere" });
    send(client, 151, { speed_kmh: 7 });
    pass(60_000);
    send(client, 152, {}, { topic: "elsewhere" });
    journal.commit();

    expect(client.closed).toEqual([]);
    expect(client.acknowledged).toHaveLength(152);
    const foreign = journal
      .entries()
      .flatMap((entry) => (entry.type === "foreign" ? [entry.publish.count] : []));
    expect(foreign).toEqual([1, 149]);
    expect(readingsOf(journal.entries())).toMatchObject([{ fields: { speed_kmh: 7 } }]);
    expect(intake.stats()["foreign"]).toBe(151);
  });

  it("intake closes the session of an asset that was deleted", () => {
    const client = connect();
    directory.change("a1", undefined);
    send(client, 1);

    expect(client.closed).toEqual(["asset_gone"]);
    expect(intake.stats()["asset_gone"]).toBe(1);
  });
});

describe("an asset that is registered with another format", () => {
  /** Registers a1 anew; its sessions go on. */
  function register(
    decoder: "owntracks" | "thingsboard" | "plumbline",
    hardware_id?: string,
  ): void {
    const entry = assetEntry("a1");
    const named = hardware_id === undefined ? {} : { hardware_id };
    directory.change("a1", { ...entry, asset: { ...entry.asset, decoder, ...named } });
  }
  const location = (lat: number) => ({ _type: "location", lat, lon: 13.4, tst: NOW / 1_000 });
  const seen = () =>
    journal
      .entries()
      .map((entry) => (entry.type === "readings" ? entry.batch.readings[0]?.fields : entry.type));

  it("an asset that is registered with another format is read by that format on the topic that ends in device, from the next message on", () => {
    const client = connect();
    const topic = "sites/p1/assets/a1/device";
    send(client, 1, { speed_kmh: 7 }, { topic });
    register("owntracks");
    send(client, 2, location(52), { topic });
    register("plumbline");
    send(client, 3, { speed_kmh: 8 }, { topic });
    journal.commit();

    expect(seen()).toMatchObject([{ speed_kmh: 7 }, { latitude: 52 }, { speed_kmh: 8 }]);
    expect(client.acknowledged).toEqual([1, 2, 3]);
  });

  it("an asset that is registered with another format has its vendor's topics in a session that is open already, and loses them with the registration", () => {
    const client = connect();
    const topic = "owntracks/fred/pixel";
    register("owntracks", "fred/pixel");
    send(client, 1, location(52), { topic });
    register("owntracks", "anna/pixel");
    send(client, 2, location(53), { topic });
    register("thingsboard");
    send(client, 3, { latitude: 54, longitude: 9 }, { topic: "v1/devices/me/telemetry" });
    journal.commit();

    expect(seen()).toMatchObject([{ latitude: 52 }, "foreign", { latitude: 54 }]);
    expect(intake.stats()).toMatchObject({ foreign: 1, project_mismatch: 0 });
  });

  it("telemetry of another format beside a ThingsBoard device's is counted, and never shuts the device out", () => {
    register("thingsboard");
    const client = connect();
    const asides = ["v1/devices/me/attributes", "v1/devices/me/attributes/request/1", "v2/a/j"];
    for (let i = 0; i < 60; i += 1) {
      for (const topic of asides) send(client, 1, { firmware: "1.0" }, { topic });
    }
    send(client, 2, { latitude: 54, longitude: 9 }, { topic: "v2/t/j" });
    const gateway = { "Device A": [{ ts: NOW, values: { fuel: 50 } }] };
    send(client, 3, gateway, { topic: "v1/gateway/telemetry" });
    journal.commit();

    expect(client.closed).toEqual([]);
    expect(journal.entries().map(({ type }) => type)).toEqual(["readings", "quarantined"]);
    expect(intake.stats()).toMatchObject({ messages_ignored: 180, readings: 1, foreign: 0 });
  });

  it("an asset that is registered with another format is put in quarantine under the name of the format that could not read it", () => {
    register("owntracks");
    send(connect(), 1, Buffer.from("{"), { topic: "owntracks/a1/phone" });
    journal.commit();

    expect(journal.entries()).toMatchObject([
      { type: "quarantined", message: { format: "owntracks", topic: "owntracks/a1/phone" } },
    ]);
  });
});

describe("messages that are not readings", () => {
  const topic = "sites/p1/assets/a1/owntracks";
  const transition = (tst: number) => ({
    _type: "transition",
    event: "enter",
    desc: "Gate 3",
    lat: 48.8,
    lon: 2.3,
    tst,
  });

  it("a message without readings is journalled as a notice at its own time, or at the receive time when that is impossible", () => {
    const client = connect();
    send(client, 1, transition(NOW / 1_000 - 60), { topic });
    send(client, 2, transition(NOW / 1_000 + 3_600), { topic });
    send(client, 3, { _type: "lwt", tst: 1 }, { topic });
    expect(client.acknowledged).toEqual([]);
    journal.commit();

    expect(client.acknowledged).toEqual([1, 2, 3]);
    const gate = { event: "enter", desc: "Gate 3", lat: 48.8, lon: 2.3 };
    expect(
      journal.entries().map((entry) => (entry.type === "readings" ? entry.notices : entry)),
    ).toEqual([
      [{ kind: "transition", occurredAtMs: NOW - 60_000, timeSource: "device", data: gate }],
      [{ kind: "transition", occurredAtMs: NOW, timeSource: "received", data: gate }],
      [{ kind: "last_will", occurredAtMs: NOW, timeSource: "received", data: { tst: 1 } }],
    ]);
    expect(intake.stats()).toMatchObject({ notices: 3, readings: 0, messages_ignored: 0 });
  });

  it("a message without readings is known when it comes again, also after a restart", async () => {
    send(connect(), 9, transition(NOW / 1_000), { topic });
    journal.commit();
    intake.close();
    await open();
    const again = connect();
    send(again, 9, transition(NOW / 1_000), { topic, dup: true });

    expect(again.acknowledged).toEqual([9]);
    expect(journal.records).toHaveLength(1);
  });

  it("a message without readings is acknowledged in its turn and counted, without a record, when it is to be ignored", () => {
    const client = connect();
    const waypoint = { _type: "waypoint", desc: "x", lat: 1, lon: 2, tst: 1 };
    send(client, 1, waypoint, { topic });
    expect(client.acknowledged).toEqual([1]);
    send(client, 2);
    send(client, 3, waypoint, { topic });
    expect(client.acknowledged).toEqual([1]);
    journal.commit();

    expect(client.acknowledged).toEqual([1, 2, 3]);
    expect(journal.records).toHaveLength(1);
    expect(intake.stats()).toMatchObject({ messages_ignored: 2, readings: 1, notices: 0 });
  });

  it("a message without readings comes one level below the app's own topic on ours too, and never shuts the app out", () => {
    const client = connect();
    send(client, 1, transition(NOW / 1_000), { topic: `${topic}/event` });
    const waypoints = { _type: "waypoints", waypoints: [] };
    for (let i = 0; i < 200; i += 1) send(client, 2, waypoints, { topic: `${topic}/waypoints` });
    journal.commit();

    expect(client.closed).toEqual([]);
    expect(intake.stats()).toMatchObject({ notices: 1, messages_ignored: 200, foreign: 0 });
  });

  it("a message without readings waits like everything else while the journal takes nothing", () => {
    const client = connect();
    journal.become("full");
    send(client, 1, { _type: "waypoints", waypoints: [] }, { topic });
    expect(client.acknowledged).toEqual([]);
    journal.become("open");
    pass(250);

    expect(client.acknowledged).toEqual([1]);
    expect(intake.stats()["messages_ignored"]).toBe(1);
  });

  it("a message without readings is charged to the device's rate", () => {
    const client = connect("c1", 10_000);
    for (let i = 1; i <= 5_020; i += 1) {
      send(client, (i % 60_000) + 1, { _type: "waypoints", waypoints: [] }, { topic });
    }
    expect(client.acknowledged).toHaveLength(5_000);
    pass(1_000);
    expect(client.acknowledged).toHaveLength(5_020);
  });
});

describe("a resent message", () => {
  it("a resent message is acknowledged and not stored again within 10 min", () => {
    send(connect(), 4, { speed_kmh: 1 });
    journal.commit();
    pass(9 * 60_000);
    const again = connect();
    send(again, 4, { speed_kmh: 1 }, { dup: true });

    expect(again.acknowledged).toEqual([4]);
    expect(journal.records).toHaveLength(1);
    expect(intake.stats()["dup_dropped"]).toBe(1);
  });

  it("a resent message is known after a restart from the journal", async () => {
    send(connect(), 4, { speed_kmh: 1 });
    journal.commit();
    intake.close();
    await open();
    const again = connect();
    send(again, 4, { speed_kmh: 1 }, { dup: true });

    expect(again.acknowledged).toEqual([4]);
    expect(journal.records).toHaveLength(1);
  });

  it("a resent message is known after a restart among 20,000 older records", async () => {
    const client = connect();
    send(client, 1);
    journal.commit();
    const [record] = journal.records;
    if (record === undefined) throw new Error("nothing was journalled");
    const old = Array.from({ length: 20_000 }, (_, i) => ({
      ...record,
      sequence: i + 1,
      timeMs: NOW - 3_600_000,
    }));
    intake.close();
    journal = manualJournal([...old, { ...record, sequence: 20_001 }]);
    await open();
    const again = connect();
    send(again, 1, undefined, { dup: true });
    send(again, 2, undefined, { dup: true });
    journal.commit();

    expect(again.acknowledged).toEqual([1, 2]);
    expect(intake.stats()["dup_dropped"]).toBe(1);
  });

  it("a resent message is acknowledged only after the original is durable, and keeps its turn", () => {
    send(connect(), 4, { speed_kmh: 1 });
    const again = connect();
    send(again, 4, { speed_kmh: 1 }, { dup: true });
    send(again, 5, { speed_kmh: 2 });
    expect(again.acknowledged).toEqual([]);

    journal.commit();
    expect(again.acknowledged).toEqual([4]);
    journal.commit();

    expect(again.acknowledged).toEqual([4, 5]);
    expect(journal.records).toHaveLength(2);
  });

  it("a resent message waits for its own original alone: a backlog of them is one commit", () => {
    const backlog = Array.from({ length: 100 }, (_, i) => i + 1);
    const clients = [connect(), connect("other")];
    for (const packetId of backlog) {
      for (const client of clients) send(client, packetId, undefined, { dup: true });
    }
    journal.commit();

    expect(clients.map(({ acknowledged }) => acknowledged)).toEqual([backlog, backlog]);
    expect(journal.records).toHaveLength(200);
  });

  it("a resent message is stored once when it comes twice before the journal has it", () => {
    const client = connect();
    send(client, 4, { speed_kmh: 1 }, { dup: true });
    const again = connect();
    send(again, 4, { speed_kmh: 1 }, { dup: true });
    send(again, 4, { speed_kmh: 1 }, { dup: true });
    journal.commit();
    journal.commit();

    expect(client.acknowledged).toEqual([4]);
    expect(again.acknowledged).toEqual([4, 4]);
    expect(journal.records).toHaveLength(1);
  });

  it("a resent message is stored when the original was refused by the disk", () => {
    const first = connect();
    send(first, 4, { speed_kmh: 1 });
    const again = connect();
    send(again, 4, { speed_kmh: 1 }, { dup: true });
    first.session.close();
    journal.become("full");
    journal.become("open");
    pass(250);
    journal.commit();

    expect(again.acknowledged).toEqual([4]);
    expect(readingsOf(journal.entries())).toHaveLength(1);
  });

  it("a resent message with another payload, another client id or without DUP is a message of its own", () => {
    send(connect(), 4, { speed_kmh: 1 });
    journal.commit();
    send(connect(), 4, { speed_kmh: 2 }, { dup: true });
    send(connect("other"), 4, { speed_kmh: 1 }, { dup: true });
    send(connect(), 4, { speed_kmh: 1 });
    journal.commit();
    journal.commit();

    expect(journal.records).toHaveLength(4);
    expect(intake.stats()["dup_dropped"]).toBe(0);
  });

  it("is not a message of another asset, nor of a client id that was made to have the same CRC-32", () => {
    const [chosen, victim] = ["client-3t7-xdhior", "client-gc6-hvglw6"];
    expect(crc32(chosen)).toBe(crc32(victim));
    send(connect(chosen), 4, { speed_kmh: 1 });
    directory.change("a2", assetEntry("a2"));
    const topic = TOPIC.replace("a1", "a2");
    send(connect("shared", 60_000, "a2"), 5, { speed_kmh: 1 }, { topic });
    journal.commit();
    send(connect(victim), 4, { speed_kmh: 1 }, { dup: true });
    send(connect("shared"), 5, { speed_kmh: 1 }, { dup: true });
    journal.commit();

    expect(readingsOf(journal.entries())).toHaveLength(4);
    expect(intake.stats()["dup_dropped"]).toBe(0);
  });
});

describe("the rate of 20 readings/s after a burst of 5,000", () => {
  it("the rate of 20 readings/s after a burst of 5,000 holds back acknowledgements by debt / rate, drops nothing, and reads on afterwards", () => {
    const client = connect();
    const backlog = Array(1_000).fill({ speed_kmh: 1 });
    for (let i = 1; i <= 5; i += 1) send(client, i, backlog);
    send(client, 6, Array(40).fill({}));
    journal.commit();

    expect(client.acknowledged).toEqual([1, 2, 3, 4, 5]);
    expect(client.session.congested).toBe(true);
    pass(1_999);
    expect(client.acknowledged).toHaveLength(5);
    pass(1);

    expect(client.acknowledged).toHaveLength(6);
    expect(client.session.congested).toBe(false);
    expect(client.relieved).toBe(1);
    expect(intake.stats()).toMatchObject({ readings: 5_040, throttled: 1 });
  });

  it("the rate of 20 readings/s after a burst of 5,000 holds back no longer than half the keep-alive, so that the link survives", () => {
    const client = connect("c1", 10_000);
    for (let i = 1; i <= 6; i += 1) send(client, i, Array(1_000).fill({}));
    journal.commit();
    pass(5_000);

    expect(client.acknowledged).toHaveLength(6);
  });

  it("the rate limit is reported to the asset's connections once a minute while it holds answers back", () => {
    const held: string[] = [];
    const identity = { assetId: "a1" as AssetId, clientId: "c1", keepAliveMs: 60_000 };
    const client = Object.assign(connect(), {
      session: intake.openSession(identity, {
        ...{ acknowledge: () => undefined, relieved: () => undefined, close: () => undefined },
        held: (detail) => held.push(detail),
      }),
    });
    const sendMore = (id: number, readings: number): void => {
      send(client, id, Array(readings).fill({}));
      journal.commit();
    };
    for (let i = 1; i <= 5; i += 1) sendMore(i, 1_000);
    expect(held).toEqual([]);
    sendMore(6, 40);
    sendMore(7, 40);
    pass(59_999);
    sendMore(8, 1_000);
    sendMore(9, 1_000);
    expect(held).toEqual(["answer held 2000 ms: over DEVICE_READINGS_PER_S"]);
    pass(1);
    sendMore(10, 1_000);

    expect(held).toHaveLength(2);
  });

  it("the rate of 20 readings/s after a burst of 5,000 is one for all sessions of an asset", () => {
    for (let i = 1; i <= 5; i += 1) send(connect(`c${i}`), i, Array(1_000).fill({}));
    const last = connect("last");
    send(last, 1, {});
    journal.commit();

    expect(last.acknowledged).toEqual([]);
    pass(50);
    expect(last.acknowledged).toEqual([1]);
  });
});

describe("while the journal is full", () => {
  it("intake with a full journal holds QoS 1 messages in order and acknowledges them when there is room again", () => {
    const client = connect();
    send(client, 1);
    journal.become("full");
    send(client, 2);
    send(client, 3);
    expect(client.session.congested).toBe(true);
    expect(intake.accepting).toBe(false);
    pass(5_000);
    journal.become("open");
    pass(1);
    journal.commit();

    expect(client.acknowledged).toEqual([1, 2, 3]);
    expect(readingsOf(journal.entries()).map(({ fields }) => fields["speed_kmh"])).toEqual([
      1, 2, 3,
    ]);
    expect(client.relieved).toBe(1);
    expect(intake.stats()).toMatchObject({ held: 3, held_bytes: 0, held_closed: 0 });
  });

  it("intake with a full journal drops QoS 0 messages and counts them", () => {
    journal.become("full");
    const client = connect();
    send(client, 0, {}, { qos: 0 });
    journal.become("open");
    pass(1_000);
    journal.commit();

    expect(journal.records).toEqual([]);
    expect(intake.stats()["dropped_qos0"]).toBe(1);
  });

  it.each([
    ["15 s when the keep-alive is longer", 60_000, 15_000],
    ["15 s without a keep-alive", 0, 15_000],
    ["the keep-alive when that is 5 s", 5_000, 5_000],
  ])("intake with a full journal closes the connection after %s", (_name, keepAliveMs, holdMs) => {
    journal.become("failed");
    const client = connect("c1", keepAliveMs);
    send(client, 1);
    pass(holdMs - 1);
    expect(client.closed).toEqual([]);
    pass(251);

    expect(client.closed).toEqual(["held_too_long"]);
    expect(client.acknowledged).toEqual([]);
    expect(intake.stats()["held_bytes"]).toBe(0);
  });

  it("intake with a full journal closes connections rather than hold more than 256 MiB", () => {
    journal.become("full");
    const payload = Buffer.alloc(1024 * 1024);
    const clients = Array.from({ length: 300 }, (_, i) => connect(`c${i}`));
    for (const client of clients) send(client, 1, payload);

    expect(clients.filter(({ closed }) => closed.includes("held_too_much"))).toHaveLength(44);
    expect(intake.stats()["held_bytes"]).toBe(256 * 1024 * 1024);
  });

  it("intake with a full journal forgets what it held for a connection that went away", () => {
    journal.become("full");
    const client = connect();
    send(client, 1);
    client.session.close();
    pass(250);

    expect(intake.stats()["held_bytes"]).toBe(0);
    journal.become("open");
    pass(250);
    journal.commit();
    expect(journal.records).toEqual([]);
  });
});

describe("back pressure", () => {
  it("back pressure stops reading beyond 4,000 unanswered messages, and resumes after the commit", () => {
    const client = connect();
    for (let i = 1; i <= 4_000; i += 1) send(client, i, {});
    expect(client.session.congested).toBe(false);
    send(client, 4_001, {});
    expect(client.session.congested).toBe(true);
    journal.commit();

    expect(client.acknowledged).toHaveLength(4_001);
    expect(client.relieved).toBe(1);
  });
});

describe("what became of a message", () => {
  const fates = () =>
    messages
      .view("a1" as AssetId)
      .messages.map(({ outcome, reason, readings }) => ({ outcome, reason, readings }))
      .reverse();

  it("the outcome of a message is noted once it is settled: stored, late, duplicate, quarantined, foreign or ignored", () => {
    const client = connect();
    send(client, 1, { timestamp: NOW, speed_kmh: 1 });
    expect(fates()).toEqual([]);
    journal.commit();
    send(client, 2, { timestamp: NOW - 60_000, speed_kmh: 2 });
    journal.commit();
    send(client, 1, { timestamp: NOW, speed_kmh: 1 }, { dup: true });
    send(client, 3, Buffer.from("{"));
    journal.commit();
    send(client, 4, { speed_kmh: 3 }, { topic: "sites/p1/assets/a2/telemetry" });
    send(client, 5, { _type: "card" }, { topic: "sites/p1/assets/a1/owntracks" });
    journal.commit();
    const fate = { reason: undefined, readings: 0 };
    expect(fates()).toEqual([
      { ...fate, outcome: "stored", readings: 1 },
      { ...fate, outcome: "late", readings: 1 },
      { ...fate, outcome: "duplicate" },
      { ...fate, outcome: "quarantined", reason: expect.stringContaining("JSON") },
      { ...fate, outcome: "foreign_topic" },
      { ...fate, outcome: "ignored" },
    ]);
    const [newest] = messages.view("a1" as AssetId).messages.slice(-1);
    expect(newest).toMatchObject({ topic: TOPIC, qos: 1, receivedAtMs: NOW, newestFixMs: NOW });
  });

  it("the outcome of a message that the journal refused and that is held is not noted yet", () => {
    const client = connect();
    send(client, 1);
    journal.become("full");
    expect(fates()).toEqual([]);
  });
});

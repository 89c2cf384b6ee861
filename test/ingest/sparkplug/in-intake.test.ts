import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { LinkLog } from "../../../ingest/broker/link-log.ts";
import type { LinkFollower } from "../../../ingest/broker/live-sessions.ts";
import { withReachable } from "../../../ingest/broker/reachable-links.ts";
import type { AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import { InboundMessage } from "../../../ingest/intake/inbound-message.ts";
import { createIntake, type Intake } from "../../../ingest/intake/intake.ts";
import type { IntakeSession } from "../../../ingest/intake/session.ts";
import type { JournalEntry } from "../../../ingest/journal-record/journal-record.ts";
import type { Journal } from "../../../storage/ports/journal.ts";
import {
  assetEntry,
  type FixedDirectory,
  fixedDirectory,
  PEPPER,
} from "../../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { born, byAlias, byName, type EdgeMessage, edgePayload, SENT_MS } from "./edge-messages.ts";

const NOW = SENT_MS + 60_000;

interface Client {
  readonly session: IntakeSession;
  readonly acknowledged: number[];
  readonly closed: string[];
}

let nowMs: number;
let journal: ManualJournal;
/** Appends that are refused, by their number from the next on. */
let refused: ReadonlySet<number>;
/** What the journal throws at every append. */
let broken: Error | undefined;
let directory: FixedDirectory;
let intake: Intake;
let links: string[];
let commands: string[];

const entryOf = (id: string, hardware_id: string, projectId = "p1"): AssetEntry => {
  const entry = assetEntry(id, projectId);
  return { ...entry, asset: { ...entry.asset, decoder: "sparkplug", hardware_id } };
};

const noted: LinkFollower = {
  opened: (assetId) => {
    links.push(`${assetId} up`);
  },
  closed: (assetId, end) => {
    links.push(`${assetId} ${end}`);
  },
};
let follower: LinkFollower;

/** The journal, but for what is refused. */
function refusing(): Journal {
  let count = 0;
  return Object.create(journal, {
    append: {
      value: (...[kind, timeMs, body, done]: Parameters<Journal["append"]>) => {
        count += 1;
        if (broken !== undefined) throw broken;
        if (!refused.has(count)) return journal.append(kind, timeMs, body, done);
        done(new DomainError("JOURNAL_FULL", "full"));
        return 0;
      },
    },
  }) as Journal;
}

async function open(followsSessions = true): Promise<void> {
  intake = await createIntake({
    journal: refusing(),
    directory,
    pepper: PEPPER,
    settings: { retentionDays: 90, deviceReadingsPerS: 20, deviceBurstReadings: 5_000 },
    outlet: {
      links: {
        opened: (assetId) => follower.opened(assetId),
        closed: (assetId, end) => follower.closed(assetId, end),
      },
      followsSessions,
      command: (topic) => commands.push(topic),
    },
    now: () => nowMs,
  });
}

beforeEach(async () => {
  vi.useFakeTimers({
    now: NOW,
    toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "setImmediate"],
  });
  nowMs = NOW;
  refused = new Set();
  broken = undefined;
  links = [];
  follower = noted;
  commands = [];
  journal = manualJournal();
  directory = fixedDirectory([
    entryOf("edge", "g/e"),
    entryOf("pump", "g/e/pump"),
    entryOf("fan", "g/e/fan", "p2"),
  ]);
  await open();
});

afterEach(() => {
  intake.close();
  vi.useRealTimers();
});

function pass(ms: number): void {
  nowMs += ms;
  vi.advanceTimersByTime(ms);
}

function connect(clientId = "c1", willOf?: Client): Client {
  const acknowledged: number[] = [];
  const closed: string[] = [];
  const whose = { assetId: "edge" as AssetId, clientId, keepAliveMs: 60_000 };
  const identity = { ...whose, willOf: willOf?.session };
  const session = intake.openSession(identity, {
    acknowledge: (packetId) => acknowledged.push(packetId),
    relieved: () => undefined,
    close: (reason) => closed.push(reason),
  });
  return { session, acknowledged, closed };
}

let packetId = 0;

/** Sends `DDATA/pump` and the like. */
function send(
  client: Client,
  what: string,
  message: EdgeMessage,
  more: { readonly qos?: 0 | 1; readonly dup?: boolean; readonly packetId?: number } = {},
): void {
  const [type, device] = what.split("/");
  const topic = `spBv1.0/g/${type}/e${device === undefined ? "" : `/${device}`}`;
  const { qos = 1, dup = false } = more;
  packetId = more.packetId ?? packetId + 1;
  const payload = edgePayload(message);
  const packet = { topic, payload, qos, dup, packetId: qos === 0 ? 0 : packetId };
  intake.offer(client.session, new InboundMessage(packet, nowMs));
}

/** An edge node with two devices; the next seq is 3. */
function bear(client: Client, bdSeq = 1): void {
  send(client, "NBIRTH", { seq: 0, bdSeq, metrics: [born(1, "cpu", 20)] });
  send(client, "DBIRTH/pump", { seq: 1, metrics: [born(2, "flow", 5)] });
  send(client, "DBIRTH/fan", { seq: 2, metrics: [born(3, "spin", 700)] });
}

/** What the journal says, in short. */
function recorded(entries: readonly JournalEntry[] = journal.entries()): readonly unknown[] {
  return entries.map((entry) => {
    if (entry.type === "quarantined") return [entry.message.assetId, entry.message.reason];
    if (entry.type !== "readings") return entry.type;
    const { batch, notices } = entry;
    const fields = batch.readings.map((reading) => reading.fields);
    return [batch.assetId, batch.projectId, fields, notices.map(({ kind }) => kind)];
  });
}

/** Of a record of a gap, as {@link recorded} has it. */
function kindOf(record: unknown): string {
  const [, reasonOrProject, , notices] = record as [string, string, unknown, string[]?];
  if (reasonOrProject !== "p1") return "quarantined";
  return notices?.[0] ?? "values";
}

/** What became durable since. */
function recordedBy(act: () => void): readonly unknown[] {
  const before = journal.records.length;
  act();
  journal.commit();
  return recorded(journal.entries().slice(before));
}

describe("births and data of an edge node", () => {
  it("births and data of an edge node are readings and notices of the assets that they are about, in their own projects", () => {
    const client = connect();
    const births = recordedBy(() => bear(client));
    expect(births).toEqual([
      ["edge", "p1", [{ cpu: 20 }], ["birth"]],
      ["pump", "p1", [{ flow: 5 }], ["birth"]],
      ["fan", "p2", [{ spin: 700 }], ["birth"]],
    ]);
    const data = recordedBy(() =>
      send(client, "DDATA/fan", { seq: 3, metrics: [byAlias(3, 800)] }),
    );
    expect(data).toEqual([["fan", "p2", [{ spin: 800 }], []]]);
    expect(client.acknowledged).toHaveLength(4);
    expect(links).toEqual(["pump up", "fan up", "fan up"]);
    expect(commands).toEqual([]);
  });

  it("births and data of devices keep their edge node heard every 30 s, though it says nothing of itself", () => {
    const client = connect();
    bear(client);
    journal.commit();
    const speak = (seq: number) =>
      recordedBy(() => send(client, "DDATA/pump", { seq, metrics: [byAlias(2, seq)] })).length;
    pass(29_999);
    expect(speak(3)).toBe(1);
    pass(1);
    expect(speak(4)).toBe(2);
    expect(speak(5)).toBe(1);
  });

  it("births and data of an edge node keep what is historical apart", () => {
    const client = connect();
    bear(client);
    journal.commit();
    const old = { ...byAlias(2, 3), timestampMs: SENT_MS - 5_000, isHistorical: true };
    send(client, "DDATA/pump", { seq: 3, metrics: [old, byAlias(2, 9)] });
    journal.commit();
    const last = journal.entries().at(-1);
    expect(last?.type === "readings" && last.batch.readings).toMatchObject([
      { fields: { flow: 9 } },
      { fields: { flow: 3 }, fixTimeMs: SENT_MS - 5_000, isHistorical: true },
    ]);
  });

  it("births and data of an unregistered device are quarantined, with the name to register", () => {
    const client = connect();
    bear(client);
    journal.commit();
    const reason = 'nobody is registered with hardware_id "g/e/hoist" and decoder sparkplug';
    const birth = recordedBy(() =>
      send(client, "DBIRTH/hoist", { seq: 3, metrics: [born(9, "tension")] }),
    );
    expect(birth).toEqual([["edge", reason]]);
    expect(intake.stats()).toMatchObject({ sparkplug_unknown_devices: 1 });

    directory.change("hoist", entryOf("hoist", "g/e/hoist"));
    links = [];
    const data = recordedBy(() =>
      send(client, "DDATA/hoist", { seq: 4, metrics: [byAlias(9, 4)] }),
    );
    expect(data).toEqual([["hoist", "p1", [{ tension: 4 }], []]]);
    expect(links).toEqual(["hoist up"]);
  });

  it("messages with an impossible value are quarantined, and their births stay valid", () => {
    const client = connect();
    send(client, "NBIRTH", { seq: 0, bdSeq: 1, metrics: [born(1, "cpu", 20)] });
    journal.commit();
    const latitudes = [born(2, "latitude", 91), born(4, "longitude", 13), born(5, "flow", 1)];
    const birth = recordedBy(() => send(client, "DBIRTH/pump", { seq: 1, metrics: latitudes }));
    expect(birth).toMatchObject([
      ["pump", "p1", [], ["birth"]],
      ["edge", expect.stringContaining("latitude")],
    ]);
    const data = recordedBy(() => send(client, "DDATA/pump", { seq: 2, metrics: [byAlias(5, 6)] }));
    expect(data).toEqual([["pump", "p1", [{ flow: 6 }], []]]);
  });

  it("messages that are not protobuf leave a gap: their place in the sequence is not known", () => {
    const client = connect();
    bear(client);
    const topic = "spBv1.0/g/DDATA/e/pump";
    const packet = { topic, payload: Buffer.from("{}"), qos: 0 as const, dup: false, packetId: 0 };
    intake.offer(client.session, new InboundMessage(packet, nowMs));
    send(client, "DDATA/pump", { seq: 4, metrics: [byAlias(2, 6)] });
    journal.commit();
    expect(intake.stats()).toMatchObject({ quarantined_malformed: 1, sparkplug_gaps: 1 });
  });

  it.each([
    "NCMD",
    "DCMD/pump",
  ])("%s from a device is not a command: it is ignored and counted", (what) => {
    const client = connect();
    bear(client);
    journal.commit();
    expect(recordedBy(() => send(client, what, { metrics: [byName("flow", 9)] }))).toEqual([]);
    expect(intake.stats()["messages_ignored"]).toBe(1);
  });

  it("births and data of an edge node on a topic of ours are one payload by itself", () => {
    const client = connect();
    const topic = "sites/p1/assets/edge/sparkplug";
    const payload = edgePayload({ metrics: [byName("flow", 9)] });
    const packet = { topic, payload, qos: 1 as const, dup: false, packetId: 1 };
    intake.offer(client.session, new InboundMessage(packet, nowMs));
    journal.commit();
    expect(recorded()).toEqual([["edge", "p1", [{ flow: 9 }], []]]);
  });
});

describe("the rate of a device", () => {
  it("the rate of a device is its own: one that says too much holds no other's PUBACK back for long", () => {
    const client = connect();
    bear(client);
    journal.commit();
    const times = Array.from({ length: 1_000 }, (_, i) => ({
      ...byAlias(2, i),
      timestampMs: SENT_MS - i,
    }));
    // 5,000 readings at once are within the burst of each, though not of one for both.
    for (let seq = 3; seq < 7; seq += 1) send(client, "DDATA/pump", { seq, metrics: times });
    const ofFan = times.map((metric) => ({ ...metric, alias: 3 }));
    for (let seq = 7; seq < 11; seq += 1) send(client, "DDATA/fan", { seq, metrics: ofFan });
    journal.commit();
    expect(intake.stats()).toMatchObject({ readings: 8_003, throttled: 0 });
    expect(client.acknowledged).toHaveLength(11);
    for (let seq = 11; seq < 13; seq += 1) send(client, "DDATA/pump", { seq, metrics: times });
    journal.commit();
    // A birth of 2 and 5,000 readings: over the burst, and so is what follows.
    expect(intake.stats()).toMatchObject({ throttled: 2 });
  });
});

describe("a gap", () => {
  it("a gap is a notice of the edge node, and the request for a rebirth one in 10 s", () => {
    const client = connect();
    bear(client);
    journal.commit();
    const metrics = [byAlias(2, 6), byName("flow", 7)];
    const gap = recordedBy(() => send(client, "DDATA/pump", { seq: 5, metrics }));
    expect(gap).toEqual([
      ["pump", "p1", [{ flow: 7 }], []],
      ["edge", "p1", [], ["sequence_gap"]],
      ["edge", expect.stringContaining("a birth may have been missed")],
    ]);
    expect(commands).toEqual(["spBv1.0/g/NCMD/e"]);
    pass(9_999);
    send(client, "DDATA/pump", { seq: 6, metrics });
    pass(1);
    send(client, "DDATA/pump", { seq: 7, metrics });
    expect(commands).toHaveLength(2);
    expect(intake.stats()).toMatchObject({ sparkplug_gaps: 1, sparkplug_rebirths_requested: 2 });
  });
});

describe("deaths", () => {
  it("deaths of the edge node end the links of its devices; a stale one ends none", () => {
    const client = connect();
    bear(client, 5);
    journal.commit();
    links = [];
    const will = connect("will", client);
    const older = connect("will", connect("older"));
    expect(recordedBy(() => send(older, "NDEATH", { bdSeq: 4 }))).toEqual([]);
    expect(links).toEqual([]);
    expect(intake.reachableThrough("edge" as AssetId)).toEqual(["pump", "fan"]);

    const death = recordedBy(() => send(will, "NDEATH", { bdSeq: 5 }));
    expect(death).toEqual([["edge", "p1", [], ["death"]]]);
    expect(links).toEqual(["pump death", "fan death"]);
    expect(intake.reachableThrough("edge" as AssetId)).toEqual([]);
    expect(intake.stats()).toMatchObject({ sparkplug_stale_wills: 1, messages_ignored: 1 });
  });

  it("deaths of a connection that another one replaced is a stale one, though all have the same bdSeq", () => {
    const old = connect("old");
    bear(old, 0);
    const present = connect("present");
    bear(present, 0);
    journal.commit();
    links = [];
    expect(recordedBy(() => send(connect("will", old), "NDEATH", { bdSeq: 0 }))).toEqual([]);
    expect(links).toEqual([]);
    const data = recordedBy(() =>
      send(present, "DDATA/pump", { seq: 3, metrics: [byAlias(2, 6)] }),
    );
    expect(data).toEqual([["pump", "p1", [{ flow: 6 }], []]]);
    const death = recordedBy(() => send(connect("will", present), "NDEATH", { bdSeq: 0 }));
    expect(death).toEqual([["edge", "p1", [], ["death"]]]);
    expect(intake.stats()).toMatchObject({ sparkplug_stale_wills: 1 });
  });

  it("deaths by the connection of the birth are its deaths, though a client has the next bdSeq already", () => {
    const client = connect();
    bear(client, 5);
    journal.commit();
    const death = recordedBy(() => send(client, "NDEATH", { bdSeq: 6 }));
    expect(death).toEqual([["edge", "p1", [], ["death"]]]);
  });

  it("deaths at a foreign broker may come by another connection of ours than the births", async () => {
    intake.close();
    await open(false);
    bear(connect("before"), 3);
    links = [];
    send(connect("after"), "NDEATH", { bdSeq: 3 });
    expect(links).toEqual(["pump death", "fan death", "edge death"]);
  });

  it("deaths and births within 5 s leave no trace in the links; a death that stays is journalled", () => {
    const log = new LinkLog({ journal, directory, now: () => nowMs });
    journal.commit();
    follower = log;
    const client = connect();
    bear(client);
    send(client, "DDEATH/pump", { seq: 3 });
    pass(4_000);
    bear(client);
    send(client, "DDEATH/fan", { seq: 3 });
    pass(5_500);
    journal.commit();
    log.close();
    const changes = journal.entries().flatMap((one) => (one.type === "link" ? [one.change] : []));
    expect(changes.map(({ assetId, projectId, end = "up" }) => [assetId, projectId, end])).toEqual([
      ["pump", "p1", "up"],
      ["fan", "p2", "up"],
      ["fan", "p2", "death"],
    ]);
  });

  it("deaths of the session are those of its devices, where sessions are followed", () => {
    bear(connect());
    links = [];
    withReachable(follower, intake).closed("edge" as AssetId, "cut");
    expect(links).toEqual(["edge cut", "pump cut", "fan cut"]);
  });

  it("deaths are all that is known of an edge node at a foreign broker", async () => {
    intake.close();
    await open(false);
    const client = connect();
    bear(client);
    send(client, "NDEATH", { bdSeq: 1 });
    expect(links).toEqual([
      ...["edge up", "pump up", "fan up"],
      ...["pump death", "fan death", "edge death"],
    ]);
  });
});

describe("the links of devices behind an edge node", () => {
  it("the links of devices behind an edge node end with the name: who had it is gone when it is given to another, and not before", () => {
    const client = connect();
    bear(client);
    links = [];
    directory.change("pump", entryOf("pump", "g/elsewhere/pump"));
    directory.change("spare", entryOf("spare", "g/e/pump"));
    send(client, "DDATA/pump", { seq: 3, metrics: [byAlias(2, 6)] });
    expect(links).toEqual(["pump death", "spare up"]);
    expect(intake.reachableThrough("edge" as AssetId)).toEqual(["spare", "fan"]);
  });

  it("the links of devices behind an edge node end with the session, whatever the devices are called by then", () => {
    const client = connect();
    bear(client);
    links = [];
    directory.change("pump", entryOf("pump", "g/elsewhere/pump"));
    withReachable(follower, intake).closed("edge" as AssetId, "cut");
    expect(links).toEqual(["edge cut", "pump cut", "fan cut"]);
  });

  it("the links of devices behind an edge node end when the edge node is registered as another one and says so", () => {
    const client = connect();
    bear(client);
    links = [];
    directory.change("edge", entryOf("edge", "g/e2"));
    const payload = edgePayload({ seq: 0, bdSeq: 2 });
    const packet = {
      topic: "spBv1.0/g/NBIRTH/e2",
      payload,
      qos: 1 as const,
      dup: false,
      packetId: 9,
    };
    intake.offer(client.session, new InboundMessage(packet, nowMs));
    expect(links).toEqual(["pump death", "fan death"]);
  });

  it("the links of devices behind an edge node end when the edge node is deleted", () => {
    bear(connect());
    links = [];
    directory.change("edge", undefined);
    expect(links).toEqual(["pump closed", "fan closed"]);
  });
});

describe("each message is taken once", () => {
  it("each message is taken once though the journal refuses it and takes it later", () => {
    const client = connect();
    bear(client);
    journal.commit();
    const gap = { seq: 5, metrics: [byAlias(2, 6)] };
    const after = recordedBy(() => {
      send(client, "DDATA/pump", { seq: 3, metrics: [byAlias(2, 6)] });
      send(client, "DDATA/pump", { seq: 4, metrics: [byAlias(2, 7)] });
      journal.become("full");
      send(client, "DDATA/pump", { seq: 5, metrics: [byAlias(2, 8)] });
      journal.become("open");
      pass(250);
    });
    expect(after).toEqual([6, 7, 8].map((flow) => ["pump", "p1", [{ flow }], []]));
    expect(client.acknowledged).toHaveLength(6);
    expect(intake.stats()).toMatchObject({ sparkplug_gaps: 0, held: 3 });
    send(client, "DDATA/pump", gap);
    expect(intake.stats()).toMatchObject({ sparkplug_gaps: 1 });
  });

  it.each([
    [1, ["sequence_gap", "quarantined", "values"]],
    [2, ["values", "quarantined", "sequence_gap"]],
    [3, ["values", "sequence_gap", "quarantined"]],
  ])("each message is taken once though the journal refuses record %i of 3, which follows as %j", (which, order) => {
    const client = connect();
    bear(client);
    journal.commit();
    // The births were three records.
    refused = new Set([3 + which]);
    const metrics = [byAlias(2, 6), byName("flow", 7)];
    const first = recordedBy(() => send(client, "DDATA/pump", { seq: 5, metrics }));
    expect([first.length, client.acknowledged.length]).toEqual([2, 3]);
    const second = recordedBy(() => pass(250));
    expect(client.acknowledged).toHaveLength(4);
    expect([...first, ...second].map(kindOf)).toEqual(order);
    expect(intake.stats()).toMatchObject({ sparkplug_gaps: 1, quarantined_unresolved: 1 });
  });

  it("a message that breaks after it waited costs its own session, not the process or another's", () => {
    const [client, other] = [connect(), connect("other")];
    bear(client);
    journal.commit();
    journal.become("full");
    send(client, "DDATA/pump", { seq: 3, metrics: [byAlias(2, 6)] });
    broken = new RangeError("too large");
    journal.become("open");
    pass(250);
    expect([client.closed, other.closed]).toEqual([["failed"], []]);
    expect(client.acknowledged).toHaveLength(3);
  });

  it("each message is taken once though it comes again with DUP after it is durable", () => {
    const client = connect();
    bear(client);
    const third = { seq: 3, metrics: [byAlias(2, 6)] };
    send(client, "DDATA/pump", third, { packetId: 77 });
    journal.commit();
    expect(
      recordedBy(() => send(client, "DDATA/pump", third, { packetId: 77, dup: true })),
    ).toEqual([]);
    expect(intake.stats()).toMatchObject({ dup_dropped: 1, sparkplug_gaps: 0 });
  });
});

describe("nothing is read by names that are not sure", () => {
  it("nothing is read by uncertain names after a message at QoS 0 was dropped because the journal was full", () => {
    const client = connect();
    bear(client);
    journal.commit();
    journal.become("full");
    send(client, "NBIRTH", { seq: 0, bdSeq: 1, metrics: [born(2, "cpu")] }, { qos: 0 });
    journal.become("open");
    // The number would fit the sequence before the birth that was lost.
    const data = recordedBy(() =>
      send(client, "NDATA", { seq: 3, metrics: [byAlias(1, 6)] }, { qos: 0 }),
    );
    expect(data).toMatchObject([["edge", expect.stringContaining("1 of 1 metrics")]]);
    expect(commands).toHaveLength(1);
  });

  it("nothing is read by uncertain names after a message at QoS 0 was refused though it had been taken", () => {
    const client = connect();
    bear(client);
    journal.commit();
    send(client, "DDATA/pump", { seq: 3, metrics: [byAlias(2, 6)] }, { qos: 0 });
    journal.become("full");
    journal.become("open");
    const next = recordedBy(() => send(client, "DDATA/pump", { seq: 4, metrics: [byAlias(2, 7)] }));
    expect(next).toMatchObject([["edge", expect.stringContaining("1 of 1 metrics")]]);
    expect(intake.stats()).toMatchObject({ dropped_qos0: 1, sparkplug_rebirths_requested: 1 });
  });

  it.each([
    ["is no protobuf", Buffer.from("{}")],
    ["is too large", Buffer.alloc(256 * 1024 + 1)],
  ])("nothing is read by uncertain names after an NBIRTH that %s, though the number behind it is the next of the one before", (_, payload) => {
    const client = connect();
    send(client, "NBIRTH", { seq: 0, bdSeq: 1, metrics: [born(1, "cpu", 20)] });
    const packet = {
      topic: "spBv1.0/g/NBIRTH/e",
      payload,
      qos: 1 as const,
      dup: false,
      packetId: 9,
    };
    intake.offer(client.session, new InboundMessage(packet, nowMs));
    journal.commit();
    const data = recordedBy(() => send(client, "NDATA", { seq: 1, metrics: [byAlias(1, 6)] }));
    expect(data).toMatchObject([["edge", expect.stringContaining("1 of 1 metrics")]]);
    expect(commands).toEqual(["spBv1.0/g/NCMD/e"]);
  });

  it("nothing is read by uncertain names after the session was taken over while messages of the old one waited", () => {
    const old = connect();
    bear(old);
    journal.commit();
    journal.become("full");
    send(old, "DDATA/pump", { seq: 3, metrics: [byAlias(2, 6)] });
    old.session.close();
    journal.become("open");
    const renamed = connect();
    const read = recordedBy(() => {
      // The new life has other aliases, and its first birth is lost.
      send(renamed, "DDATA/pump", { seq: 3, metrics: [byAlias(2, 55)] });
      pass(250);
    });
    expect(read).toEqual([["edge", "no NBIRTH on this connection yet"]]);
    send(renamed, "NBIRTH", { seq: 0, bdSeq: 2, metrics: [born(1, "cpu")] });
    send(renamed, "DBIRTH/pump", { seq: 1, metrics: [born(2, "pressure")] });
    journal.commit();
    const now = recordedBy(() =>
      send(renamed, "DDATA/pump", { seq: 2, metrics: [byAlias(2, 55)] }),
    );
    expect(now).toEqual([["pump", "p1", [{ pressure: 55 }], []]]);
  });

  it("nothing is read by uncertain names after a client sent again what an earlier connection left, behind the births of the new one", () => {
    const client = connect();
    bear(client);
    journal.commit();
    const left = { seq: 3, metrics: [byAlias(2, 6)] };
    const again = recordedBy(() => send(client, "DDATA/pump", left, { dup: true }));
    expect(again).toEqual([["edge", expect.stringContaining("1 of 1 metrics")]]);
    expect(commands).toHaveLength(1);
  });

  it("after a restart, when nothing is remembered", async () => {
    bear(connect());
    journal.commit();
    intake.close();
    await open(false);
    const client = connect();
    const data = recordedBy(() => send(client, "DDATA/pump", { seq: 3, metrics: [byAlias(2, 6)] }));
    expect(data).toContainEqual(["edge", "no NBIRTH on this connection yet"]);
    expect(commands).toEqual(["spBv1.0/g/NCMD/e"]);
    const births = recordedBy(() => bear(client));
    expect(births.map((one) => (one as unknown[])[3])).toEqual([[], [], []]);
  });
});

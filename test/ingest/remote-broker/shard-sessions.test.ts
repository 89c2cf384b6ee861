import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIntake, type Intake } from "../../../ingest/intake/intake.ts";
import { createCounters } from "../../../ingest/intake/readings/counters.ts";
import { REMOTE_COUNTERS } from "../../../ingest/remote-broker/counters.ts";
import { ShardSessions } from "../../../ingest/remote-broker/shard-sessions.ts";
import {
  assetEntry,
  type FixedDirectory,
  fixedDirectory,
  PEPPER,
} from "../../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { type ScriptedBroker, startScriptedBroker } from "../../support/scripted-broker.ts";
import { until } from "../../support/until.ts";

let broker: ScriptedBroker;
let journal: ManualJournal;
let directory: FixedDirectory;
let intake: Intake;
let sessions: ShardSessions;

/** An asset of `projectId` that runs the OwnTracks app as `hardware_id`. */
function phone(id: string, projectId: string, hardware_id: string) {
  const entry = assetEntry(id, projectId);
  return { ...entry, asset: { ...entry.asset, decoder: "owntracks" as const, hardware_id } };
}

beforeEach(async () => {
  broker = await startScriptedBroker();
  journal = manualJournal();
  directory = fixedDirectory([
    assetEntry("crane", "p1"),
    phone("van", "p1", "fred/pixel"),
    phone("lorry", "p2", "anna/pixel"),
  ]);
  const settings = { retentionDays: 90, deviceReadingsPerS: 1e6, deviceBurstReadings: 1e7 };
  intake = await createIntake({ journal, directory, pepper: PEPPER, settings });
  sessions = new ShardSessions({
    address: {
      host: "127.0.0.1",
      port: broker.port,
      username: undefined,
      password: undefined,
      tls: undefined,
    },
    intake,
    directory,
    journal,
    counters: createCounters(REMOTE_COUNTERS),
    mayConnect: () => true,
    now: Date.now,
    log: pino({ level: "silent" }),
    random: () => 0,
    // One shard for each project; p2 is another node's.
    shardOf: (projectId) => Number(projectId.slice(1)),
  });
});

afterEach(async () => {
  await broker.close();
  journal.commit();
  await sessions.close();
  intake.close();
});

/** Filters asked for by SUBSCRIBE so far, sorted. */
const subscribed = (): readonly string[] =>
  broker.heard
    .flatMap((packet) => (packet.cmd === "subscribe" ? packet.subscriptions : []))
    .map(({ topic }) => topic)
    .sort();

describe("the sessions of a node's shards", () => {
  it("the sessions of a node's shards are subscribed to the vendors' topics of the shard's assets, and follow their registrations", async () => {
    sessions.open([1]);
    await until("all are granted", () => sessions.gauges().remote_sessions_ready === 1, PATIENT_MS);
    expect(subscribed()).toEqual([
      "owntracks/fred/pixel/#",
      "owntracks/van/+/#",
      "sites/p1/assets/+/+",
      "sites/p1/assets/+/device/+",
      "sites/p1/assets/+/owntracks/+",
    ]);
    directory.change("van", phone("van", "p1", "carla"));
    const [, asked] = await broker.waitFor("subscribe", 2);
    expect(asked).toMatchObject({ subscriptions: [{ topic: "owntracks/carla/#", qos: 1 }] });
    const [left] = await broker.waitFor("unsubscribe");
    expect(left).toMatchObject({ unsubscriptions: ["owntracks/fred/pixel/#"] });
    // It moves away, to a project of another shard.
    directory.change("van", phone("van", "p2", "carla"));
    const gone = (await broker.waitFor("unsubscribe", 2))[1];
    expect(gone).toMatchObject({ unsubscriptions: ["owntracks/van/+/#", "owntracks/carla/#"] });
  });
});

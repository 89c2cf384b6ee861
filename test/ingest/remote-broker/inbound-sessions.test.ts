import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { createIntake, type Intake } from "../../../ingest/intake/intake.ts";
import { createCounters } from "../../../ingest/intake/readings/counters.ts";
import { REMOTE_COUNTERS } from "../../../ingest/remote-broker/counters.ts";
import { InboundSessions } from "../../../ingest/remote-broker/inbound-sessions.ts";
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
let sessions: InboundSessions;

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
});

/** Each project is a partition of its own. */
const partitionOf = (projectId: ProjectId): number => Number(projectId.slice(1));

function openSessions(ofProject?: (projectId: ProjectId) => number, leaveMs = 0): InboundSessions {
  return new InboundSessions({
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
    leaveMs,
    ...(ofProject === undefined ? {} : { partitionOf: ofProject }),
  });
}

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

const ready = (count: number) =>
  until(`${count} are ready`, () => sessions.gauges().remote_sessions_ready === count, PATIENT_MS);

const connected = (): readonly string[] =>
  broker.heard.flatMap((packet) => (packet.cmd === "connect" ? [packet.clientId] : []));

it("the only process has one session, subscribed to all devices' topics and those of vendors", async () => {
  sessions = openSessions();
  sessions.holdOnly();
  await ready(1);
  expect(connected()).toEqual(["plumbline-ingest"]);
  expect(subscribed()).toEqual([
    "owntracks/anna/pixel/#",
    "owntracks/fred/pixel/#",
    "owntracks/lorry/+/#",
    "owntracks/van/+/#",
    "sites/+/assets/+/+",
    "sites/+/assets/+/device/+",
    "sites/+/assets/+/owntracks/+",
  ]);
});

it("the session of a partition is subscribed to its projects and their vendors' topics, and follows registrations", async () => {
  sessions = openSessions(partitionOf);
  sessions.hold([1]);
  await ready(1);
  expect(connected()).toEqual(["plumbline-ingest-1"]);
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
  // It moves away, to a project of another partition.
  directory.change("van", phone("van", "p2", "carla"));
  const gone = (await broker.waitFor("unsubscribe", 2))[1];
  expect(gone).toMatchObject({ unsubscriptions: ["owntracks/van/+/#", "owntracks/carla/#"] });
});

it("a process has the sessions of its partitions, also of those without a project, and ends the others", async () => {
  sessions = openSessions(partitionOf);
  sessions.hold([1, 5]);
  await ready(2);
  expect([...connected()].sort()).toEqual(["plumbline-ingest-1", "plumbline-ingest-5"]);
  sessions.hold([5]);
  await broker.waitFor("disconnect");
  expect(sessions.gauges()).toEqual({ remote_sessions: 1, remote_sessions_ready: 1 });
});

it("a partition that comes back is connected again once its earlier connection has said goodbye", async () => {
  sessions = openSessions(partitionOf);
  sessions.hold([1]);
  await ready(1);
  sessions.hold([]);
  sessions.hold([1]);
  await until("it is connected again", () => connected().length === 2, PATIENT_MS);
  const order = broker.heard.map(({ cmd }) => cmd);
  expect(order.indexOf("disconnect")).toBeLessThan(order.lastIndexOf("connect"));
  // Given up before it could connect.
  sessions.hold([]);
  sessions.hold([1]);
  sessions.hold([]);
  await sessions.close();
  expect(connected()).toHaveLength(2);
});

it("vendors' topics of an asset that moves to another partition are read in both sessions for a while, and then in one", async () => {
  sessions = openSessions(partitionOf, 3_000);
  sessions.hold([1, 2]);
  await ready(2);
  directory.change("van", phone("van", "p2", "fred/pixel"));
  const [left] = await broker.waitFor("unsubscribe");
  expect(left).toMatchObject({ unsubscriptions: ["owntracks/van/+/#", "owntracks/fred/pixel/#"] });
  const order = broker.heard.map(({ cmd }) => cmd);
  expect(order.lastIndexOf("subscribe")).toBeLessThan(order.indexOf("unsubscribe"));
});

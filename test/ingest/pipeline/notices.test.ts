import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { NewEvent } from "../../../domain/events/events.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { createAssetTracks } from "../../../ingest/asset-state/live-assets.ts";
import { encodeHandedOver } from "../../../ingest/journal-record/handed-over.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import type { JournalledNotice } from "../../../ingest/journal-record/notice-list.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import { Pipeline } from "../../../ingest/pipeline/runner.ts";
import { createStages } from "../../../ingest/pipeline/stages.ts";
import { PipelineStep } from "../../../ingest/pipeline/step.ts";
import { wholeTerritory } from "../../../ingest/pipeline/territory.ts";
import { createPipelineCounters } from "../../../ingest/stages/stage.ts";
import type { Journal } from "../../../storage/ports/journal.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { fixedFences } from "../../support/fixed-fences.ts";
import { noPlans } from "../../support/fixed-plans.ts";
import { openSmall } from "../../support/journal.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { PATIENT_MS } from "../../support/patience.ts";

const T0 = Date.UTC(2026, 5, 1, 8);
const SOON = { timeout: PATIENT_MS, interval: 5 };
const JOURNAL = "journal-1";

const gate = (change: Partial<JournalledNotice> = {}): JournalledNotice => ({
  kind: "transition",
  occurredAtMs: T0 - 5_000,
  timeSource: "device",
  data: { event: "enter", desc: "Gate 3", lat: 48.87, lon: 2.35 },
  ...change,
});

/** The body of one message; a later one of the same payload differs in when it came only. */
function message(
  notices: readonly JournalledNotice[],
  { receivedAtMs = T0, payloadHash = 77, speeds = [] as readonly number[] } = {},
): Uint8Array {
  const readings = speeds.map((speed_kmh, i) => ({
    fixTimeMs: T0 - 1_000 + i,
    timeSource: "device" as const,
    rawTimeMs: undefined,
    seq: -1,
    payloadHash,
    fields: { speed_kmh },
    faults: undefined,
  }));
  const subject = { assetId: "van" as AssetId, projectId: "p1" as ProjectId, receivedAtMs };
  const origin = { clientHash: 1, packetId: 2, payloadHash };
  return encodeReadings({ ...subject, readings }, origin, notices);
}

/** A step over one asset, and what it raised and changed. */
function openStep() {
  const tracks = createAssetTracks();
  const names = {
    asset: (id: string) => id,
    geofence: (id: string) => ({ name: id, kind: "zone" as const }),
  };
  const step = new PipelineStep({
    journalId: JOURNAL,
    directory: fixedDirectory([assetEntry("van")]),
    tracks,
    territory: wholeTerritory(createStages({ fences: fixedFences(), plans: noPlans(), names })),
    counters: createPipelineCounters(),
  });
  let sequence = 0;
  return {
    tracks,
    apply(...bodies: Uint8Array[]): readonly NewEvent[] {
      for (const body of bodies) {
        sequence += 1;
        step.apply({ sequence, timeMs: T0, kind: RECORD_KIND.readings, body });
      }
      return step.take({ journalId: JOURNAL, sequence }).events;
    },
    applyHandedOver(body: Uint8Array): readonly NewEvent[] {
      sequence += 1;
      const record = { kind: RECORD_KIND.readings, body };
      const handed = encodeHandedOver({ origin: { journalId: "other", sequence: 9 }, record });
      step.apply({ sequence, timeMs: T0, kind: RECORD_KIND.handedOver, body: handed });
      return step.take({ journalId: JOURNAL, sequence }).events;
    },
  };
}

const ids = (events: readonly NewEvent[]) => events.map(({ id }) => id);

describe("a device's notice", () => {
  it("a device's notice is an event at its own time and place, with what the device said", () => {
    const [event, ...others] = openStep().apply(message([gate()]));
    expect(others).toEqual([]);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      revision: 1,
      type: "equipment.device.notice",
      projectId: "p1",
      assetId: "van",
      occurredAtMs: T0 - 5_000,
      location: { latitude: 48.87, longitude: 2.35 },
      data: { kind: "transition", event: "enter", desc: "Gate 3", lat: 48.87, lon: 2.35 },
    });
  });

  it.each([
    ["our own names", { latitude: -33.8, longitude: 151.2 }, { latitude: -33.8, longitude: 151.2 }],
    ["one coordinate", { lat: 48.87 }, undefined],
    ["text", { lat: "48.87", lon: "2.35" }, undefined],
    ["no place on earth", { lat: 91, lon: 2 }, undefined],
  ])("has a location of %s", (_name, data, expected) => {
    expect(openStep().apply(message([gate({ data })]))[0]?.location).toEqual(expected);
  });

  it("a device's notice is named `kind` by its own kind, whatever the format calls so", () => {
    const data = { kind: "of the format", text: "x" };
    expect(openStep().apply(message([gate({ data })]))[0]?.data).toEqual({
      kind: "transition",
      text: "x",
    });
  });

  it("a device's notice is one event however often the device sends it, when it carries its own time", () => {
    const { apply, applyHandedOver } = openStep();
    const [first] = ids(apply(message([gate()])));
    const again = message([gate()], { receivedAtMs: T0 + 60_000, payloadHash: 78, speeds: [3] });
    expect(ids(apply(again))).toEqual([first]);
    expect(ids(applyHandedOver(again))).toEqual([first]);
    const different = [
      gate({ occurredAtMs: T0 - 4_000 }),
      gate({ kind: "other" }),
      gate({ data: { event: "leave" } }),
    ];
    const others = ids(apply(message(different)));
    expect(new Set([first, ...others]).size).toBe(4);
  });

  it("a notice without a time is identified by its message: only another message reports it again", () => {
    const { apply } = openStep();
    const will = gate({ kind: "last_will", timeSource: "received", occurredAtMs: T0, data: {} });
    const first = ids(apply(message([will, will])));
    expect(new Set(first).size).toBe(2);
    // The same record again, as after a crash or a replay from quarantine.
    expect(ids(apply(message([will, will])))).toEqual(first);
    const later = { ...will, occurredAtMs: T0 + 60_000 };
    const next = ids(apply(message([later], { receivedAtMs: T0 + 60_000 })));
    expect(first).not.toContain(next[0]);
    expect(first).not.toContain(ids(apply(message([will], { payloadHash: 78 })))[0]);
  });

  it("a device's notice comes with the readings of its message", () => {
    const { apply, tracks } = openStep();
    expect(apply(message([gate()], { speeds: [4, 5] }))).toHaveLength(1);
    expect(tracks.find("van" as AssetId)?.latest.get("speed_kmh")?.value).toBe(5);
  });

  it.each([
    "last_will",
    "death",
  ])("a device's notice alone is a sign of life, unless it is a %s, said of a device that is gone", (kind) => {
    const { apply, tracks } = openStep();
    apply(message([gate({ kind })]));
    expect(tracks.find("van" as AssetId)).toBeUndefined();
    apply(message([gate()]));
    const track = tracks.find("van" as AssetId);
    expect([track?.lastReceivedAtMs, track?.liveness.heardAt?.atMs]).toEqual([T0, T0]);
    apply(message([gate({ kind })], { receivedAtMs: T0 + 1_000 }));
    expect([track?.lastReceivedAtMs, track?.liveness.heardAt?.atMs]).toEqual([T0, T0]);
  });
});

describe("a pipeline that dies before it could commit", () => {
  let dir: string;
  let journal: Journal;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "plumbline-notices-"));
    journal = await openSmall(dir);
  });
  afterEach(async () => {
    await journal.close();
    await rm(dir, { recursive: true, force: true });
  });

  const append = (body: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      journal.append(RECORD_KIND.readings, T0, body, (error) =>
        error === undefined ? resolve() : reject(error),
      );
    });

  it("a pipeline that dies before its commit publishes a notice once, after the restart, and stores the readings beside it", async () => {
    const records = openMemoryRecords();
    const start = (commit: typeof records.pipeline.commit): Promise<Pipeline> => {
      const { checkpoint, states, shared, days, daysOf, engineOnS } = records.pipeline;
      return Pipeline.start({
        journal,
        records: { checkpoint, states, shared, days, daysOf, engineOnS, commit },
        visits: records.visits,
        telemetry: openMemoryTelemetryStore(),
        telemetryWritten: () => journal.syncedSequence,
        directory: fixedDirectory([assetEntry("van")]),
        fences: fixedFences(),
        plans: noPlans(),
        log: pino({ level: "silent" }),
      });
    };
    await append(message([gate()], { speeds: [7] }));
    await append(message([gate({ kind: "last_will", timeSource: "received", occurredAtMs: T0 })]));
    let tries = 0;
    // The first process stores the first commit and never hears that it did.
    const dying = await start(async (change) => {
      tries += 1;
      if (tries === 1)
        await records.pipeline.commit({
          ...change,
          checkpoint: { ...change.checkpoint, sequence: 0 },
        });
      throw new Error("killed");
    });
    await vi.waitFor(() => expect(dying.stalled).toBeDefined(), SOON);
    await dying.stop();
    const published = records.rows.events.length;
    await journal.close();

    journal = await openSmall(dir);
    const restarted = await start(records.pipeline.commit);
    await vi.waitFor(() => expect(restarted.committedSequence).toBeGreaterThanOrEqual(2), SOON);
    await restarted.stop();
    expect(published).toBeGreaterThan(0);
    const notices = records.rows.events.filter(({ type }) => type === "equipment.device.notice");
    expect(notices.map(({ data }) => data["kind"])).toEqual(["transition", "last_will"]);
    expect(restarted.live.find("van" as AssetId)?.latest.get("speed_kmh")?.value).toBe(7);
  });
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  startTelemetryWriter,
  type TelemetryWriter,
} from "../../ingest/archive/telemetry-writer.ts";
import { encodeForeign } from "../../ingest/journal-record/foreign.ts";
import { RECORD_KIND } from "../../ingest/journal-record/journal-record.ts";
import { Pipeline } from "../../ingest/pipeline/runner.ts";
import type { Journal, JournalPosition } from "../../storage/ports/journal.ts";
import { assetEntry, fixedDirectory } from "../support/fixed-directory.ts";
import { fixedFences } from "../support/fixed-fences.ts";
import { noPlans } from "../support/fixed-plans.ts";
import { openSmall, recordRanges, tamper, usedSegmentFiles } from "../support/journal.ts";
import { openMemoryRecords } from "../support/memory-records.ts";
import { openMemoryTelemetryStore } from "../support/memory-telemetry-store.ts";
import { PATIENT_MS } from "../support/patience.ts";

const log = pino({ level: "silent" });
const SOON = { timeout: PATIENT_MS, interval: 5 };
const entry = assetEntry("a1");

let dir: string;
let journal: Journal;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "journal-readers-"));
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await journal.close();
  await rm(dir, { recursive: true, force: true });
});

function append(count: number): Promise<unknown> {
  const { asset, project } = entry;
  const body = encodeForeign({
    assetId: asset.id,
    projectId: project.id,
    receivedAtMs: 1,
    topic: "elsewhere",
    count: 1,
  });
  const one = () =>
    new Promise<void>((resolve, reject) => {
      journal.append(RECORD_KIND.foreign, Date.now(), body, (error) =>
        error === undefined ? resolve() : reject(error),
      );
    });
  return Promise.all(Array.from({ length: count }, one));
}

/** A journal of 9 records of which 4 to 9 are gone, though a cursor had passed all of them. */
async function openShortened(): Promise<void> {
  journal = await openSmall(dir);
  await append(9);
  journal.cursor("ahead").advance(9);
  await journal.close();
  const [path] = usedSegmentFiles(dir);
  if (path === undefined) throw new Error("no segment");
  tamper(path, (bytes) => bytes.fill(0, recordRanges(bytes)[3]?.start));
  journal = await openSmall(dir);
  expect(journal.syncedSequence).toBe(9);
}

function startWriter(): TelemetryWriter {
  const telemetry = openMemoryTelemetryStore();
  const writer = startTelemetryWriter({ journal, telemetry, retentionDays: 90, log });
  closers.push(() => writer.stop());
  return writer;
}

async function startReader(checkpoint: JournalPosition | undefined): Promise<Pipeline> {
  const { pipeline: records, visits } = openMemoryRecords();
  const pipeline = await Pipeline.start({
    journal,
    records: { ...records, checkpoint: async () => checkpoint },
    visits,
    telemetry: openMemoryTelemetryStore(),
    telemetryWritten: () => journal.syncedSequence,
    directory: fixedDirectory([entry]),
    fences: fixedFences(),
    plans: noPlans(),
    log,
  });
  closers.push(() => pipeline.stop());
  return pipeline;
}

describe("records at the end of the journal that are gone", () => {
  it("records at the end of the journal that are gone do not hold the telemetry writer up, nor the event loop", async () => {
    await openShortened();
    const writer = startWriter();
    await vi.waitFor(() => expect(writer.writtenSequence).toBe(9), SOON);
    await append(1);
    await vi.waitFor(() => expect(writer.writtenSequence).toBe(10), SOON);
    expect(journal.cursor("telemetry").sequence).toBe(10);
  });

  it("records at the end of the journal that are gone do not hold the pipeline up", async () => {
    await openShortened();
    const pipeline = await startReader(undefined);
    await append(1);
    await vi.waitFor(() => expect(pipeline.committedSequence).toBe(10), SOON);
    expect(pipeline.stalled).toBeUndefined();
  });

  it("records at the end of the journal that are gone keep their sequences: a cursor never says more than the stores have", async () => {
    journal = await openSmall(dir);
    await append(3);
    // A store that had record 9 of this journal when the journal's end was lost.
    await journal.passOver(9);
    const pipeline = await startReader({ journalId: journal.id, sequence: 9 });
    await append(1);
    await vi.waitFor(() => expect(pipeline.committedSequence).toBe(10), SOON);
    await journal.close();
    const { cursors } = JSON.parse(await readFile(join(dir, "cursors.json"), "utf8"));
    expect(cursors).toEqual({ records: 10 });
  });
});

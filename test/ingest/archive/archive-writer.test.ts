import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Reading, ReadingBatch } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { ArchiveWriter } from "../../../ingest/archive/archive-writer.ts";
import { registerArchiveMetrics } from "../../../ingest/archive/metrics.ts";
import { pointsOf } from "../../../ingest/journal-record/journal-points.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import type { TelemetryDeadLetter } from "../../../storage/ports/equipment/telemetry-dead-letters.ts";
import type { Journal } from "../../../storage/ports/journal.ts";
import {
  type ArchiveFailure,
  ArchiveUnavailable,
  type TelemetryArchive,
} from "../../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint, TelemetryStore } from "../../../storage/ports/telemetry-store.ts";
import { openSmall } from "../../support/journal.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { pointLane } from "../../support/point-lane.ts";

const SOON = { timeout: PATIENT_MS, interval: 5 };
const QUICK = { firstMs: 1, longestMs: 4, holdMs: 4 };
const log = pino({ level: "silent" });

let dir: string;
let journal: Journal;
let local: TelemetryStore;
let writer: ArchiveWriter | undefined;
/** What the archive has been sent and has confirmed, in order. */
let arrived: TelemetryPoint[];
let letters: TelemetryDeadLetter[];
/** Why the next send fails; undefined: it does not. */
let trouble: (points: readonly TelemetryPoint[]) => ArchiveFailure | undefined;
let refused: (point: TelemetryPoint) => boolean;
let prepared: () => void;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "archive-writer-"));
  journal = await openSmall(dir);
  local = openMemoryTelemetryStore();
  arrived = [];
  letters = [];
  trouble = () => undefined;
  refused = () => false;
  prepared = () => undefined;
});

afterEach(async () => {
  await writer?.stop();
  writer = undefined;
  await journal.close();
  await rm(dir, { recursive: true });
});

const archive: TelemetryArchive = {
  name: "fake",
  prepare: async () => prepared(),
  newestFixTime: async () => undefined,
  read: (query) => local.read(query),
  openLane: () =>
    pointLane(async (points) => {
      const failure = trouble(points);
      if (failure !== undefined) throw new ArchiveUnavailable(failure);
      const bad = points.filter(refused);
      arrived.push(...points.filter((point) => !refused(point)));
      return {
        written: points.length - bad.length,
        expired: 0,
        refused: bad.map(({ assetId, projectId, fixTimeMs }) => {
          return { assetId, projectId, fixTimeMs, line: "line", reason: "400: bad" };
        }),
      };
    }),
};

function start(backOff = QUICK): ArchiveWriter {
  writer = new ArchiveWriter({
    journal,
    archive,
    local,
    localWritten: () => journal.syncedSequence,
    deadLetters: { add: async (added) => void letters.push(...added) },
    onArchived: () => undefined,
    log,
    backOff,
  });
  return writer;
}

/** Journals one message with these readings, and gives it to the local store too. */
async function appendMessage(
  assetId: string,
  readings: readonly Pick<Reading, "fixTimeMs" | "seq" | "fields">[],
  receivedAtMs = Date.now(),
): Promise<void> {
  const batch: ReadingBatch = {
    assetId: assetId as AssetId,
    projectId: "p" as ProjectId,
    receivedAtMs,
    readings: readings.map((reading) => ({
      ...reading,
      timeSource: "device",
      rawTimeMs: undefined,
      payloadHash: 1,
      faults: undefined,
    })),
  };
  const body = encodeReadings(batch, { clientHash: 0, packetId: 0, payloadHash: 1 });
  const sequence = await new Promise<number>((resolve, reject) => {
    const own = journal.append(RECORD_KIND.readings, Date.now(), body, (error) =>
      error === undefined ? resolve(own) : reject(error),
    );
  });
  const records = await journal.read(sequence, { records: 1, bytes: 1 });
  await local.write(pointsOf(records), { journalId: journal.id, sequence });
}

/** Journals a message of one reading for each number. */
async function append(assetId: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const fixTimeMs = Date.now() + number;
    await appendMessage(assetId, [{ fixTimeMs, seq: number, fields: { number } }]);
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const numbersOf = (asset: string) =>
  arrived.filter(({ assetId }) => assetId === asset).map(({ fields }) => fields["number"]);

describe("the writer of the archive", () => {
  it("the writer of the archive brings every asset's points in the order of the journal, and its cursor to the end", async () => {
    for (const number of upTo(40))
      for (const asset of ["a", "b", "c"]) await append(asset, [number]);
    start();
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(120);
    expect(["a", "b", "c"].map(numbersOf)).toEqual([upTo(40), upTo(40), upTo(40)]);
    await append("a", [40]);
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(121);
  });

  it("without a local store the archive gets every reading as it came, also several of one fix time", async () => {
    const fixTimeMs = Date.now();
    await appendMessage("a", [
      { fixTimeMs, seq: 2, fields: { number: 1 } },
      { fixTimeMs: fixTimeMs - 5, seq: 1, fields: { number: 2 } },
    ]);
    await appendMessage("a", [{ fixTimeMs, seq: 1, fields: { load_count: 3 } }]);
    const deadLetters = { add: async () => undefined };
    const onArchived = () => undefined;
    writer = new ArchiveWriter({ journal, archive, deadLetters, onArchived, log, backOff: QUICK });
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(2);
    expect(arrived.map((point) => [point.fixTimeMs - fixTimeMs, point.fields])).toEqual([
      [0, { number: 1 }],
      [-5, { number: 2 }],
      [0, { load_count: 3 }],
    ]);
  });

  it("without a local store a position that came in time and comes again is not late, and a late one is by its first receipt", async () => {
    const nowMs = Date.now();
    const place = { latitude: 53.5, longitude: 9.9 };
    const send = (number: number, ages: readonly number[], receivedMs: number) =>
      appendMessage(
        "a",
        ages.map((age) => ({ fixTimeMs: nowMs - age, seq: -1, fields: { ...place, number } })),
        receivedMs,
      );
    await send(1, [20_000], nowMs - 20_000);
    await send(2, [10_000], nowMs - 10_000);
    // A backlog, both times again in another message, and what never came before in between.
    await send(3, [90_000, 80_000], nowMs);
    await send(4, [90_000, 80_000, 70_000, 20_000], nowMs + 600_000);
    const server = new Map<number, Record<string, number>>();
    let away = 2;
    let newestMs: number | undefined;
    const overwriting: TelemetryArchive = {
      ...archive,
      newestFixTime: async () => newestMs,
      openLane: () =>
        pointLane(async (points) => {
          for (const { fixTimeMs, fields } of points) {
            server.set(fixTimeMs, { ...server.get(fixTimeMs), ...fields });
          }
          return { written: points.length, refused: [], expired: 0 };
        }),
      read: async ({ fromMs, toMs }) => {
        away -= 1;
        if (away >= 0) throw new DomainError("STORE_UNAVAILABLE", "away");
        const times = [...server.keys()].filter((ms) => ms >= fromMs && ms < toMs).sort();
        const columns = ["latitude", "received_late_s"].map((name): [string, Float64Array] => [
          name,
          Float64Array.from(times, (ms) => server.get(ms)?.[name] ?? Number.NaN),
        ]);
        return { timesMs: Float64Array.from(times), columns: new Map(columns) };
      },
    };
    const deadLetters = { add: async () => undefined };
    const startOver = () => {
      const parts = { journal, deadLetters, onArchived: () => undefined, log, backOff: QUICK };
      writer = new ArchiveWriter({ ...parts, archive: overwriting });
    };
    const lates = () =>
      Object.fromEntries(
        [...server].map(([ms, { number, received_late_s: late }]) => [nowMs - ms, [number, late]]),
      );
    const expected = {
      20000: [4, undefined],
      10000: [2, undefined],
      90000: [4, 90],
      80000: [4, 80],
      70000: [4, 670],
    };
    startOver();
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(4);
    expect(lates()).toEqual(expected);
    // Another process reads all of it again.
    await writer?.stop();
    let reached = 0;
    const again = vi.spyOn(journal, "cursor").mockReturnValue({
      ...{ name: "influx", sequence: 0 },
      advance: (sequence) => {
        reached = sequence;
      },
    });
    newestMs = nowMs - 10_000;
    startOver();
    await expect.poll(() => reached, SOON).toBe(4);
    expect(lates()).toEqual(expected);
    again.mockRestore();
  });

  it("the writer of the archive leaves the cursor where one lane does not get through, and goes on with the others", async () => {
    trouble = (points) =>
      points.some(({ assetId }) => assetId === "a") ? { kind: "retry", reason: "503" } : undefined;
    await append("a", [1]);
    for (const asset of ["b", "c", "d", "e", "f"]) await append(asset, [1]);
    start();
    await expect.poll(() => arrived.length, SOON).toBeGreaterThan(1);
    expect([writer?.archivedSequence, numbersOf("a")]).toEqual([0, []]);
    expect([writer?.alarm, writer?.health.isUp]).toEqual([undefined, false]);
    trouble = () => undefined;
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(6);
    expect([numbersOf("a"), writer?.health.isUp]).toEqual([[1], true]);
  });

  it("the writer of the archive sends on every lane as soon as one of them gets through again", async () => {
    const assets = ["a", "b", "c", "d", "e", "f"];
    for (const asset of assets) await append(asset, [1]);
    let isAway = true;
    let failed = 0;
    trouble = () => {
      if (!isAway) return undefined;
      failed += 1;
      // The first lane gets a time to come back at, the others would wait for a minute.
      const first = failed === 1 ? { retryAfterMs: 300 } : {};
      return { kind: "retry", reason: "503", ...first };
    };
    start({ firstMs: 60_000, longestMs: 60_000, holdMs: 60_000 });
    await expect.poll(() => failed, SOON).toBeGreaterThan(1);
    isAway = false;
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(assets.length);
  });

  it("the writer of the archive sends again after a restart what was not confirmed", async () => {
    trouble = () => ({ kind: "retry", reason: "ECONNREFUSED" });
    await append("a", upTo(5));
    start();
    await expect.poll(() => writer?.health.counts.retries, SOON).toBeGreaterThan(0);
    await writer?.stop();
    trouble = () => undefined;
    start();
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(5);
    expect(numbersOf("a")).toEqual(upTo(5));
  });

  it("the writer of the archive alarms while the server refuses the credentials, and goes on when they are mended", async () => {
    trouble = () => ({ kind: "hold", reason: "401: unauthorized access" });
    await append("a", [1]);
    start();
    await expect.poll(() => writer?.alarm, SOON).toBe("fake: 401: unauthorized access");
    trouble = () => undefined;
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(1);
    expect(writer?.alarm).toBeUndefined();
  });

  it("the writer of the archive alarms with the instruction while the database cannot be made, and tries again", async () => {
    prepared = () => {
      throw new DomainError("SETTINGS_INVALID", "let an administrator run: CREATE DATABASE");
    };
    await append("a", [1]);
    start();
    await expect.poll(() => writer?.alarm, SOON).toContain("CREATE DATABASE");
    prepared = () => undefined;
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(1);
    expect(writer?.alarm).toBeUndefined();
  });

  it("the writer of the archive keeps a refused point as a dead letter and loses nothing else", async () => {
    refused = ({ fields }) => fields["number"] === 3;
    await append("a", upTo(6));
    start();
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(6);
    expect(numbersOf("a")).toEqual([0, 1, 2, 4, 5]);
    expect(letters.map(({ assetId, line, reason }) => [assetId, line, reason])).toEqual([
      ["a", "line", "400: bad"],
    ]);
  });

  it("the writer of the archive settles readings that meet at one fix time after what came before them", async () => {
    const at = Date.now();
    await appendMessage("a", [
      { fixTimeMs: at, seq: 5, fields: { number: 1, first: 1 } },
      { fixTimeMs: at + 1, seq: 6, fields: { number: 2 } },
      { fixTimeMs: at, seq: 4, fields: { number: 3, late: 1 } },
    ]);
    start();
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(1);
    expect(arrived.map(({ fixTimeMs, fields }) => [fixTimeMs - at, fields])).toEqual([
      [0, { number: 1, first: 1 }],
      [1, { number: 2 }],
      [0, { number: 1, first: 1, late: 1 }],
    ]);
  });

  it("the writer of the archive reads no further than a few megabytes ahead while the server is away", async () => {
    await journal.close();
    journal = await openSmall(join(dir, "large"), { segmentBytes: 4 * 1024 ** 2 });
    const names = upTo(60).map((i) => `${i}`.padEnd(100, "_"));
    const fields = Object.fromEntries(names.map((name) => [name, 1]));
    for (const minute of upTo(60)) {
      const times = upTo(16).map((i) => minute * 60_000 + i);
      const readings = times.map((fixTimeMs) => ({ fixTimeMs, seq: 0, fields }));
      await appendMessage("a", readings);
    }
    trouble = () => ({ kind: "retry", reason: "ECONNREFUSED" });
    const read = vi.spyOn(journal, "read");
    start();
    const tries = () => writer?.health.counts.retries ?? 0;
    const furthest = () => Math.max(...read.mock.calls.map(([from]) => from));
    // Of the 11.5 MB that these 60 messages take in batches, what was read when 6 MiB were full.
    await expect.poll(furthest, SOON).toBeGreaterThan(5);
    const before = tries();
    await expect.poll(tries, SOON).toBeGreaterThan(before + 20);
    expect(furthest()).toBeLessThan(50);
    trouble = () => undefined;
    await expect.poll(() => writer?.archivedSequence, SOON).toBe(60);
    expect(arrived.length).toBe(60 * 16);
  });

  it("the archive writer passes over records without points and reports its figures", async () => {
    const tick = () =>
      new Promise<void>((resolve) =>
        journal.append(RECORD_KIND.tick, Date.now(), Uint8Array.of(0), () => resolve()),
      );
    await tick();
    await append("a", [1, 2]);
    await tick();
    const running = start();
    await expect.poll(() => running.archivedSequence, SOON).toBe(4);
    const registry = new Registry();
    registerArchiveMetrics(registry, { journal, writer: running });
    const lines = (await registry.metrics()).split("\n").filter((line) => /^[a-z]/.test(line));
    expect(lines).toEqual([
      "plumbline_influx_backlog_records 0",
      "plumbline_influx_backlog_bytes 0",
      "plumbline_influx_up 1",
      'plumbline_influx_points_total{outcome="written"} 2',
      'plumbline_influx_points_total{outcome="dead_lettered"} 0',
      'plumbline_influx_points_total{outcome="expired"} 0',
      "plumbline_influx_retries_total 0",
    ]);
  });
});

import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { TelemetryDeadLetters } from "../../storage/ports/equipment/telemetry-dead-letters.ts";
import type { Journal, JournalRecord } from "../../storage/ports/journal.ts";
import {
  ARCHIVE_CURSOR,
  type ArchiveFailure,
  columnsOf,
  type TelemetryArchive,
} from "../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint, TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { hash32 } from "../intake/repeats/payload-hash.ts";
import { pointsOf } from "../journal-record/journal-points.ts";
import { ReadingColumns } from "../journal-record/reading-columns.ts";
import { ArchiveHealth } from "./archive-health.ts";
import { BACK_OFF, backOffMs } from "./back-off.ts";
import { InFlight, type JournalPlace } from "./in-flight.ts";
import { RowSettler } from "./row-settler.ts";
import { SendQueue } from "./send-queue.ts";

/** Records that are taken at once: some 5 ms of work, in which nothing else is done. Chosen. */
const READ = { records: 5_000, bytes: 512 * 1024 };
/** Points in flight at most, as bytes: a full request on every lane, and the next one. Chosen. */
const MOST_BYTES_IN_FLIGHT = 6 * 1024 ** 2;
/** Requests at the same time. An InfluxDB 1.6.7 took most with 2 to 4 (docs/decisions/012). */
const LANES = 3;
/** Time in which records gather for a request when none were left, ms; readers of the archive are behind by as much. Chosen. */
const GATHER_MS = 100;
const POLL_MS = 10;
/** Where the archive's newest fix time is searched first, ms back: a search of all of it costs more. Chosen. */
const RECENT_MS = DAY_MS;

export interface ArchiveWriter {
  /** Last record up to which everything is in the archive. */
  readonly archivedSequence: number;
  /** Why a person has to act, or `undefined`. */
  readonly alarm: string | undefined;
  readonly health: ArchiveHealth;
  /** Gives up what is in flight: the next start sends it again. */
  stop(): Promise<void>;
}

export interface ArchiveWriterOptions {
  readonly journal: Journal;
  readonly archive: TelemetryArchive;
  /** The store that settles rows, and the sequence up to which it has everything. */
  readonly local: Pick<TelemetryStore, "read">;
  readonly localWritten: () => number;
  readonly deadLetters: Pick<TelemetryDeadLetters, "add">;
  /** Called with the server time of the last record that is in the archive with all before it, ms. */
  readonly onArchived: (timeMs: number) => void;
  readonly log: Logger;
  readonly now?: () => number;
  readonly lanes?: number;
  readonly backOff?: typeof BACK_OFF;
}

/**
 * Follows the journal into the archive. The journal is the only buffer: its cursor moves when the
 * server has confirmed everything up to it. While the server is away only what is in flight is held
 * in memory. The points of one asset go through one lane, so they arrive in the order of the
 * journal.
 */
export function startArchiveWriter(options: ArchiveWriterOptions): ArchiveWriter {
  const { journal, archive, local, localWritten, deadLetters, onArchived, log } = options;
  const { now = Date.now, lanes = LANES, backOff = BACK_OFF } = options;
  const cursor = journal.cursor(ARCHIVE_CURSOR);
  const health = new ArchiveHealth(archive.name, log, now);
  const stopping = new AbortController();
  const { signal } = stopping;
  const inFlight = new InFlight(({ sequence, timeMs }) => {
    cursor.advance(sequence);
    onArchived(timeMs);
  });
  const queues: readonly SendQueue[] = Array.from(
    { length: lanes },
    (_, lane) =>
      new SendQueue(
        archive.openLane(),
        {
          async onReceipt(receipt) {
            if (receipt.refused.length > 0) {
              const refusedAtMs = now();
              await deadLetters.add(receipt.refused.map((one) => ({ ...one, refusedAtMs })));
            }
            health.delivered(receipt);
          },
          onFailure(failure) {
            // What one lane waits for, the others need not wait for any longer.
            if (health.outcome(lane, failure)) for (const queue of queues) queue.hurry();
          },
        },
        backOff,
      ),
  );
  const readings = new ReadingColumns();
  let next = Math.max(cursor.sequence + 1, journal.oldestSequence);

  async function follow(): Promise<void> {
    const floorMs = await prepare();
    if (floorMs === undefined) return;
    const settler = new RowSettler(local, floorMs);
    let isUpToDate = false;
    while (!signal.aborted) {
      await journal.waitFor(next, signal);
      if (isUpToDate) await pause(GATHER_MS);
      const written = await readyTo();
      if (written === undefined) return;
      const records = await journal.read(next, READ);
      const ready = records.filter(({ sequence }) => sequence <= written);
      const last = ready.at(-1);
      // No record, although there should be: those up to here are gone.
      const end = last ?? { sequence: written, timeMs: now() };
      await enqueue(settler, ready, end);
      health.read(ready);
      next = end.sequence + 1;
      isUpToDate = end.sequence >= written;
    }
  }

  /** Readies the server; the newest fix time that may be on it already. `undefined`: stopped. */
  async function prepare(): Promise<number | undefined> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        await archive.prepare();
        const newestMs =
          (await archive.newestFixTime(now() - RECENT_MS)) ??
          (await archive.newestFixTime(Number.NEGATIVE_INFINITY)) ??
          Number.NEGATIVE_INFINITY;
        health.outcome(0, undefined);
        return newestMs;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const kind = error.code === "SETTINGS_INVALID" ? "hold" : "retry";
        health.outcome(0, { kind, reason: error.message } satisfies ArchiveFailure);
        await pause(backOffMs(kind, tries, backOff));
      }
    }
    return undefined;
  }

  /** Waits for room and for the local store; the sequence to read up to. `undefined`: stopped. */
  async function readyTo(): Promise<number | undefined> {
    while (!signal.aborted) {
      const written = localWritten();
      if (written >= next && bytesInFlight() < MOST_BYTES_IN_FLIGHT) return written;
      await pause(POLL_MS);
    }
    return undefined;
  }

  async function enqueue(
    settler: RowSettler,
    records: readonly JournalRecord[],
    end: JournalPlace,
  ): Promise<void> {
    const contested: TelemetryPoint[] = [];
    for (const record of records) {
      readings.read(record);
      if (readings.count === 0) continue;
      const queue = queueOf(readings.assetId);
      let points: readonly TelemetryPoint[] | undefined;
      for (let i = 0; i < readings.count; i += 1) {
        if (settler.isNewest(readings.assetId, readings.at(i).fixTimeMs)) {
          queue.add(readings);
          continue;
        }
        points ??= pointsOf([record]);
        contested.push(...points.slice(i, i + 1));
      }
    }
    for (const point of await settler.settle(contested)) {
      queueOf(point.assetId).add(columnsOf(point));
    }
    const arrived = inFlight.add(end, queues.length);
    for (const queue of queues) queue.send(arrived);
  }

  function queueOf(assetId: AssetId): SendQueue {
    return queues[laneOf(assetId, lanes)] as SendQueue;
  }

  const bytesInFlight = (): number => queues.reduce((sum, { bytes }) => sum + bytes, 0);

  const pause = (ms: number): Promise<void> =>
    delay(ms, undefined, { signal }).catch(() => undefined);

  const following = follow().catch((error: unknown) => {
    if (signal.aborted) return;
    health.broken(error);
  });

  return {
    get archivedSequence() {
      return cursor.sequence;
    },
    get alarm() {
      return health.alarm;
    },
    health,
    async stop() {
      stopping.abort();
      await following;
      await Promise.all(queues.map((queue) => queue.stop()));
    },
  };
}

const laneByAsset = new Map<AssetId, number>();
/** Assets whose lane is remembered; the map is emptied where it would grow. Chosen. */
const MOST_ASSETS = 100_000;

function laneOf(assetId: AssetId, lanes: number): number {
  const known = laneByAsset.get(assetId);
  if (known !== undefined) return known % lanes;
  if (laneByAsset.size >= MOST_ASSETS) laneByAsset.clear();
  const hash = hash32(Buffer.from(assetId));
  laneByAsset.set(assetId, hash);
  return hash % lanes;
}

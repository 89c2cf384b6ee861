import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import {
  ARCHIVE_CURSOR,
  type ArchiveFailure,
  type TelemetryArchive,
} from "../../storage/ports/telemetry-archive.ts";
import type { TelemetryDeadLetters } from "../../storage/ports/telemetry-dead-letters.ts";
import type {
  Journal,
  JournalRecord,
  TelemetryPoint,
  TelemetryStore,
} from "../../storage/ports.ts";
import { hash32 } from "../intake/payload-hash.ts";
import { pointsOf } from "../journal-points.ts";
import { ArchiveHealth } from "./archive-health.ts";
import { BACK_OFF, backOffMs } from "./back-off.ts";
import { InFlight } from "./in-flight.ts";
import { RowSettler } from "./row-settler.ts";
import { SendQueue } from "./send-queue.ts";

const READ = { records: 5_000, bytes: 1024 * 1024 };
/** Points on their way at most: about 10 MB, a full request on every lane. Chosen. */
const MOST_IN_FLIGHT = 15_000;
/** Requests at the same time. An InfluxDB 1.6.7 took most with 2 to 4 (LAB.md section 2). */
const LANES = 3;
/** Time in which records gather for a request, ms; readers of the archive are behind by as much. Chosen. */
const GATHER_MS = 100;
const LOOK_MS = 10;
/** Where the archive's newest fix time is looked for first, ms back: a look at all of it costs more. Chosen. */
const RECENT_MS = 86_400_000;

export interface ArchiveWriter {
  /** Last record up to which everything is in the archive. */
  readonly archivedSequence: number;
  /** Why somebody has to act, or `undefined`. */
  readonly alarm: string | undefined;
  readonly health: ArchiveHealth;
  /** Gives up what is on its way: the next start sends it again. */
  stop(): Promise<void>;
}

export interface ArchiveWriterOptions {
  readonly journal: Journal;
  readonly archive: TelemetryArchive;
  /** The store that settles rows, and the sequence up to which it has everything. */
  readonly local: Pick<TelemetryStore, "read">;
  readonly localWritten: () => number;
  readonly deadLetters: Pick<TelemetryDeadLetters, "add">;
  /** Told of the server time of the last record that is in the archive with all before it, ms. */
  readonly onArchived: (timeMs: number) => void;
  readonly log: Logger;
  readonly now?: () => number;
  readonly lanes?: number;
  readonly backOff?: typeof BACK_OFF;
}

/**
 * Follows the journal into the archive. The journal is the only buffer: its cursor moves when the
 * server has confirmed everything up to it, and while the server is away nothing is held in memory
 * but what is on its way. The points of one asset go through one lane, so they arrive in the order of
 * the journal.
 */
export function startArchiveWriter(options: ArchiveWriterOptions): ArchiveWriter {
  const { journal, archive, local, localWritten, deadLetters, onArchived, log } = options;
  const { now = Date.now, lanes = LANES, backOff = BACK_OFF } = options;
  const cursor = journal.cursor(ARCHIVE_CURSOR);
  const health = new ArchiveHealth(archive.name, log, now);
  const stopping = new AbortController();
  const { signal } = stopping;
  const inFlight = new InFlight((sequence, timeMs) => {
    cursor.advance(sequence);
    onArchived(timeMs);
  });
  const queues = Array.from(
    { length: lanes },
    (_, lane) =>
      new SendQueue(
        archive.openLane(),
        {
          async onReceipt(receipt) {
            if (receipt.refused.length > 0) {
              const refusedAtMs = now();
              await deadLetters.add(
                receipt.refused.map(({ point, line, reason }) => {
                  const { assetId, projectId, fixTimeMs } = point;
                  return { assetId, projectId, fixTimeMs, line, reason, refusedAtMs };
                }),
              );
            }
            health.delivered(receipt);
          },
          onFailure: (failure) => health.outcome(lane, failure),
        },
        backOff,
      ),
  );
  let next = Math.max(cursor.sequence + 1, journal.oldestSequence);

  async function follow(): Promise<void> {
    const floorMs = await prepare();
    if (floorMs === undefined) return;
    const settler = new RowSettler(local, floorMs);
    while (!signal.aborted) {
      await journal.waitFor(next, signal);
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
    if (journal.syncedSequence - next < READ.records) await pause(GATHER_MS);
    while (!signal.aborted) {
      const written = localWritten();
      if (written >= next && inFlight.points < MOST_IN_FLIGHT) return written;
      await pause(LOOK_MS);
    }
    return undefined;
  }

  async function enqueue(
    settler: RowSettler,
    records: readonly JournalRecord[],
    end: { readonly sequence: number; readonly timeMs: number },
  ): Promise<void> {
    const parts: TelemetryPoint[][] = queues.map(() => []);
    for (const point of await settler.settle(pointsOf(records))) {
      parts[laneOf(point.assetId, lanes)]?.push(point);
    }
    const filled = parts.flatMap((points, lane) => (points.length === 0 ? [] : [{ points, lane }]));
    const arrivals = inFlight.add(
      end,
      filled.map(({ points }) => points.length),
    );
    for (const [i, { points, lane }] of filled.entries()) {
      queues[lane]?.push(points, arrivals[i] ?? (() => undefined));
    }
  }

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

const laneByAsset = new Map<string, number>();
/** Assets whose lane is remembered; the map is emptied where it would grow. Chosen. */
const MOST_ASSETS = 100_000;

function laneOf(assetId: string, lanes: number): number {
  const known = laneByAsset.get(assetId);
  if (known !== undefined) return known % lanes;
  if (laneByAsset.size >= MOST_ASSETS) laneByAsset.clear();
  const hash = hash32(Buffer.from(assetId));
  laneByAsset.set(assetId, hash);
  return hash % lanes;
}

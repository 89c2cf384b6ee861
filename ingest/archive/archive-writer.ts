import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { TelemetryDeadLetters } from "../../storage/ports/equipment/telemetry-dead-letters.ts";
import type {
  FollowedJournal,
  JournalCursor,
  JournalReader,
  JournalRecord,
} from "../../storage/ports/journal.ts";
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
import { asFirstReceived } from "./first-receipts.ts";
import { InFlight, type JournalPlace } from "./in-flight.ts";
import { NewestTimes } from "./newest-times.ts";
import { RowSettler } from "./row-settler.ts";
import { SendQueue } from "./send-queue.ts";

/**
 * Records that are taken at once: some 5 ms of work, in which nothing else is done. More hold up other work; fewer
 * need more reads.
 */
const READ = { records: 5_000, bytes: 512 * 1024 };
/**
 * Points in flight at most, as bytes: a full request on every lane, and the next one. More takes memory; less
 * leaves lanes idle.
 */
const MOST_BYTES_IN_FLIGHT = 6 * 1024 ** 2;
/** Requests at the same time. An InfluxDB 1.6.7 took most with 2 to 4 (docs/decisions/012). */
const LANES = 3;
/**
 * Time in which records gather for a request when none were left, ms; readers of the archive are behind by as
 * much. Shorter makes more and smaller requests.
 */
const GATHER_MS = 100;
const POLL_MS = 10;
/**
 * Where the archive's newest fix time is searched first, ms back: a search of all of it costs more. Shorter
 * searches all of it more often.
 */
const RECENT_MS = DAY_MS;

export interface ArchiveWriterOptions {
  readonly journal: JournalReader & Pick<FollowedJournal, "cursor">;
  readonly archive: TelemetryArchive;
  /**
   * The store that settles rows. Absent: of readings with one fix time the archive has for each field what came
   * last, but for how late their position was first received.
   */
  readonly local?: Pick<TelemetryStore, "read">;
  /** The sequence up to which it has everything; absent: there is nothing to wait for. */
  readonly localWritten?: () => number;
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
export class ArchiveWriter {
  readonly #options: ArchiveWriterOptions;
  readonly #now: NonNullable<ArchiveWriterOptions["now"]>;
  readonly #lanes: NonNullable<ArchiveWriterOptions["lanes"]>;
  readonly #backOff: NonNullable<ArchiveWriterOptions["backOff"]>;
  readonly #cursor: JournalCursor;
  readonly health: ArchiveHealth;
  readonly #stopping = new AbortController();
  readonly #inFlight = new InFlight(({ sequence, timeMs }) => {
    this.#cursor.advance(sequence);
    this.#options.onArchived(timeMs);
  });
  readonly #queues: readonly SendQueue[];
  readonly #readings = new ReadingColumns();
  #next: number;
  readonly #following: Promise<void>;

  constructor(options: ArchiveWriterOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#lanes = options.lanes ?? LANES;
    this.#backOff = options.backOff ?? BACK_OFF;
    this.#cursor = this.#options.journal.cursor(ARCHIVE_CURSOR);
    this.health = new ArchiveHealth(this.#options.archive.name, this.#options.log, this.#now);
    this.#queues = Array.from(
      { length: this.#lanes },
      (_, lane) =>
        new SendQueue(
          this.#options.archive.openLane(),
          {
            onReceipt: async (receipt) => {
              if (receipt.refused.length > 0) {
                const refusedAtMs = this.#now();
                await this.#options.deadLetters.add(
                  receipt.refused.map((one) => ({ ...one, refusedAtMs })),
                );
              }
              this.health.delivered(receipt);
            },
            onFailure: (failure) => {
              // What one lane waits for, the others need not wait for any longer.
              if (this.health.outcome(lane, failure))
                for (const queue of this.#queues) queue.hurry();
            },
          },
          this.#backOff,
        ),
    );
    this.#next = Math.max(this.#cursor.sequence + 1, this.#options.journal.oldestSequence);
    this.#following = this.#follow().catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      this.health.broken(error);
    });
  }

  /** Last record up to which everything is in the archive. */
  get archivedSequence(): number {
    return this.#cursor.sequence;
  }

  /** Why a person has to act, or `undefined`. */
  get alarm(): string | undefined {
    return this.health.alarm;
  }

  /** Gives up what is in flight: the next start sends it again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    await Promise.all(this.#queues.map((queue) => queue.stop()));
  }

  async #follow(): Promise<void> {
    const floorMs = await this.#prepare();
    if (floorMs === undefined) return;
    const { local } = this.#options;
    const settler = local && new RowSettler(local);
    const newest = new NewestTimes(floorMs);
    let isUpToDate = false;
    while (!this.#stopping.signal.aborted) {
      await this.#options.journal.waitFor(this.#next, this.#stopping.signal);
      if (isUpToDate) await this.#pause(GATHER_MS);
      const written = await this.#readyTo();
      if (written === undefined) return;
      const records = await this.#options.journal.read(this.#next, READ);
      const ready = records.filter(({ sequence }) => sequence <= written);
      const last = ready.at(-1);
      // No record, although there should be: those up to here are gone.
      const end = last ?? { sequence: written, timeMs: this.#now() };
      await this.#enqueue(settler, newest, ready, end);
      this.health.read(ready);
      this.#next = end.sequence + 1;
      isUpToDate = end.sequence >= written;
    }
  }

  /** Readies the server; the newest fix time that may be on it already. `undefined`: stopped. */
  async #prepare(): Promise<number | undefined> {
    for (let tries = 0; !this.#stopping.signal.aborted; tries += 1) {
      try {
        await this.#options.archive.prepare();
        const newestMs =
          (await this.#options.archive.newestFixTime(this.#now() - RECENT_MS)) ??
          (await this.#options.archive.newestFixTime(Number.NEGATIVE_INFINITY)) ??
          Number.NEGATIVE_INFINITY;
        this.health.outcome(0, undefined);
        return newestMs;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const kind = error.code === "SETTINGS_INVALID" ? "hold" : "retry";
        this.health.outcome(0, { kind, reason: error.message } satisfies ArchiveFailure);
        await this.#pause(backOffMs(kind, tries, this.#backOff));
      }
    }
    return undefined;
  }

  /** Waits for room and for the local store; the sequence to read up to. `undefined`: stopped. */
  async #readyTo(): Promise<number | undefined> {
    while (!this.#stopping.signal.aborted) {
      const { journal, localWritten = () => journal.syncedSequence } = this.#options;
      const written = localWritten();
      if (written >= this.#next && this.#bytesInFlight() < MOST_BYTES_IN_FLIGHT) return written;
      await this.#pause(POLL_MS);
    }
    return undefined;
  }

  async #enqueue(
    settler: RowSettler | undefined,
    newest: NewestTimes,
    records: readonly JournalRecord[],
    end: JournalPlace,
  ): Promise<void> {
    const contested: TelemetryPoint[] = [];
    for (const record of records) {
      this.#readings.read(record);
      if (this.#readings.count === 0) continue;
      const queue = this.#queueOf(this.#readings.assetId);
      let points: readonly TelemetryPoint[] | undefined;
      for (let i = 0; i < this.#readings.count; i += 1) {
        const { assetId, fixTimeMs } = this.#readings.at(i);
        const isFree = settler === undefined && !this.#readings.isLate;
        if (newest.isNewest(assetId, fixTimeMs) || isFree) {
          queue.add(this.#readings);
          continue;
        }
        points ??= pointsOf([record]);
        contested.push(...points.slice(i, i + 1));
      }
    }
    const settled = settler
      ? await settler.settle(contested)
      : await this.#asFirstReceived(contested);
    // Stopped: the next start reads these records again.
    if (settled === undefined) return;
    for (const point of settled) {
      this.#queueOf(point.assetId).add(columnsOf(point));
    }
    const arrived = this.#inFlight.add(end, this.#queues.length);
    for (const queue of this.#queues) queue.send(arrived);
  }

  /** Late positions that may be on the server already, when it has all before them. `undefined`: stopped. */
  async #asFirstReceived(
    points: readonly TelemetryPoint[],
  ): Promise<readonly TelemetryPoint[] | undefined> {
    if (points.length === 0) return points;
    let open = this.#queues.length;
    const arrived = this.#inFlight.add({ sequence: this.#next - 1, timeMs: 0 }, open);
    for (const queue of this.#queues) {
      queue.send(() => {
        open -= 1;
        arrived();
      });
    }
    while (open > 0 && !this.#stopping.signal.aborted) await this.#pause(POLL_MS);
    for (let tries = 0; !this.#stopping.signal.aborted; tries += 1) {
      try {
        return await asFirstReceived(this.#options.archive, points);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        await this.#pause(backOffMs("retry", tries, this.#backOff));
      }
    }
    return undefined;
  }

  #queueOf(assetId: AssetId): SendQueue {
    return this.#queues[laneOf(assetId, this.#lanes)] as SendQueue;
  }

  #bytesInFlight(): number {
    return this.#queues.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

const laneByAsset = new Map<AssetId, number>();
/**
 * Assets whose lane is remembered; the map is emptied where it would grow. More take memory; fewer hash the ids of
 * a large fleet again.
 */
const MOST_ASSETS = 100_000;

function laneOf(assetId: AssetId, lanes: number): number {
  const known = laneByAsset.get(assetId);
  if (known !== undefined) return known % lanes;
  if (laneByAsset.size >= MOST_ASSETS) laneByAsset.clear();
  const hash = hash32(Buffer.from(assetId));
  laneByAsset.set(assetId, hash);
  return hash % lanes;
}

import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { Lease } from "../../storage/ports/platform/leases.ts";
import type {
  HandedOverState,
  LogLayouts,
  StoredLayouts,
} from "../../storage/ports/platform/log-layouts.ts";
import type { SharedJournal } from "../../storage/ports/shared-journal.ts";
import { Layouts } from "./layouts.ts";

/** How often layouts are polled for, ms, and while one is being gone over to. Longer delays a raise; shorter asks the record store more often. */
const POLL_MS = { settled: 1_000, raising: 250 };
/**
 * Time between a raise and its use, ms: all processes have to learn of it before, so that they change over in the same
 * moment. Chosen: three polls.
 */
const USED_AFTER_MS = 3_000;
/** How long a process that says nothing is waited for, ms. Longer delays a raise after a crash; shorter leaves out one that is only busy. */
const WRITER_MS = 15_000;
/**
 * How long the record store must have answered before others are believed to have had the time to report to it, ms.
 * Longer delays a raise after an outage; shorter leaves out processes that it had forgotten.
 */
const STEADY_MS = 5_000;
/** How long partitions of before may take to hand over before that is a trouble, ms. Chosen: four times as long as for a dead process. */
const LONG_MS = 4 * WRITER_MS;
/** How long a start waits for partitions that others use already, ms. Chosen: as for a topic that was just made. */
const LEARN_MS = 30_000;

/** What the owner of a partition has of it. */
export interface OwnedPartition {
  readonly partition: number;
  readonly lease: Lease;
  readonly journal: { end(): Promise<number> };
  /** Everything up to here is committed. */
  readonly committed: number;
  /** In front of the names of its shared states. */
  readonly prefix: string;
}

/** How the owner of a partition goes on with it. */
export interface EnteredPartition {
  readonly version: number;
  readonly partitionOf: (projectId: ProjectId) => number;
  /** What those that had its projects before have shared; none where it had projects from the beginning. */
  readonly inherited: readonly HandedOverState[];
}

export interface LogLayoutOptions {
  readonly journal: Pick<SharedJournal, "id" | "partitions">;
  readonly layouts: LogLayouts;
  /** Which process this is. */
  readonly writer: string;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Monotonic, ms. Default: that of the process. */
  readonly now?: () => number;
  /** Default: {@link POLL_MS}, {@link USED_AFTER_MS}, {@link STEADY_MS}. */
  readonly pollMs?: typeof POLL_MS;
  readonly usedAfterMs?: number;
  readonly steadyMs?: number;
}

/**
 * Where the records of each project are put, as one process has it. When the topic has more partitions, whoever sees it
 * first raises their number for all. From then on:
 *
 * 1. All processes put records where the new version has them from one moment on, by the clock of the record store, and
 *    say so once what they had put before is answered for. Who does not say so within 15 s is left out.
 * 2. Who has a partition of before then asks for its end, evaluates up to there by the old version, and hands over:
 *    in one transaction, after which nothing more is committed by the old version.
 * 3. When all have handed over, the new partitions are worked on. Until then what came for them waits in the log.
 *
 * A record that a process which was left out puts into an old partition later is passed on, as one of an asset that
 * has moved.
 */
export class LogLayout {
  readonly #options: LogLayoutOptions;
  readonly #now: () => number;
  #layouts: Layouts;
  /** When the newest version is used, by the monotonic clock. */
  #usedFromMs: number;
  /** The version by which records are put. */
  #used: number;
  /** Records that are not answered for, by the version under which they were put. */
  readonly #unanswered = new Map<number, number>();
  /** Up to where partitions are evaluated before they are handed over to the newest version; `undefined`: is asked for. */
  readonly #ends = new Map<number, number | undefined>();
  /** Since when every poll was answered. */
  #steadyFromMs: number;
  #isTroubled = false;
  /** The newest version that the listeners know of, and whether they know that it is settled. */
  #told: { readonly newest: number; readonly isSettled: boolean };
  /** Since when the newest version is not settled; `undefined`: it is. */
  #unsettledFromMs: number | undefined;
  #isClosed = false;
  readonly #listeners: (() => void)[] = [];
  #polling: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** @throws DomainError `STORE_UNAVAILABLE`. */
  static async open(options: LogLayoutOptions): Promise<LogLayout> {
    const { journal, layouts, writer } = options;
    await layouts.begin(journal.id, journal.partitions);
    const first = await layouts.read(journal.id);
    // Before it is read again: who raises the number later sees this process.
    await layouts.writes(journal.id, writer, usedVersion(first), WRITER_MS);
    const opened = new LogLayout(options, await layouts.read(journal.id));
    await opened.#untilPartitions();
    await opened.refresh();
    opened.#schedule();
    return opened;
  }

  private constructor(options: LogLayoutOptions, stored: StoredLayouts) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#layouts = new Layouts(stored);
    this.#used = usedVersion(stored);
    this.#usedFromMs = this.#now() + stored.usedInMs;
    this.#steadyFromMs = this.#now();
    const { newest, isSettled } = this.#layouts;
    this.#told = { newest, isSettled };
    this.#noteSettled();
  }

  /** Why added partitions have not been worked on for long, or `undefined`. */
  get trouble(): string | undefined {
    const fromMs = this.#unsettledFromMs;
    if (fromMs === undefined || this.#now() - fromMs < LONG_MS) return undefined;
    const missing = this.#layouts.waitedFor.join(", ");
    return `added partitions are not worked on: partitions ${missing} have not handed over`;
  }

  /** Partitions that the log began with. */
  get first(): number {
    return this.#layouts.partitionsIn(1);
  }

  /** The partition that a project had at the beginning. */
  firstOf(projectId: ProjectId): number {
    return this.#layouts.placeIn(1, projectId);
  }

  /**
   * Where a record of the project goes now, by that version or a later one. `answered` is to be called when it is
   * answered for.
   */
  put(
    projectId: ProjectId,
    version = 1,
  ): { readonly partition: number; readonly answered: () => void } {
    return this.#putBy(Math.max(version, this.#versionNow()), projectId);
  }

  #putBy(version: number, projectId: ProjectId): ReturnType<LogLayout["put"]> {
    this.#unanswered.set(version, (this.#unanswered.get(version) ?? 0) + 1);
    return {
      partition: this.#layouts.placeIn(version, projectId),
      answered: () => {
        this.#unanswered.set(version, (this.#unanswered.get(version) ?? 0) - 1);
      },
    };
  }

  homesOf(projectId: ProjectId): readonly number[] {
    return this.#layouts.homesOf(projectId);
  }

  mayWork(partition: number): boolean {
    return this.#layouts.mayWork(partition);
  }

  /** Calls `listener` when there may be something to do for owners of partitions. It must not throw. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Whether its owner has to enter the partition anew, which hands it over to the newest version. Asks for the end of
   * the partition when that is due.
   */
  isDue(
    version: number,
    owned: Pick<OwnedPartition, "partition" | "journal" | "committed">,
  ): boolean {
    const { partition, journal, committed } = owned;
    if (version >= this.#layouts.newest || !this.#mayHandOver()) return false;
    const end = this.#ends.get(partition);
    if (end !== undefined) return committed >= end;
    if (!this.#ends.has(partition)) {
      this.#ends.set(partition, undefined);
      void this.#askEnd(partition, journal);
    }
    return false;
  }

  /**
   * Called by who has just seized the partition: nobody else commits for it. Hands it over to the newest version where
   * that is due.
   * @throws DomainError `STORE_UNAVAILABLE`, also while the partition may not be worked on; `LEASE_LOST`.
   */
  async enter(owned: OwnedPartition): Promise<EnteredPartition> {
    const { partition, lease, journal, committed, prefix } = owned;
    const { layouts: records, journal: log } = this.#options;
    await this.refresh();
    if (!this.mayWork(partition)) {
      throw new DomainError("STORE_UNAVAILABLE", "partitions of before have not handed over yet");
    }
    if (this.#layouts.versionOf(partition) < this.#layouts.newest && this.#mayHandOver()) {
      const version = this.#layouts.newest;
      const end = this.#ends.get(partition) ?? (await journal.end());
      this.#ends.set(partition, end);
      if (committed >= end) {
        await records.handOver({ logId: log.id, version, partition, prefix, lease });
        this.#options.log.info({ partition, version, end }, "partition handed over");
        await this.refresh();
      }
    }
    const version = this.#layouts.versionOf(partition);
    const beginning = this.#layouts.beginningOf(partition);
    return {
      version,
      partitionOf: (projectId) => this.#layouts.placeIn(version, projectId),
      inherited: beginning === 1 ? [] : await records.inherited(log.id, beginning),
    };
  }

  /** Reads what is stored now, and says how far this process is. @throws DomainError `STORE_UNAVAILABLE`. */
  refresh(): Promise<void> {
    const polled = this.#polling.then(() => this.#poll());
    this.#polling = polled.catch(() => undefined);
    return polled;
  }

  /** Says that this process puts no more records. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#polling;
    const { layouts, journal, writer } = this.#options;
    // The record store may be away: then it is waited for this process for a while.
    if (this.#oldestUnanswered() === undefined)
      await layouts.leaves(journal.id, writer).catch(() => undefined);
  }

  /** A broker that this process has asked may not know of them yet. */
  async #untilPartitions(): Promise<void> {
    const untilMs = performance.now() + LEARN_MS;
    while (!this.#hasPartitions(this.#used)) {
      if (performance.now() >= untilMs) {
        const partitions = this.#layouts.partitionsIn(this.#used);
        const message = `Kafka's brokers do not know all ${partitions} partitions of the topic`;
        throw new DomainError("STORE_UNAVAILABLE", message);
      }
      await delay(POLL_MS.raising);
    }
  }

  /** Changes over in the moment that all do, whatever holds this process up. */
  #versionNow(): number {
    const { newest } = this.#layouts;
    // The one before was settled when the newest was made, also where this process has not heard of it.
    const due = this.#now() >= this.#usedFromMs ? newest : newest - 1;
    if (this.#used < due && this.#hasPartitions(due)) this.#used = due;
    return this.#used;
  }

  /** A broker may tell this process of new partitions later than others. */
  #hasPartitions(version: number): boolean {
    return this.#options.journal.partitions >= this.#layouts.partitionsIn(version);
  }

  #mayHandOver(): boolean {
    return this.#layouts.isWritten && this.#now() - this.#steadyFromMs >= this.#steadyMs;
  }

  get #steadyMs(): number {
    return this.#options.steadyMs ?? STEADY_MS;
  }

  #oldestUnanswered(): number | undefined {
    const versions = [...this.#unanswered].filter(([, count]) => count > 0);
    return versions.length === 0 ? undefined : Math.min(...versions.map(([version]) => version));
  }

  async #askEnd(partition: number, journal: OwnedPartition["journal"]): Promise<void> {
    const { newest } = this.#layouts;
    try {
      const end = await journal.end();
      if (this.#layouts.newest === newest) this.#ends.set(partition, end);
    } catch {
      // The partition's reader says why; it is asked for again.
      if (this.#layouts.newest === newest) this.#ends.delete(partition);
    }
  }

  #schedule(): void {
    const { pollMs = POLL_MS } = this.#options;
    const afterMs = this.#layouts.isSettled ? pollMs.settled : pollMs.raising;
    this.#timer = setTimeout(() => {
      this.refresh()
        .then(() => this.#answered())
        .catch((error: unknown) => this.#failed(error))
        .finally(() => {
          if (!this.#isClosed) this.#schedule();
        });
    }, afterMs);
    this.#timer.unref();
  }

  #answered(): void {
    this.#isTroubled = false;
    const { isSettled, newest } = this.#layouts;
    const told = this.#told;
    this.#told = { newest, isSettled };
    if (isSettled && told.isSettled && newest === told.newest) return;
    if (isSettled) this.#options.log.info({ version: newest }, "all partitions have handed over");
    for (const listener of this.#listeners) listener();
  }

  #noteSettled(): void {
    if (this.#layouts.isSettled) this.#unsettledFromMs = undefined;
    else this.#unsettledFromMs ??= this.#now();
  }

  #failed(error: unknown): void {
    this.#steadyFromMs = this.#now();
    if (!this.#isTroubled)
      this.#options.log.warn({ err: error }, "layout of the log cannot be read; trying again");
    this.#isTroubled = true;
  }

  async #poll(): Promise<void> {
    const { layouts, journal, writer, usedAfterMs = USED_AFTER_MS, log } = this.#options;
    const used = this.#versionNow();
    const written = Math.min(used, this.#oldestUnanswered() ?? used);
    await layouts.writes(journal.id, writer, written, WRITER_MS);
    await this.#read();
    const { newest, isSettled } = this.#layouts;
    const partitions = journal.partitions;
    if (this.#isClosed || !isSettled || partitions <= this.#layouts.partitionsIn(newest)) return;
    log.info({ partitions, version: newest + 1 }, "the topic has more partitions");
    await layouts.raise(journal.id, newest + 1, partitions, usedAfterMs);
    await this.#read();
  }

  async #read(): Promise<void> {
    const stored = await this.#options.layouts.read(this.#options.journal.id);
    const receivedMs = this.#now();
    const before = this.#layouts.newest;
    this.#layouts = new Layouts(stored);
    this.#noteSettled();
    if (this.#layouts.newest === before) return;
    this.#usedFromMs = receivedMs + stored.usedInMs;
    this.#ends.clear();
  }
}

/** The version by which records are put now. */
const usedVersion = ({ partitions, usedInMs }: StoredLayouts): number =>
  partitions.length - (usedInMs > 0 ? 1 : 0);

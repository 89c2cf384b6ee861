import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { VisitRecords } from "../../storage/ports/equipment/visits.ts";
import type {
  FollowedJournal,
  JournalCursor,
  JournalPosition,
  JournalRecord,
} from "../../storage/ports/journal.ts";
import type { PipelineRecords } from "../../storage/ports/pipeline.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { type AssetTracks, createAssetTracks } from "../asset-state/live-assets.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { FenceDirectory } from "../directories/fence-directory.ts";
import type { PlanDirectory } from "../directories/plan-directory.ts";
import { damageEvent, startingSequence } from "../events/journal-gap.ts";
import { RECORD_KIND, TICK_BODY } from "../journal-record/journal-record.ts";
import { applyFenceChanges } from "../stages/fence-changes.ts";
import { createPipelineCounters, type PipelineCounters } from "../stages/stage.ts";
import { trackRules } from "../stages/track-rules.ts";
import type { EventContext, VisitNames } from "../stages/visit-events.ts";
import { COMMIT_MS, COMMIT_RECORDS, commitEveryMs } from "./commit-pace.ts";
import { catchUpWithFences, shareFencesSeen } from "./fences-seen.ts";
import { startReruns } from "./reruns.ts";
import { restoreTracks } from "./restore.ts";
import { createStages } from "./stages.ts";
import { type MovedRecord, PipelineStep } from "./step.ts";
import {
  ownProjects,
  type PipelineShare,
  restoreStages,
  type Territory,
  territoryOf,
} from "./territory.ts";

/** Records of one read of the journal; about 5 ms of work before the event loop gets a turn. */
const READ_RECORDS = 500;
const READ_BYTES = 4 * 1024 * 1024;
/**
 * Records that may wait for a commit in flight before reading stops. A commit costs by the assets it
 * touches, so a slow store is given fewer, larger ones; what waits is at most one state per asset.
 */
const MAX_PENDING = 2 * COMMIT_RECORDS;
const TICK_MS = 10_000;
/**
 * First and longest pause before a failed commit is tried again, ms. Longer delays events after an outage; shorter
 * asks a store that is down more often.
 */
const RETRY_MS = { first: 250, longest: 5_000 };

export interface PipelineOptions {
  readonly journal: FollowedJournal;
  readonly records: Omit<PipelineRecords, "share">;
  readonly visits: VisitRecords;
  readonly telemetry: Pick<TelemetryStore, "read">;
  /** Journal place up to which the telemetry store can be read; a re-run waits for it. */
  readonly telemetryWritten: () => number;
  readonly directory: AssetDirectory;
  readonly fences: FenceDirectory;
  readonly plans: PlanDirectory;
  /** Called after a commit that held events: their delivery need not wait for a poll. */
  readonly onEvents?: () => void;
  /** One of several pipelines, with the projects that are its own; absent: the only one. */
  readonly share?: PipelineShare;
  /** A commit was refused because a lease of `share` is gone: the pipeline has stopped for good. */
  readonly onLeaseLost?: () => void;
  /** Counts on, where an earlier pipeline of this process had stopped. */
  readonly counters?: PipelineCounters;
  readonly log: Logger;
  readonly now?: () => number;
}

/**
 * Follows the journal from the last committed state on until it is stopped, and commits what its records
 * change.
 */
export class Pipeline {
  readonly live: AssetTracks = createAssetTracks();
  readonly counters: PipelineCounters;
  readonly #options: PipelineOptions;
  readonly #now: () => number;
  readonly #territory: Territory;
  readonly #step: PipelineStep;
  readonly #eventContext: EventContext;
  readonly #cursor: JournalCursor;
  readonly #stopping = new AbortController();
  /** Ends the wait for the next record: something else is to be done. */
  #wake = new AbortController();
  #applied = 0;
  #committed = 0;
  #committing: Promise<void> | undefined;
  #lastCommitMs = 0;
  /** Time from the last commit to the next one that nobody waits for, ms. */
  #commitEveryMs: number = COMMIT_MS.least;
  /** Changes were dropped when the pipeline was stopped: nothing later may be stored before them. */
  #hasGivenUp = false;
  #stalled: string | undefined;
  #unfollowFences: () => void = () => undefined;
  #ticker: NodeJS.Timeout | undefined;
  #committer: NodeJS.Timeout | undefined;
  #following: Promise<void> = Promise.resolve();
  #rerunning: Promise<void> = Promise.resolve();

  /** Loads the last committed state and follows the journal from there. */
  static async start(options: PipelineOptions): Promise<Pipeline> {
    const pipeline = new Pipeline(options);
    await pipeline.#restore();
    pipeline.#begin();
    return pipeline;
  }

  private constructor(options: PipelineOptions) {
    const { journal, directory, fences, plans, share } = options;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.counters = options.counters ?? createPipelineCounters();
    const names: VisitNames = {
      asset: (id) => directory.find(id)?.asset.name ?? id,
      geofence: (id) => fences.find(id) ?? { name: id, kind: "zone" },
    };
    this.#territory = territoryOf(share, createStages({ fences, plans, names }));
    this.#step = new PipelineStep({
      journalId: journal.id,
      directory,
      tracks: this.live,
      territory: this.#territory,
      counters: this.counters,
    });
    this.#eventContext = { output: this.#step.output, names };
    this.#cursor = journal.cursor("records");
  }

  /** The journal place up to which everything is committed. */
  get committedSequence(): number {
    return this.#committed;
  }

  /** Why the pipeline has stopped, or `undefined` while it runs. */
  get stalled(): string | undefined {
    return this.#stalled;
  }

  /** Finishes the step at hand, commits it and stops. */
  async stop(): Promise<void> {
    clearInterval(this.#ticker);
    clearInterval(this.#committer);
    this.#unfollowFences();
    const hadFailed = this.#stopping.signal.aborted;
    this.#stopping.abort();
    await this.#following;
    await this.#rerunning;
    await this.#committing?.catch(() => undefined);
    if (!hadFailed && !this.#hasGivenUp && this.#step.hasChanges) {
      await this.#commitNow().catch(() => undefined);
    }
  }

  /** Takes the last committed state in, and finds the place in the journal to go on from. */
  async #restore(): Promise<void> {
    const { live } = this;
    const { journal, records, visits, directory, fences, share, log } = this.#options;
    const territory = this.#territory;
    await restoreTracks(live, records, visits, log, ownProjects(territory, directory));
    const shared = await records.shared();
    restoreStages(territory, shared);
    const checkpoint = await records.checkpoint(share?.id);
    const start = startingSequence(journal, checkpoint, "records");
    if (start.gap !== undefined) {
      log.error({ ...start.gap.data }, "journal gap: starting at the oldest record");
      this.#step.output.raise(start.gap);
    }
    const damage = damageEvent(journal);
    if (damage !== undefined) {
      log.error({ ...damage.data }, "journal gap: damaged records were set aside");
      this.#step.output.raise(damage);
    }
    const eventContext = this.#eventContext;
    catchUpWithFences({ territory, shared, live, directory, fences, eventContext });
    fences.takeChanges();
    fences.takeNewAssets();
    this.#applied = start.sequence - 1;
    this.#committed = this.#applied;
  }

  #begin(): void {
    const { live, counters } = this;
    const { journal, visits, telemetry, telemetryWritten, fences, plans, log } = this.#options;
    const { signal } = this.#stopping;
    this.#unfollowFences = fences.onChange(() => this.#wake.abort());
    signal.addEventListener("abort", () => this.#wake.abort());
    this.#ticker = setInterval(() => {
      journal.append(RECORD_KIND.tick, this.#now(), TICK_BODY, () => undefined);
    }, TICK_MS);
    // Commits the changes left when the journal is quiet: nothing else wakes the loop then.
    this.#committer = setInterval(() => this.#maybeCommit(), COMMIT_MS.least);
    this.#following = this.#follow().catch((error: unknown) => this.#fail(error));
    this.#rerunning = startReruns({
      live,
      stores: { telemetry, visits },
      telemetryWritten,
      applied: () => this.#applied,
      rulesOf: (track) => trackRules(track, this.#step.calendarOf(track), { fences, plans }),
      eventContext: this.#eventContext,
      counters,
      signal,
      log,
      now: this.#now,
    }).catch((error: unknown) => this.#fail(error));
  }

  async #commitNow(): Promise<void> {
    const { journal, records, onLeaseLost, onEvents, log } = this.#options;
    const { signal } = this.#stopping;
    this.#lastCommitMs = this.#now();
    const place: JournalPosition = { journalId: journal.id, sequence: this.#applied };
    const change = this.#step.take(place);
    let moved = this.#step.takeMoved();
    for (let pauseMs = RETRY_MS.first; ; pauseMs = Math.min(pauseMs * 2, RETRY_MS.longest)) {
      try {
        // First: once the place is stored, nobody reads them here again.
        await this.#passOn(moved);
        moved = [];
        const beganMs = performance.now();
        await records.commit(change);
        this.#commitEveryMs = commitEveryMs(performance.now() - beganMs);
        break;
      } catch (error) {
        const isLost = isLeaseLost(error);
        if (isLost) onLeaseLost?.();
        if (!(error instanceof DomainError) || isLost || signal.aborted) {
          this.#hasGivenUp = true;
          throw error;
        }
        this.#stalled = `pipeline waits: ${error.message}`;
        log.warn({ err: error }, "pipeline commit failed; trying again");
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
    this.#stalled = undefined;
    this.#committed = place.sequence;
    this.#cursor.advance(place.sequence);
    if (change.events.length > 0) onEvents?.();
  }

  /** Gives records of assets that have moved to the pipelines that have them now; what fails is passed on again. */
  async #passOn(moved: readonly MovedRecord[]): Promise<void> {
    const { share, log } = this.#options;
    if (share === undefined || moved.length === 0) return;
    await Promise.all(moved.map(({ projectId, record }) => share.passOn(projectId, record)));
    log.info({ records: moved.length }, "records of assets that moved were passed on");
  }

  /** Starts a commit when there is something to store and none in flight. */
  #maybeCommit(): void {
    if (this.#committing !== undefined || this.#hasGivenUp || !this.#step.hasChanges) return;
    // A receiver waits for an event; everything else gains by being written together.
    const canWait = this.#step.pending < COMMIT_RECORDS && !this.#step.hasEvents;
    if (canWait && this.#now() - this.#lastCommitMs < this.#commitEveryMs) return;
    this.#committing = this.#commitNow().finally(() => {
      this.#committing = undefined;
    });
    this.#committing.catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#stalled = `pipeline: ${error instanceof Error ? error.message : String(error)}`;
    if (isLeaseLost(error)) {
      // Another process goes on with its records: nobody has to act.
      this.#options.log.warn({ err: error }, "pipeline stopped: another process has its records");
    } else this.#options.log.fatal({ err: error }, "pipeline stopped");
    this.#stopping.abort();
  }

  async #follow(): Promise<void> {
    const { journal } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#nextRecord();
      if (signal.aborted) return;
      this.#learnFences();
      const { syncedSequence } = journal;
      const batch = await journal.read(this.#applied + 1, {
        records: READ_RECORDS,
        bytes: READ_BYTES,
      });
      for (const record of batch) {
        this.#apply(record);
        this.#applied = record.sequence;
      }
      // No record, although there should be: those up to here are gone.
      if (batch.length === 0) this.#applied = Math.max(this.#applied, syncedSequence);
      this.#maybeCommit();
      if (this.#step.pending >= MAX_PENDING) await this.#committing;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Changed fences must not wait for the next message. */
  async #nextRecord(): Promise<void> {
    await this.#options.journal.waitFor(this.#applied + 1, this.#wake.signal);
    if (this.#wake.signal.aborted && !this.#stopping.signal.aborted) {
      this.#wake = new AbortController();
    }
  }

  /** Takes in what changed of fences and assignments; between two records, so that a fold is never cut. */
  #learnFences(): void {
    const { fences } = this.#options;
    const learned = {
      instantsMs: fences.takeChanges(),
      newAssets: fences.takeNewAssets(),
    };
    if (learned.instantsMs.length === 0) return;
    applyFenceChanges(learned, this.live.all(), fences.timeline, this.#eventContext);
    shareFencesSeen(fences, this.#step.output);
  }

  /** One record that cannot be read must not hold up all that follow: it is counted and logged. */
  #apply(record: JournalRecord): void {
    try {
      this.#step.apply(record);
    } catch (error) {
      this.counters.undecodable += 1;
      this.#options.log.error(
        { err: error, sequence: record.sequence },
        "journal record passed over",
      );
    }
  }
}

const isLeaseLost = (error: unknown): boolean =>
  error instanceof DomainError && error.code === "LEASE_LOST";

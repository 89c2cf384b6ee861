import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { VisitRecords } from "../../storage/ports/equipment/visits.ts";
import type { Journal, JournalPosition } from "../../storage/ports/journal.ts";
import type { PipelineRecords } from "../../storage/ports/pipeline.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { type AssetTracks, createAssetTracks } from "../asset-state/live-assets.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { FenceDirectory } from "../directories/fence-directory.ts";
import type { PlanDirectory } from "../directories/plan-directory.ts";
import { asItIsNow, damageEvent, startingSequence } from "../events/journal-gap.ts";
import { RECORD_KIND, TICK_BODY } from "../journal-record/journal-record.ts";
import { applyFenceChanges } from "../stages/fence-changes.ts";
import { createPipelineCounters, type PipelineCounters } from "../stages/stage.ts";
import { trackRules } from "../stages/track-rules.ts";
import type { VisitNames } from "../stages/visit-events.ts";
import { catchUpWithFences, shareFencesSeen } from "./fences-seen.ts";
import { startReruns } from "./reruns.ts";
import { restoreTracks } from "./restore.ts";
import { createStages } from "./stages.ts";
import { PipelineStep } from "./step.ts";
import { ownProjects, type PipelineNode, restoreParts, territoryOf } from "./territory.ts";

/** Records of one read of the journal; about 5 ms of work before the event loop gets a turn. */
const READ_RECORDS = 500;
const READ_BYTES = 4 * 1024 * 1024;
/** Most records of one transaction, and the longest wait for more (docs/rules.md#intake). */
const COMMIT_RECORDS = 2_000;
const COMMIT_MS = 50;
/**
 * Records that may wait for a commit in flight before reading stops. A commit costs by the assets it
 * touches, so a slow store is given fewer, larger ones; what waits is at most one state per asset.
 */
const MAX_PENDING = 10 * COMMIT_RECORDS;
const TICK_MS = 10_000;
/**
 * First and longest pause before a failed commit is tried again, ms. Longer delays events after an outage; shorter
 * asks a store that is down more often.
 */
const RETRY_MS = { first: 250, longest: 5_000 };

export interface Pipeline {
  readonly live: AssetTracks;
  readonly counters: PipelineCounters;
  /** The journal place up to which everything is committed. */
  readonly committedSequence: number;
  /** Why the pipeline has stopped, or `undefined` while it runs. */
  readonly stalled: string | undefined;
  /** Finishes the step at hand, commits it and stops. */
  stop(): Promise<void>;
}

export interface PipelineOptions {
  readonly journal: Journal;
  readonly records: PipelineRecords;
  readonly visits: VisitRecords;
  readonly telemetry: TelemetryStore;
  /** Journal place up to which the telemetry store can be read; a re-run waits for it. */
  readonly telemetryWritten: () => number;
  readonly directory: AssetDirectory;
  readonly fences: FenceDirectory;
  readonly plans: PlanDirectory;
  /** Called after a commit that held events: their delivery need not wait for a poll. */
  readonly onEvents?: () => void;
  /** One of several ingest nodes, with the shards that are its own; absent: the only one. */
  readonly node?: PipelineNode;
  /** An earlier pipeline of this process has reported what is wrong with the journal. */
  readonly isRestart?: boolean;
  /** A commit was refused because a lease of `node` is gone: the pipeline has stopped for good. */
  readonly onLeaseLost?: () => void;
  /** Counts on, where an earlier pipeline of this process had stopped. */
  readonly counters?: PipelineCounters;
  readonly log: Logger;
  readonly now?: () => number;
}

/** Loads the last committed state and follows the journal from there until stopped. */
export async function startPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { journal, records, visits, telemetry, telemetryWritten, directory, fences, plans, log } =
    options;
  const now = options.now ?? Date.now;
  const live = createAssetTracks();
  const counters = options.counters ?? createPipelineCounters();
  const names: VisitNames = {
    asset: (id) => directory.find(id)?.asset.name ?? id,
    geofence: (id) => fences.find(id) ?? { name: id, kind: "zone" },
  };
  const territory = territoryOf(options.node, () => createStages({ fences, plans, names }));
  const step = new PipelineStep({
    journalId: journal.id,
    directory,
    tracks: live,
    territory,
    counters,
  });
  const cursor = journal.cursor("records");
  await restoreTracks(live, records, visits, log, ownProjects(territory, directory));
  const shared = await records.shared();
  restoreParts(territory, shared);
  const checkpoint = await ownCheckpoint(records, journal, options.node);
  const start = startingSequence(
    options.isRestart === true ? asItIsNow(journal) : journal,
    checkpoint,
    "records",
  );
  if (start.gap !== undefined) {
    log.error({ ...start.gap.data }, "journal gap: starting at the oldest record");
    step.output.raise(start.gap);
  }
  const damage = options.isRestart === true ? undefined : damageEvent(journal);
  if (damage !== undefined) {
    log.error({ ...damage.data }, "journal gap: damaged records were set aside");
    step.output.raise(damage);
  }

  const eventContext = { output: step.output, names };
  catchUpWithFences({ territory, shared, live, directory, fences, eventContext });
  fences.takeChanges();
  fences.takeNewAssets();

  const stopping = new AbortController();
  /** Ends the wait for the next record: something else is to be done. */
  let wake = new AbortController();
  const unfollowFences = fences.onChange(() => wake.abort());
  stopping.signal.addEventListener("abort", () => wake.abort());
  let applied = start.sequence - 1;
  let committed = applied;
  let committing: Promise<void> | undefined;
  let lastCommitMs = 0;
  /** Changes were dropped when the pipeline was stopped: nothing later may be stored before them. */
  let hasGivenUp = false;
  let stalled: string | undefined;

  async function commitNow(): Promise<void> {
    lastCommitMs = now();
    const place: JournalPosition = { journalId: journal.id, sequence: applied };
    const change = step.take(place);
    for (let pauseMs = RETRY_MS.first; ; pauseMs = Math.min(pauseMs * 2, RETRY_MS.longest)) {
      try {
        await records.commit(change);
        break;
      } catch (error) {
        const isLost = error instanceof DomainError && error.code === "LEASE_LOST";
        if (isLost) options.onLeaseLost?.();
        if (!(error instanceof DomainError) || isLost || stopping.signal.aborted) {
          hasGivenUp = true;
          throw error;
        }
        stalled = `pipeline waits: ${error.message}`;
        log.warn({ err: error }, "pipeline commit failed; trying again");
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
    stalled = undefined;
    committed = place.sequence;
    cursor.advance(committed);
    if (change.events.length > 0) options.onEvents?.();
  }

  /** Starts a commit when there is something to store and none in flight. */
  function maybeCommit(): void {
    if (committing !== undefined || hasGivenUp || !step.hasChanges) return;
    // A receiver waits for an event; everything else gains by being written together.
    const canWait = step.pending < COMMIT_RECORDS && !step.hasEvents;
    if (canWait && now() - lastCommitMs < COMMIT_MS) return;
    committing = commitNow().finally(() => {
      committing = undefined;
    });
    committing.catch(fail);
  }

  function fail(error: unknown): void {
    if (stopping.signal.aborted) return;
    stalled = `pipeline: ${error instanceof Error ? error.message : String(error)}`;
    log.fatal({ err: error }, "pipeline stopped");
    stopping.abort();
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await nextRecord();
      if (stopping.signal.aborted) return;
      learnFences();
      const { syncedSequence } = journal;
      const batch = await journal.read(applied + 1, { records: READ_RECORDS, bytes: READ_BYTES });
      for (const record of batch) {
        applyRecord(step, record, counters, log);
        applied = record.sequence;
      }
      // No record, although there should be: those up to here are gone.
      if (batch.length === 0) applied = Math.max(applied, syncedSequence);
      maybeCommit();
      if (step.pending >= MAX_PENDING) await committing;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Changed fences must not wait for the next message. */
  async function nextRecord(): Promise<void> {
    await journal.waitFor(applied + 1, wake.signal);
    if (wake.signal.aborted && !stopping.signal.aborted) wake = new AbortController();
  }

  /** Takes in what changed of fences and assignments; between two records, so that a fold is never cut. */
  function learnFences(): void {
    const learned = {
      instantsMs: fences.takeChanges(),
      newAssets: fences.takeNewAssets(),
    };
    if (learned.instantsMs.length === 0) return;
    applyFenceChanges(learned, live.all(), fences.timeline, eventContext);
    shareFencesSeen(territory, fences, step.output);
  }

  const ticker = setInterval(() => {
    journal.append(RECORD_KIND.tick, now(), TICK_BODY, () => undefined);
  }, TICK_MS);
  // Commits the changes left when the journal is quiet: nothing else wakes the loop then.
  const committer = setInterval(maybeCommit, COMMIT_MS);
  const following = follow().catch(fail);
  const rerunning = startReruns({
    live,
    stores: { telemetry, visits },
    telemetryWritten,
    applied: () => applied,
    rulesOf: (track) => trackRules(track, step.calendarOf(track), { fences, plans }),
    eventContext,
    counters,
    signal: stopping.signal,
    log,
    now,
  }).catch(fail);

  return {
    live,
    counters,
    get committedSequence() {
      return committed;
    },
    get stalled() {
      return stalled;
    },
    async stop() {
      clearInterval(ticker);
      clearInterval(committer);
      unfollowFences();
      const hadFailed = stopping.signal.aborted;
      stopping.abort();
      await following;
      await rerunning;
      await committing?.catch(() => undefined);
      if (!hadFailed && !hasGivenUp && step.hasChanges) await commitNow().catch(() => undefined);
    },
  };
}

/** One record that cannot be read must not hold up all that follow: it is counted and logged. */
function applyRecord(
  step: PipelineStep,
  record: Parameters<PipelineStep["apply"]>[0],
  counters: PipelineCounters,
  log: Logger,
): void {
  try {
    step.apply(record);
  } catch (error) {
    counters.undecodable += 1;
    log.error({ err: error, sequence: record.sequence }, "journal record passed over");
  }
}

/** The place up to which this journal was processed: by this node, or when it was the only one. */
async function ownCheckpoint(
  records: Pick<PipelineRecords, "checkpoint">,
  journal: Pick<Journal, "id">,
  node: PipelineNode | undefined,
): Promise<JournalPosition | undefined> {
  const own = await records.checkpoint(node?.id);
  if (own !== undefined || node === undefined) return own;
  const before = await records.checkpoint();
  return before?.journalId === journal.id ? before : undefined;
}

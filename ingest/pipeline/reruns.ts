import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { AssetTracks } from "../asset-state/live-assets.ts";
import type { PipelineCounters } from "../stages/stage.ts";
import type { TimelineRules } from "../stages/timeline.ts";
import type { EventContext } from "../stages/visit-events.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import { beginRerun, type Rerun, type RerunEnd, type RerunStores } from "./rerun.ts";
import { RerunSchedule } from "./rerun-schedule.ts";

/**
 * How often due re-runs are polled for, ms. Longer delays corrections; shorter walks over the late assets more
 * often.
 */
const POLL_MS = 200;
/**
 * Re-runs that begin together: they wait for the telemetry store once. More keep copies of more tracks in memory;
 * fewer wait more often.
 */
const TOGETHER = 64;
/**
 * Longest wait for the telemetry store before they are put off, ms, and how often it is asked. Longer keeps copies
 * of tracks in memory; shorter puts off re-runs of a slow store.
 */
const STORE_WAIT_MS = 10_000;
const STORE_POLL_MS = 5;

export interface RerunOptions {
  readonly live: Pick<AssetTracks, "late">;
  readonly stores: RerunStores;
  /** Journal place up to which the telemetry store can be read. */
  readonly telemetryWritten: () => number;
  /** Journal place up to which the tracks have taken everything in. */
  readonly applied: () => number;
  readonly rulesOf: (track: AssetTrack) => TimelineRules;
  readonly eventContext: EventContext;
  readonly counters: Pick<PipelineCounters, "reruns">;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Makes the re-runs of tracks with late readings, beside the pipeline, which goes on meanwhile. While
 * messages keep coming the telemetry store is always some of them behind, and a re-run of 72 h takes
 * a second. Ends when the signal is aborted; no re-run is under way then.
 */
export async function startReruns(options: RerunOptions): Promise<void> {
  const { live, signal, now } = options;
  const schedule = new RerunSchedule(now);
  while (!signal.aborted) {
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    const due = [...live.late()].filter((track) => schedule.isDue(track));
    for (let i = 0; i < due.length && !signal.aborted; i += TOGETHER) {
      await rerunTogether(due.slice(i, i + TOGETHER), schedule, options);
    }
  }
}

async function rerunTogether(
  tracks: readonly AssetTrack[],
  schedule: RerunSchedule,
  options: RerunOptions,
): Promise<void> {
  const { log } = options;
  for (const track of tracks) schedule.begun(track);
  const reruns = tracks.map((track) => beginRerun(track, options.rulesOf(track)));
  const isReadable = await storeHas(options.applied(), options);
  if (!isReadable && !options.signal.aborted) {
    log.warn({ assets: tracks.length }, "re-runs put off: the telemetry store is behind");
  }
  let short = 0;
  for (const rerun of reruns) {
    if (!isReadable || options.signal.aborted) {
      rerun.abandon();
      continue;
    }
    if ((await finish(rerun, schedule, options)) === "short") short += 1;
  }
  if (short > 0) {
    log.warn({ assets: short }, "re-runs put off: the archive lacks what another partition has");
  }
}

/** `undefined`: a store is away. */
async function finish(
  rerun: Rerun,
  schedule: RerunSchedule,
  { stores, eventContext, counters, log }: RerunOptions,
): Promise<RerunEnd | undefined> {
  const { track } = rerun;
  try {
    const end = await rerun.finish(stores, eventContext, schedule.isShortAllowed(track));
    schedule.ended(track, end);
    if (end === "done") counters.reruns += 1;
    eventContext.output.touch(track);
    return end;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.warn({ err: error, assetId: track.assetId }, "re-run put off");
    return undefined;
  }
}

/** Waits until the telemetry store has everything up to `sequence`; `false`: not in time. */
async function storeHas(
  sequence: number,
  { telemetryWritten, signal, now }: RerunOptions,
): Promise<boolean> {
  const untilMs = now() + STORE_WAIT_MS;
  while (telemetryWritten() < sequence) {
    if (signal.aborted || now() >= untilMs) return false;
    await delay(STORE_POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return true;
}

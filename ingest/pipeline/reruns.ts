import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { AssetTrack } from "./asset-track.ts";
import type { AssetTracks } from "./live-assets.ts";
import { beginRerun, type Rerun, type RerunStores } from "./rerun.ts";
import type { PipelineCounters } from "./stage.ts";
import type { TimelineRules } from "./timeline.ts";
import type { TellingContext } from "./visit-telling.ts";

/** Least time between two re-runs of one asset, ms (DESIGN 5, Late fixes). */
const RERUN_EVERY_MS = 5_000;
/** How often due re-runs are looked for, ms. Chosen. */
const LOOK_MS = 200;
/** Re-runs that begin together: they wait for the telemetry store once. Chosen. */
const TOGETHER = 64;
/** Longest wait for the telemetry store before they are put off, ms, and how often it is asked. Chosen. */
const STORE_WAIT_MS = 10_000;
const STORE_LOOK_MS = 5;

export interface RerunOptions {
  readonly live: Pick<AssetTracks, "late">;
  readonly stores: RerunStores;
  /** Journal place up to which the telemetry store can be read. */
  readonly telemetryWritten: () => number;
  /** Journal place up to which the tracks have taken everything in. */
  readonly applied: () => number;
  readonly rulesOf: (track: AssetTrack) => TimelineRules;
  readonly telling: TellingContext;
  readonly counters: Pick<PipelineCounters, "reruns">;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Makes the re-runs of tracks with late readings, beside the pipeline, which goes on meanwhile: while
 * messages keep coming the telemetry store is always some of them behind, and a re-run of 72 h takes
 * a second. Ends when the signal is aborted; no re-run is under way then.
 */
export async function startReruns(options: RerunOptions): Promise<void> {
  const { live, signal, now } = options;
  const lastMs = new WeakMap<AssetTrack, number>();
  while (!signal.aborted) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    const due: AssetTrack[] = [];
    for (const track of live.late()) {
      if (now() - (lastMs.get(track) ?? Number.NEGATIVE_INFINITY) >= RERUN_EVERY_MS) {
        due.push(track);
      }
    }
    for (let i = 0; i < due.length && !signal.aborted; i += TOGETHER) {
      const group = due.slice(i, i + TOGETHER);
      for (const track of group) lastMs.set(track, now());
      await rerunTogether(group, options);
    }
  }
}

async function rerunTogether(tracks: readonly AssetTrack[], options: RerunOptions): Promise<void> {
  const { log } = options;
  const reruns = tracks.map((track) => beginRerun(track, options.rulesOf(track)));
  const isReadable = await storeHas(options.applied(), options);
  if (!isReadable && !options.signal.aborted) {
    log.warn({ assets: tracks.length }, "re-runs put off: the telemetry store is behind");
  }
  for (const rerun of reruns) {
    if (isReadable && !options.signal.aborted) await finish(rerun, options);
    else rerun.abandon();
  }
}

async function finish(rerun: Rerun, options: RerunOptions): Promise<void> {
  const { track } = rerun;
  try {
    const isDone = await rerun.finish(options.stores, options.telling);
    if (isDone) options.counters.reruns += 1;
    options.telling.output.touch(track);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    options.log.warn({ err: error, assetId: track.assetId }, "re-run put off");
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
    await delay(STORE_LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return true;
}

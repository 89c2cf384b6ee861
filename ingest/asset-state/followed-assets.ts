import type { Logger } from "pino";
import type { AssetId } from "../../domain/ids.ts";
import type { StateChanges, StateMark } from "../../storage/ports/equipment/state-changes.ts";
import { createWakeablePause } from "../pacing/wakeable-pause.ts";
import { unpackTrack } from "../track/track-codec.ts";
import type { AssetState, LiveAssets } from "./asset-state.ts";
import { viewOf } from "./track-view.ts";

/** How often the record store is asked what changed, ms (docs/rules.md#intake). */
const POLL_MS = 250;
/**
 * Longest pause while the store is away, ms. Longer shows old states after an outage; shorter asks a store that is
 * down more often.
 */
const LONGEST_PAUSE_MS = 5_000;
/**
 * How long the store may be away before what is shown counts as stale, ms. Longer shows old states as current;
 * shorter calls a short interruption stale.
 */
const STALE_MS = 10_000;

/** The live state of all assets, as the pipelines of other processes commit it. */
export interface FollowedAssets extends LiveAssets {
  /** Why what is shown may be old; `undefined` while it is fresh. */
  readonly stalled: string | undefined;
  /** Waits for the poll in flight; no listener is called any more. */
  stop(): Promise<void>;
}

export interface FollowedAssetsOptions {
  readonly changes: StateChanges;
  readonly pollMs?: number;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Reads all states and keeps following the record store, one query in flight. A store that is away is
 * asked again until it is back; until then the last known states are shown.
 * @throws DomainError `STORE_UNAVAILABLE` when it is away at the start.
 */
export async function followAssets(options: FollowedAssetsOptions): Promise<FollowedAssets> {
  const { changes, pollMs = POLL_MS, log } = options;
  /** Stored text of states that were not requested yet: most changes are never read. */
  const packed = new Map<AssetId, string>();
  const views = new Map<AssetId, AssetState>();
  const listeners: ((assetId: AssetId) => void)[] = [];
  let mark: StateMark | undefined;
  let seenMs = performance.now();
  let stopped = false;
  const rest = createWakeablePause();

  async function poll(): Promise<void> {
    const changed = await changes.since(mark);
    if (stopped) return;
    for (const { assetId, state } of changed.rows) {
      packed.set(assetId, state);
      views.delete(assetId);
      for (const listener of listeners) listener(assetId);
    }
    mark = changed.mark;
    seenMs = performance.now();
  }

  async function follow(): Promise<void> {
    let pauseMs = pollMs;
    while (!stopped) {
      await rest.wait(pauseMs);
      if (stopped) return;
      try {
        await poll();
        pauseMs = pollMs;
      } catch (error) {
        if (pauseMs === pollMs) log.warn({ err: error }, "states cannot be read; trying again");
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  function unpack(assetId: AssetId, state: string): AssetState | undefined {
    const track = unpackTrack(assetId, state);
    if (track === undefined) {
      log.warn({ assetId }, "asset state of another layout");
      return undefined;
    }
    const view = viewOf(track);
    views.set(assetId, view);
    return view;
  }

  await poll();
  const following = follow();

  return {
    state(assetId) {
      const view = views.get(assetId);
      if (view !== undefined) return view;
      const state = packed.get(assetId);
      if (state === undefined) return undefined;
      packed.delete(assetId);
      return unpack(assetId, state);
    },
    onChange(listener) {
      listeners.push(listener);
    },
    get stalled() {
      const ageMs = performance.now() - seenMs;
      if (ageMs <= STALE_MS) return undefined;
      return `states of assets are ${Math.round(ageMs / 1_000)} s old: the record store is away`;
    },
    async stop() {
      stopped = true;
      rest.wake();
      await following;
    },
  };
}

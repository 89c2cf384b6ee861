import type { AssetId } from "../../domain/ids.ts";
import type { FenceTimeline } from "../geofence/fence-timeline.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import { applyKnownFences, markLate } from "./timeline.ts";
import { applyCrossing } from "./visit-book.ts";
import type { EventContext } from "./visit-events.ts";

/** Fences and assignments that changed, as the pipeline learns of them. */
export interface LearnedChanges {
  /** When something changed, ascending, ms since the Unix epoch. */
  readonly instantsMs: readonly number[];
  /** Assets that had no fences at all so far, because their project was not known. */
  readonly newAssets: readonly AssetId[];
}

/**
 * Applies fences that were drawn, moved or deleted, and assets that changed their project. It does so
 * at once where the asset's newest fix is older than the change; else its fold is made again from
 * there.
 */
export function applyFenceChanges(
  { instantsMs, newAssets }: LearnedChanges,
  tracks: Iterable<AssetTrack>,
  fences: FenceTimeline,
  eventContext: EventContext,
): void {
  const [first] = instantsMs;
  if (first === undefined) return;
  const unevaluated = new Set(newAssets);
  for (const track of tracks) {
    const { assetId, fences: fold, work, meanwhile } = track;
    // Without a position there is nothing to be inside of. A re-run may be about to find one.
    if (!Number.isFinite(fold.clockMs) && meanwhile === undefined) continue;
    const dueMs = unevaluated.has(assetId) ? 0 : firstDue(fences, assetId, instantsMs, first);
    if (dueMs === undefined) continue;
    // A re-run may have passed the change already, by a position that the track lacks.
    const evaluatedMs = meanwhile === undefined ? fold.clockMs : Math.max(fold.clockMs, work.tMs);
    if (dueMs <= evaluatedMs) markLate(track, dueMs);
    else
      applyKnownFences(track, fences, {
        crossing: (one) => applyCrossing(track, one, eventContext),
      });
    eventContext.output.touch(track);
  }
}

/** The first learned instant that concerns the asset. A fence older than its move to a project applies from there. */
function firstDue(
  fences: FenceTimeline,
  assetId: AssetId,
  learnedMs: readonly number[],
  fromMs: number,
): number | undefined {
  const learned = learnedMs.find((atMs) => fences.changesAt(assetId, atMs));
  const [moved] = fences.movesFrom(assetId, fromMs);
  if (learned === undefined || moved === undefined) return learned ?? moved;
  return Math.min(learned, moved);
}

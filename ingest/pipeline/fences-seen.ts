import type { AssetTracks } from "../asset-state/live-assets.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { FenceDirectory, FencesSeen } from "../directories/fence-directory.ts";
import { applyFenceChanges } from "../stages/fence-changes.ts";
import type { StageOutput } from "../stages/stage.ts";
import type { EventContext } from "../stages/visit-events.ts";
import { ownTracks, sharedState, type Territory } from "./territory.ts";

/** Name of the shared state that says which fences the stored tracks know of. */
export const FENCES_SEEN = "fences-seen";
const NOTHING_SEEN: FencesSeen = { revision: 0, assignedMs: 0 };

/** Says that the tracks know of all fences that the directory knows of. */
export function shareFencesSeen(fences: Pick<FenceDirectory, "seen">, output: StageOutput): void {
  output.share(FENCES_SEEN, JSON.stringify(fences.seen));
}

/** Applies the changes of fences since the tracks were stored. */
export function catchUpWithFences(context: {
  readonly territory: Territory;
  readonly shared: ReadonlyMap<string, string>;
  readonly live: AssetTracks;
  readonly directory: AssetDirectory;
  readonly fences: FenceDirectory;
  readonly eventContext: EventContext;
}): void {
  const { territory, shared, live, directory, fences, eventContext } = context;
  const text = sharedState(territory, shared, FENCES_SEEN, mergeSeen);
  const seen = text === undefined ? NOTHING_SEEN : (JSON.parse(text) as FencesSeen);
  const learned = { instantsMs: fences.changedAfter(seen), newAssets: [] };
  const tracks = ownTracks(territory, live.all(), directory);
  applyFenceChanges(learned, tracks, fences.timeline, eventContext);
  shareFencesSeen(fences, eventContext.output);
}

/** What all of them had seen. */
function mergeSeen(texts: readonly string[]): string {
  const seen = texts.map((text) => JSON.parse(text) as FencesSeen);
  const merged: FencesSeen = {
    revision: Math.min(...seen.map(({ revision }) => revision)),
    assignedMs: Math.min(...seen.map(({ assignedMs }) => assignedMs)),
  };
  return JSON.stringify(merged);
}

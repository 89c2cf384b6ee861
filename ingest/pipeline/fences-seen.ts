import type { AssetTracks } from "../asset-state/live-assets.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { FenceDirectory, FencesSeen } from "../directories/fence-directory.ts";
import { applyFenceChanges } from "../stages/fence-changes.ts";
import type { StageOutput } from "../stages/stage.ts";
import type { EventContext } from "../stages/visit-events.ts";
import { tracksByPart } from "./part-views.ts";
import type { Territory } from "./territory.ts";

/** Name of the shared state that says which fences the stored tracks of a part know of. */
const FENCES_SEEN = "fences-seen";
const NOTHING_SEEN: FencesSeen = { revision: 0, assignedMs: 0 };

/** Says that the tracks know of all fences that the directory knows of. */
export function shareFencesSeen(
  { parts }: Territory,
  fences: Pick<FenceDirectory, "seen">,
  output: StageOutput,
): void {
  const seen = JSON.stringify(fences.seen);
  for (const { prefix } of parts) output.share(prefix + FENCES_SEEN, seen);
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
  // Most shards were stored by one node, and know the same: what changed since is looked up once.
  const changes = new Map<string | undefined, readonly number[]>();
  for (const [{ prefix }, tracks] of tracksByPart(territory, live.all(), directory)) {
    const text = shared.get(prefix + FENCES_SEEN) ?? shared.get(FENCES_SEEN);
    let instantsMs = changes.get(text);
    if (instantsMs === undefined) {
      const seen = text === undefined ? NOTHING_SEEN : (JSON.parse(text) as FencesSeen);
      instantsMs = fences.changedAfter(seen);
      changes.set(text, instantsMs);
    }
    applyFenceChanges({ instantsMs, newAssets: [] }, tracks, fences.timeline, eventContext);
  }
  shareFencesSeen(territory, fences, eventContext.output);
}

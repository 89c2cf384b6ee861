/**
 * What an edit of a fence costs the pipeline's loop, in a project whose fences were drawn one after the other: the
 * fence's new version is taken in, and 1,000 machines of the project are told. CPU of this process.
 *
 *   npx tsx bench/fence-edits.ts [fences, 10000 if not given] [edits]
 */
import type { AssetId, GeofenceId } from "../domain/ids.ts";
import { FenceTimeline } from "../ingest/geofence/fence-timeline.ts";
import { applyFenceChanges } from "../ingest/stages/fence-changes.ts";
import { newAssetTrack } from "../ingest/track/asset-track.ts";
import { PROJECT } from "../test/ingest/geofence/site.ts";
import { squareFence } from "../test/support/square-fence.ts";
import { median } from "./figures/median.ts";

const [fences = 10_000, edits = 20] = process.argv.slice(2).map(Number);
const MACHINES = 1_000;
/** Newest fix of every machine, and the first edit, ms after the first fence was drawn: one a second. */
const [FIX_MS, EDIT_MS] = [fences * 2_000, fences * 1_500];

const fenceId = (i: number) => `fence-${i}` as GeofenceId;
const timeline = new FenceTimeline();
const drawn = Array.from({ length: fences }, (_, i) =>
  squareFence(fenceId(i), PROJECT, { validFromMs: i * 1_000 }),
);
timeline.apply(drawn);
const tracks = Array.from({ length: MACHINES }, (_, i) => {
  const assetId = `machine-${i}` as AssetId;
  timeline.assign(assetId, [{ assetId, projectId: PROJECT, validFromMs: 0, validToMs: undefined }]);
  const track = newAssetTrack(assetId, PROJECT);
  track.fences.clockMs = FIX_MS;
  return track;
});
const nothing = () => undefined;
const eventContext = {
  output: { raise: nothing, alert: nothing, visit: nothing, share: nothing, touch: nothing },
  names: { asset: () => "", geofence: () => ({ name: "", kind: "zone" as const }) },
};

const costs: number[] = [];
for (const [i, fence] of drawn.slice(0, edits).entries()) {
  for (const track of tracks) track.lateFromMs = Number.POSITIVE_INFINITY;
  const atMs = EDIT_MS + i;
  const before = process.cpuUsage();
  const instantsMs = timeline.apply([
    { ...fence, validToMs: atMs },
    { ...fence, name: "edited", validFromMs: atMs },
  ]);
  applyFenceChanges({ instantsMs, newAssets: [] }, tracks, timeline, eventContext);
  const { user, system } = process.cpuUsage(before);
  costs.push((user + system) / 1_000);
  if (tracks.some(({ lateFromMs }) => lateFromMs !== atMs)) {
    throw new Error(`not evaluated again from the edit on: ${tracks[0]?.lateFromMs}`);
  }
}
console.log(
  `${fences} fences, ${MACHINES} machines: ${median(costs).toFixed(1)} ms of CPU an edit (${Math.min(...costs).toFixed(1)} to ${Math.max(...costs).toFixed(1)})`,
);

import type { Logger } from "pino";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Visit, VisitRecords } from "../../storage/ports/equipment/visits.ts";
import type { PipelineRecords } from "../../storage/ports/pipeline.ts";
import type { AssetTracks } from "../asset-state/live-assets.ts";
import { addToBook } from "../stages/visit-book.ts";
import { type AssetTrack, LATE_SPAN_MS } from "../track/asset-track.ts";
import { unpackTrack } from "../track/track-codec.ts";

/**
 * Takes the tracks of the last commit back in, each with the newest visits of its asset. If projects
 * are given it takes only theirs: then another process may have made the commit.
 */
export async function restoreTracks(
  live: AssetTracks,
  records: Pick<PipelineRecords, "states">,
  visits: Pick<VisitRecords, "newest">,
  log: Logger,
  projectIds?: readonly ProjectId[],
): Promise<void> {
  const visitsByAsset = new Map<AssetId, Visit[]>();
  for (const visit of await visits.newest()) {
    const ofAsset = visitsByAsset.get(visit.assetId);
    if (ofAsset === undefined) visitsByAsset.set(visit.assetId, [visit]);
    else ofAsset.push(visit);
  }
  for (const { assetId, state } of await records.states(projectIds)) {
    const track = unpackTrack(assetId, state);
    if (track === undefined) {
      log.warn({ assetId }, "asset state of another layout");
      continue;
    }
    addToBook(track, visitsByAsset.get(assetId) ?? [], track.visits.completeFrom);
    // It may have been in another partition, whose readings come to the archive by another process.
    if (projectIds !== undefined) noteUnseen(track);
    live.restore(track);
  }
}

/**
 * Most readings that are remembered so, the newest: the re-run that drops them may never come. More cost a read
 * each at every re-run; fewer let a re-run miss readings of another partition.
 */
const MOST_UNSEEN = 8;

function noteUnseen(track: AssetTrack): void {
  const { unseenMs, lastTakenMs } = track;
  if (lastTakenMs === undefined) return;
  const oldestMs = track.work.tMs - LATE_SPAN_MS;
  const earlier = unseenMs.filter((atMs) => atMs !== lastTakenMs && atMs >= oldestMs);
  track.unseenMs = [...earlier, lastTakenMs].slice(-MOST_UNSEEN);
}

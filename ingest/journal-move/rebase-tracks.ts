import type { AssetStateRow } from "../../storage/ports/equipment/state-changes.ts";
import type { Moment } from "../liveness/moment.ts";
import { packTrack, unpackTrack } from "../track/track-codec.ts";

/** Adds to the downtime in all moments of a stored asset; one of another layout is left as it is. */
export function withAddedPause({ assetId, state }: AssetStateRow, addedMs: number): AssetStateRow {
  const track = addedMs === 0 ? undefined : unpackTrack(assetId, state);
  if (track === undefined) return { assetId, state };
  const { liveness } = track;
  const moved = (moment: Moment): Moment => ({ ...moment, pausedMs: moment.pausedMs + addedMs });
  const { linkAt, heardAt, fixAt, findings } = liveness;
  liveness.linkAt = linkAt && moved(linkAt);
  liveness.heardAt = heardAt && moved(heardAt);
  liveness.fixAt = fixAt && moved(fixAt);
  for (const finding of Object.values(findings)) {
    if (finding !== undefined) finding.heldFrom = moved(finding.heldFrom);
  }
  return { assetId, state: packTrack(track) };
}

import { t } from "../../i18n/t.ts";
import { fences } from "../../state/fences.ts";
import type { TrackCrossing } from "../../track/track.ts";

/** Name of a fence; its id where the fence is gone or not of this project. */
const fenceName = (id: string): string => fences.value.find((fence) => fence.id === id)?.name ?? id;

/** What begins or ends a stay in a fence without anybody driving. */
const CAUSES = [
  "first_fix",
  "fence_changed",
  "fence_deleted",
  "asset_moved",
  "asset_deleted",
] as const;

/** What a crossing is in a few words, for the map. */
export function crossingLabel({ type, fenceId, isInferred }: TrackCrossing): string {
  const text = t(`track.${type}`, { fence: fenceName(fenceId) });
  return isInferred ? `${text} (${t("track.inferred_short")})` : text;
}

/** What a crossing is, and what it rests on where that is not two positions on either side. */
export function crossingText({ type, fenceId, cause, isInferred }: TrackCrossing): string {
  const other = CAUSES.find((one) => one === cause);
  const why = [
    ...(isInferred ? [t("track.inferred")] : []),
    ...(other === undefined ? [] : [t(`track.cause.${other}`)]),
  ];
  const text = t(`track.${type}`, { fence: fenceName(fenceId) });
  return why.length === 0 ? text : `${text} (${why.join("; ")})`;
}

import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { LATE_MS } from "../../time/late.ts";
import { momentAt } from "../../track/moment.ts";
import type { Track, TrackPoint } from "../../track/track.ts";

/** When a position was received, where that was late or is not known. */
export function latenessText({
  lateMs,
  isLateUnknown,
}: Pick<TrackPoint, "lateMs" | "isLateUnknown">): string | undefined {
  if (lateMs !== undefined) return t("track.received_later", { delay: show.span(lateMs) });
  return isLateUnknown ? t("track.late_not_kept") : undefined;
}

/** The same of all machines at a time, each by its name where there are several. */
export function latenessAt(tracks: readonly Track[], ms: number): string | undefined {
  const texts = tracks.flatMap((track) => {
    const moment = momentAt(track, ms);
    if (moment.kind !== "known") return [];
    const text = latenessText(moment);
    if (text === undefined) return [];
    return tracks.length === 1 ? text : `${track.name}: ${text}`;
  });
  return texts.length === 0 ? undefined : texts.join("; ");
}

/** How many positions were received late, of all whose receipt is known. */
export function lateSummary({ positions, late, lateUnknown }: Track): string {
  const known = positions - lateUnknown;
  if (known <= 0 && late === 0) return t("value.unknown");
  return t("track.late_of", {
    n: show.number(late),
    all: show.number(positions),
    span: show.span(LATE_MS),
  });
}

/** What that count rests on. */
export function lateBasis({ late, mostLateMs, lateUnknown }: Track): string {
  return [
    ...(mostLateMs === undefined ? [] : [t("track.latest", { delay: show.span(mostLateMs) })]),
    ...(lateUnknown === 0 ? [] : [t("track.late_unknown", { n: show.number(lateUnknown) })]),
    ...(late === 0 && lateUnknown === 0 ? [t("track.late_none")] : []),
  ].join("; ");
}

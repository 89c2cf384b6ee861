import type { Signal } from "@preact/signals";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { type Moment, momentAt } from "../../track/moment.ts";
import type { Track, TrackPoint } from "../../track/track.ts";
import { latenessText } from "./lateness-words.ts";

interface NowPanelProps {
  readonly tracks: readonly Track[];
  readonly at: Signal<number | undefined>;
  readonly followed: Signal<string | undefined>;
}

/** What is known of each machine at the time that is shown, and what that rests on. */
export function NowPanel({ tracks, at, followed }: NowPanelProps) {
  const ms = at.value ?? 0;
  return (
    <section class="card track-now" aria-labelledby="track-now">
      <h2 id="track-now">{t("track.at", { time: show.dateTime(ms) })}</h2>
      {tracks.map((track) => {
        const { id, name, points } = track;
        return (
          <div key={id} class="track-moment">
            <div class="card-head">
              <div>
                {tracks.length > 1 ? <h3>{name}</h3> : null}
                <MomentText moment={momentAt(track, ms)} ms={ms} />
              </div>
              {points.length === 0 ? null : (
                <button
                  type="button"
                  aria-pressed={followed.value === id}
                  aria-label={t("track.follow_name", { name })}
                  onClick={() => {
                    followed.value = followed.peek() === id ? undefined : id;
                  }}
                >
                  {t("track.follow")}
                </button>
              )}
            </div>
          </div>
        );
      })}
    </section>
  );
}

function MomentText({ moment, ms }: { readonly moment: Moment; readonly ms: number }) {
  switch (moment.kind) {
    case "unknown":
      return (
        <p>
          {moment.next === undefined
            ? t("track.no_positions")
            : t("track.before_first", { time: show.dateTime(moment.next.ms) })}
        </p>
      );
    case "silent":
      return (
        <>
          <p>{t("track.silent", { age: show.span(ms - moment.point.ms) })}</p>
          <p class="muted small">
            {placeText(moment.point)} · {basisText(moment.point)}
          </p>
          <LateText {...moment.point} />
        </>
      );
    case "known":
      return (
        <>
          <p>
            {speedText(moment)}
            {moment.stop === undefined
              ? null
              : ` · ${t("track.in_stop", {
                  span: show.span(moment.stop.toMs - moment.stop.fromMs),
                })}`}
          </p>
          <p class="muted small">
            {placeText(moment)} · {basisText(moment.point)}
            {moment.isBetween ? ` · ${t("track.between")}` : null}
          </p>
          <LateText {...moment} />
        </>
      );
  }
}

/** Nobody saw the machine there at that time; or, of older positions, nobody knows. */
function LateText(lateness: Pick<TrackPoint, "lateMs" | "isLateUnknown">) {
  const text = latenessText(lateness);
  return text === undefined ? null : <p class="small">{text}</p>;
}

function speedText({ speedKmh, isSpeedComputed }: Moment & { readonly kind: "known" }): string {
  if (speedKmh === undefined) return t("track.speed_unknown");
  return t(isSpeedComputed ? "speed.derived" : "speed.reported", { speed: show.speed(speedKmh) });
}

const placeText = ({ latitude, longitude }: Pick<TrackPoint, "latitude" | "longitude">) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

/** Whose figure the accuracy is, and by whose clock the time is. */
function basisText({ accuracyM, isAccuracyEstimated, isTimeOfReceipt }: TrackPoint): string {
  const distance = accuracyM === undefined ? undefined : show.length(accuracyM);
  const accuracy =
    distance === undefined
      ? t("track.accuracy_unknown")
      : t(isAccuracyEstimated ? "track.accuracy_estimated" : "place.accuracy", { distance });
  return isTimeOfReceipt ? `${accuracy} · ${t("track.received")}` : accuracy;
}

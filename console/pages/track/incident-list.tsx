import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { show } from "../../format/show.ts";
import { locale, t, tn } from "../../i18n/t.ts";
import { fences } from "../../state/fences.ts";
import { preferences } from "../../state/preferences.ts";
import { zone } from "../../state/zone.ts";
import { type Incident, incidentsOf, lastingAt } from "../../track/incidents.ts";
import type { Track } from "../../track/track.ts";
import { crossingText } from "./fence-words.ts";

/** Rows at first, and how many more a button adds. */
const ROWS = 100;

interface IncidentListProps {
  readonly tracks: readonly Track[];
  readonly at: Signal<number | undefined>;
}

/** Stops, gaps, crossings and late positions in the order of their times; choosing one shows its time on the map and in the charts. */
export function IncidentList({ tracks, at }: IncidentListProps) {
  const incidents = useMemo(() => incidentsOf(tracks), [tracks]);
  const { units } = preferences.value;
  // Written once: while somebody scrubs, only the mark of what lasts moves.
  const lines = useMemo(
    () => incidents.map((one) => ({ ...one, title: titleOf(one), times: timesOf(one) })),
    [incidents, locale.value, units, zone.value, fences.value],
  );
  const rows = useSignal(ROWS);
  // A text compares by value: rows are rendered again only when another one lasts.
  const lasting = useComputed(() => [...lastingAt(incidents, at.value ?? 0)].join("\n"));
  const current = new Set(lasting.value.split("\n"));
  const rest = incidents.length - rows.value;
  return (
    <section class="card" aria-labelledby="track-incidents">
      <h2 id="track-incidents">{t("track.incidents")}</h2>
      {incidents.length === 0 ? <p class="muted">{t("track.no_incidents")}</p> : null}
      {tracks.some(({ lacksCrossings }) => lacksCrossings) ? (
        <p class="notice">{t("track.lacks_crossings")}</p>
      ) : null}
      {tracks.some(({ lacksStretches }) => lacksStretches) ? (
        <p class="notice">{t("track.lacks_stretches")}</p>
      ) : null}
      <ul class="machine-list">
        {lines.slice(0, rows.value).map(({ key, fromMs, title, times, track }) => (
          <li key={key}>
            <button
              type="button"
              class="machine-row"
              aria-pressed={current.has(key)}
              onClick={() => {
                at.value = fromMs;
              }}
            >
              <span class="machine-name">{title}</span>
              <span class="muted small">
                {tracks.length > 1 ? `${track.name} · ` : null}
                {times}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <button
          type="button"
          onClick={() => {
            rows.value += ROWS;
          }}
        >
          {tn("track.more", Math.min(rest, ROWS))}
        </button>
      ) : null}
    </section>
  );
}

function titleOf(incident: Incident): string {
  const span = show.span(incident.toMs - incident.fromMs);
  switch (incident.kind) {
    case "stop":
      return t("track.stop", { span });
    case "gap":
      return t("track.gap", { span, distance: show.distance(incident.gap.distanceM) });
    case "crossing":
      return crossingText(incident.crossing);
    case "late": {
      const { positions, mostMs } = incident.stretch;
      return tn("track.late", positions, { delay: show.span(mostMs) });
    }
  }
}

function timesOf({ kind, fromMs, toMs }: Incident): string {
  if (kind === "crossing") return show.dateTime(fromMs);
  return t("track.times", { from: show.dateTime(fromMs), to: show.clock(toMs) });
}

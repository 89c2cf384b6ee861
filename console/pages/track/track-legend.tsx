import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { classLooks } from "../../map/track-looks.ts";
import { theme } from "../../state/preferences.ts";
import { lineColour } from "../../theme/line-colours.ts";
import { LATE_MS } from "../../time/late.ts";
import type { Track } from "../../track/track.ts";

/** What colours, widths and shapes of the map mean. */
export function TrackLegend({ tracks }: { readonly tracks: readonly Track[] }) {
  const classes = classLooks(theme.value);
  const speedText = (fromKmh: number, toKmh: number | undefined) => {
    if (fromKmh === 0) return t("track.legend.standing", { speed: show.speed(toKmh ?? 0) });
    if (toKmh === undefined) return t("track.legend.above", { speed: show.speed(fromKmh) });
    return t("track.legend.between", { from: show.speed(fromKmh), to: show.speed(toKmh) });
  };
  return (
    <details class="track-legend small" open={innerWidth >= 800}>
      <summary>{t("track.legend")}</summary>
      <ul>
        {tracks.length > 1 ? (
          <>
            {tracks.map(({ id, name }, place) => (
              <li key={id}>
                <Line colour={lineColour(place, theme.value)} width={5} /> {name}
              </li>
            ))}
            <li>{t("track.legend.wider")}</li>
          </>
        ) : (
          classes.map(({ colour, width, fromKmh, toKmh }) => (
            <li key={fromKmh}>
              <Line colour={colour} width={width} /> {speedText(fromKmh, toKmh)}
            </li>
          ))
        )}
        <li>
          <Line colour="currentColor" width={1.5} dash="4 3" /> {t("track.legend.gap")}
        </li>
        <li>
          <svg viewBox="0 0 28 14" width="28" height="14" aria-hidden="true">
            <circle cx="14" cy="7" r="5" fill="none" stroke="currentColor" stroke-width="2.5" />
          </svg>{" "}
          {t("track.legend.stop")}
        </li>
        <li>
          <svg viewBox="0 0 28 14" width="28" height="14" aria-hidden="true">
            <circle cx="14" cy="7" r="3.5" fill="currentColor" />
          </svg>{" "}
          {t("track.legend.crossing")}
        </li>
        {tracks.some(({ late }) => late > 0) ? (
          <li>
            <svg viewBox="0 0 28 14" width="28" height="14" aria-hidden="true">
              <path d="M7 7H28" stroke="currentColor" stroke-width="2" />
              <path
                d="M7 2H28M7 12H28"
                stroke="currentColor"
                stroke-width="1.5"
                stroke-dasharray="3 2"
              />
              <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" stroke-width="1.5" />
            </svg>{" "}
            {t("track.legend.late", { span: show.span(LATE_MS) })}
          </li>
        ) : null}
      </ul>
    </details>
  );
}

interface LineProps {
  readonly colour: string;
  readonly width: number;
  readonly dash?: string;
}

function Line({ colour, width, dash }: LineProps) {
  return (
    <svg viewBox="0 0 28 14" width="28" height="14" aria-hidden="true">
      <path d="M0 7H28" stroke={colour} stroke-width={width} stroke-dasharray={dash} />
    </svg>
  );
}

import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { Empty } from "../../../parts/notices.tsx";
import type { Stockpile } from "../../../state/site-places.ts";
import { changeWithin, volumeText } from "../words.ts";
import { axisTop, comparedWith, type HistoryPoint, historyOf } from "./history.ts";
import type { History } from "./requests.ts";

/** Before the page knows its own width, and the height, CSS pixels. */
const [WIDTH, HEIGHT] = [640, 220];
/** Room of the labels and of the outermost marks, CSS pixels. */
const [LEFT, RIGHT, TOP, BOTTOM] = [76, 14, 12, 28];
/** Half of the cap of an interval, and the size of a mark. */
const [CAP, MARK] = [5, 5];

interface HistoryChartProps {
  readonly pile: Stockpile;
  readonly history: History;
}

/** Volumes over time with their intervals; the same as a table behind a button. */
export function HistoryChart({ pile, history }: HistoryChartProps) {
  const isTable = useSignal(false);
  const id = useId();
  const frame = useRef<HTMLElement>(null);
  const width = useSignal(WIDTH);

  // Letters keep their size on a phone: the drawing is as wide as its place, not scaled to it.
  useEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (current.clientWidth > 0) width.value = current.clientWidth;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  const points = historyOf(pile, history.measurements);
  const [first] = points;
  const last = points.at(-1);
  const count = history.measurements.length;
  if (first === undefined || last === undefined) {
    return <Empty title={t("pile.history_empty")}>{t("pile.history_empty_hint")}</Empty>;
  }
  return (
    <figure ref={frame} class="pile-chart stack">
      <svg
        class="pile-history"
        viewBox={`0 0 ${width.value} ${HEIGHT}`}
        role="img"
        aria-label={t("pile.history_label", {
          n: show.number(points.length),
          from: show.dateTime(first.ms),
          to: show.dateTime(last.ms),
          latest: volumeText(last.m3, last.interval95M3),
        })}
      >
        <Drawing points={points} width={width.value} />
      </svg>
      <figcaption class="muted small">
        <span>{show.dateTime(first.ms)}</span>
        {last.ms > first.ms ? <span>… {show.dateTime(last.ms)}</span> : null}
        <span class="block">{tn("pile.history_caption", count)}</span>
        {count < history.total ? (
          <span class="block">
            {t("pile.history_part", { n: show.number(count), total: show.number(history.total) })}
          </span>
        ) : null}
      </figcaption>
      <div class="stack pile-history-table">
        <button
          type="button"
          class="no-print"
          aria-expanded={isTable.value}
          aria-controls={id}
          onClick={() => {
            isTable.value = !isTable.peek();
          }}
        >
          {t(isTable.value ? "chart.table_hide" : "chart.table_show")}
        </button>
        <div id={id}>{isTable.value ? <HistoryTable points={points} /> : null}</div>
      </div>
    </figure>
  );
}

interface DrawingProps {
  readonly points: readonly HistoryPoint[];
  /** CSS pixels. */
  readonly width: number;
}

function Drawing({ points, width }: DrawingProps) {
  const top = axisTop(points);
  const [from = 0] = points.map(({ ms }) => ms);
  const span = (points.at(-1)?.ms ?? from) - from;
  // A single time stands in the middle.
  const x = (ms: number) =>
    LEFT + (width - LEFT - RIGHT) * (span === 0 ? 0.5 : 0.02 + (0.96 * (ms - from)) / span);
  const y = (m3: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.max(0, m3) / top);
  return (
    <>
      {[0, top / 2, top].map((m3) => (
        <g key={m3}>
          <line class="pile-grid" x1={LEFT} x2={width - RIGHT} y1={y(m3)} y2={y(m3)} />
          <text class="pile-axis" x={LEFT - 6} y={y(m3) + 4}>
            {show.volume(m3)}
          </text>
        </g>
      ))}
      {span === 0 ? null : (
        <>
          <text class="pile-axis pile-from" x={LEFT} y={HEIGHT - 6}>
            {show.date(from)}
          </text>
          <text class="pile-axis" x={width - RIGHT} y={HEIGHT - 6}>
            {show.date(from + span)}
          </text>
        </>
      )}
      {points.map((point, i) => {
        const before = points[i - 1];
        return !point.isJoined || before === undefined ? null : (
          <line
            key={point.ms}
            class="pile-line"
            x1={x(before.ms)}
            y1={y(before.m3)}
            x2={x(point.ms)}
            y2={y(point.m3)}
          />
        );
      })}
      {points.map(({ ms, m3, interval95M3, measurement }) => (
        <g key={`${ms} ${measurement?.measurement_id ?? ""}`} class="pile-point">
          {interval95M3 === undefined ? null : (
            <path
              d={`M${x(ms)} ${y(m3 - interval95M3)}V${y(m3 + interval95M3)}m${-CAP} 0h${2 * CAP}M${x(ms) - CAP} ${y(m3 - interval95M3)}h${2 * CAP}`}
            />
          )}
          <circle
            class={measurement === undefined ? "pile-hollow" : undefined}
            cx={x(ms)}
            cy={y(m3)}
            r={MARK}
          />
        </g>
      ))}
    </>
  );
}

function HistoryTable({ points }: { readonly points: readonly HistoryPoint[] }) {
  return (
    <table class="table">
      <caption class="hidden">{t("chart.table_of", { title: t("pile.history") })}</caption>
      <thead>
        <tr>
          <th scope="col">{t("pile.col.when")}</th>
          <th scope="col">{t("pile.col.volume")}</th>
          <th scope="col">{t("pile.col.change")}</th>
          <th scope="col">{t("pile.col.basis")}</th>
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map((point) => (
          <Row key={point.measurement?.measurement_id ?? "declared"} point={point} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ point }: { readonly point: HistoryPoint }) {
  const { ms, m3, interval95M3, measurement } = point;
  return (
    <tr>
      <th scope="row">
        {show.dateTime(ms)}
        {measurement?.is_current === false ? (
          <span class="muted small block">{t("pile.late")}</span>
        ) : null}
      </th>
      <td data-label={t("pile.col.volume")}>{volumeText(m3, interval95M3)}</td>
      <td data-label={t("pile.col.change")}>
        {measurement === undefined || measurement.change_basis === "none"
          ? t("chart.no_value")
          : changeText(measurement.change_m3, measurement.change_uncertainty_95_m3)}
      </td>
      <td data-label={t("pile.col.basis")}>
        {measurement === undefined
          ? t("pile.declared_row")
          : t(`pile.basis.${comparedWith(measurement)}`, {
              volume: show.volume(measurement.previous_volume_m3),
            })}
      </td>
    </tr>
  );
}

function changeText(m3: number, uncertainty: number | undefined): string {
  return uncertainty === undefined
    ? t("piles.volume_bare", { volume: show.volume(m3) })
    : changeWithin(m3, uncertainty);
}

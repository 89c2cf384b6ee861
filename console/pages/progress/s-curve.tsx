import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { type CurveLayout, curveLayout, type DrawnReport, linePath } from "./curve-layout.ts";
import { CurveTable } from "./curve-table.tsx";
import { curveWords } from "./curve-words.ts";
import type { Curve } from "./requests.ts";

/** Width before the place on the page is known, and height, CSS pixels. */
const WIDTH = 720;
const HEIGHT = 300;
/** Half a bar across the end of an interval, pixels. */
const CAP = { seen: 5, whole: 3 };

/** Plan, progress with its intervals and forecast over time: drawn, in words, and as a table. */
export function SCurve({ curve }: { readonly curve: Curve }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useSignal(WIDTH);
  const isOpen = useSignal(false);
  const tableId = useId();
  const words = useId();

  useEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => {
      // Nothing is drawn in a part of the page that is not shown.
      if (current.clientWidth > 0) width.value = current.clientWidth;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  const layout = curveLayout(curve, { width: width.value, height: HEIGHT });
  if (layout === undefined) return <p class="muted">{t("progress.curve_none")}</p>;
  return (
    <figure class="s-curve stack">
      <figcaption id={words}>
        {curveWords(curve).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {layout.isForecastCut ? <p class="muted small">{t("progress.forecast_cut")}</p> : null}
      </figcaption>
      <Legend curve={curve} layout={layout} />
      <div ref={frame} class="s-curve-frame">
        <svg
          viewBox={`0 0 ${width.value} ${HEIGHT}`}
          role="img"
          aria-label={t("progress.curve")}
          aria-describedby={words}
        >
          <Axes layout={layout} />
          <path class="curve-plan" d={linePath(layout.plan)} />
          <Forecast layout={layout} />
          <path class="curve-actual" d={linePath(layout.reports.map(({ at }) => at))} />
          {layout.reports.map((report) => (
            <ReportMark key={report.id} report={report} />
          ))}
        </svg>
      </div>
      <div class="stack">
        <button
          type="button"
          class="start no-print"
          aria-expanded={isOpen.value}
          aria-controls={tableId}
          onClick={() => {
            isOpen.value = !isOpen.peek();
          }}
        >
          {t(isOpen.value ? "chart.table_hide" : "chart.table_show")}
        </button>
        <div id={tableId}>{isOpen.value ? <CurveTable curve={curve} /> : null}</div>
      </div>
    </figure>
  );
}

function Axes({ layout }: { readonly layout: CurveLayout }) {
  const { left, right, bottom, percents, dates } = layout;
  return (
    <>
      {percents.map(({ percent, y }) => (
        <g key={percent}>
          <line class="curve-grid" x1={left} x2={right} y1={y} y2={y} />
          <text x={left - 6} y={y + 4} text-anchor="end">
            {show.percent(percent)}
          </text>
        </g>
      ))}
      {dates.map(({ ms, x }) => (
        <g key={ms}>
          <line class="curve-axis" x1={x} x2={x} y1={bottom} y2={bottom + 4} />
          <text x={x} y={bottom + 20} text-anchor={anchorOf(x, layout)}>
            {show.date(ms)}
          </text>
        </g>
      ))}
      <line class="curve-axis" x1={left} x2={right} y1={bottom} y2={bottom} />
    </>
  );
}

/** Half the width of a date, pixels: one that is nearer to the edge would hang over it. */
const HALF_DATE = 44;
const anchorOf = (x: number, { left, right }: CurveLayout) => {
  if (x < left + 4) return "start";
  return x > right - HALF_DATE ? "end" : "middle";
};

function Forecast({ layout }: { readonly layout: CurveLayout }) {
  const { forecast } = layout;
  if (forecast === undefined) return null;
  const { from, to, early, late } = forecast;
  return (
    <>
      <path class="curve-forecast" d={linePath([from, to])} />
      <g class="curve-forecast-end">
        <Whisker from={[early, to[1]]} to={[late, to[1]]} cap={CAP.seen} />
        <rect x={to[0] - 4} y={to[1] - 4} width="8" height="8" />
      </g>
    </>
  );
}

function ReportMark({ report }: { readonly report: DrawnReport }) {
  const [x, y] = report.at;
  return (
    <g class={report.isOfPart ? "curve-report curve-report-part" : "curve-report"}>
      {report.whole === undefined ? null : (
        <g class="curve-whole">
          <Whisker from={[x, report.whole[0]]} to={[x, report.whole[1]]} cap={CAP.whole} />
        </g>
      )}
      {report.seen === undefined ? null : (
        <Whisker from={[x, report.seen[0]]} to={[x, report.seen[1]]} cap={CAP.seen} />
      )}
      <circle cx={x} cy={y} r="4.5" />
    </g>
  );
}

interface WhiskerProps {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly cap: number;
}

/** A line with a bar across each end. */
function Whisker({ from, to, cap }: WhiskerProps) {
  const [acrossX, acrossY] = from[0] === to[0] ? [cap, 0] : [0, cap];
  return (
    <>
      <line x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
      {[from, to].map(([x, y], end) => (
        <line
          key={end === 0 ? "from" : "to"}
          x1={x - acrossX}
          x2={x + acrossX}
          y1={y - acrossY}
          y2={y + acrossY}
        />
      ))}
    </>
  );
}

/** What the lines mean: each has a shape of its own beside its colour. */
function Legend({ curve, layout }: { readonly curve: Curve; readonly layout: CurveLayout }) {
  const { reports, plan, forecast } = layout;
  return (
    <ul class="curve-legend small">
      {plan.length === 0 ? null : (
        <li>
          <Sample class="curve-plan" />{" "}
          {t(curve.plan?.basis === "schedule" ? "progress.key.schedule" : "progress.key.dates", {
            n: curve.plan?.revision ?? "",
          })}
        </li>
      )}
      {reports.length === 0 ? null : (
        <li>
          <Sample class="curve-actual" /> {t("progress.key.actual")}
        </li>
      )}
      {reports.some(({ isOfPart }) => isOfPart) ? (
        <li>
          <svg width="28" height="12" viewBox="0 0 28 12" aria-hidden="true">
            <g class="curve-report curve-report-part">
              <circle cx="14" cy="6" r="4.5" />
            </g>
          </svg>{" "}
          {t("progress.key.part")}
        </li>
      ) : null}
      {reports.some(({ whole }) => whole !== undefined) ? (
        <li>
          <Sample class="curve-whole-line" /> {t("progress.key.whole")}
        </li>
      ) : null}
      {forecast === undefined ? null : (
        <li>
          <Sample class="curve-forecast" /> {t("progress.key.forecast")}
        </li>
      )}
    </ul>
  );
}

const Sample = (props: { readonly class: string }) => (
  <svg width="28" height="12" viewBox="0 0 28 12" aria-hidden="true">
    <path class={props.class} d="M0 6L28 6" />
  </svg>
);

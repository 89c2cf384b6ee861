import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { NO_ANSWER } from "../../api/failure.ts";
import { show } from "../../format/show.ts";
import { locale, t } from "../../i18n/t.ts";
import { theme } from "../../state/preferences.ts";
import { zone } from "../../state/zone.ts";
import { FailureNotice, Loading } from "../notices.tsx";
import { type ChartRemark, ChartTable } from "./chart-table.tsx";
import { lineLook } from "./looks.ts";
import type { Plot } from "./plot.ts";
import { type ChartSeries, sampleAt } from "./series.ts";
import "./chart.css";

/** CSS pixels: two charts and a map fit a laptop's screen. */
const HEIGHT = 190;

export interface TimeChartProps {
  readonly title: string;
  /** What the lines say, in words: a canvas is silent for a screen reader. */
  readonly message: string;
  /** What else there is to say of a time, beside its values: a column of the table with that name. */
  readonly remark?: ChartRemark | undefined;
  /** Kept by the caller as long as it does not change: another array is drawn anew. */
  readonly series: readonly ChartSeries[];
  /** Samples further apart are not joined, ms. */
  readonly gapMs: number;
  /** Ends of the axis of times, ms since the Unix epoch; absent: those of the samples. */
  readonly range?: { readonly fromMs: number; readonly toMs: number };
  /** A time that the chart shows, and that pointing at it sets, ms since the Unix epoch. */
  readonly at: Signal<number | undefined>;
}

/** Lines over time, with their message in words, the values at a time, and all of it as a table behind a button. */
export function TimeChart(props: TimeChartProps) {
  const { title, message, series } = props;
  const caption = useId();
  const isEmpty = series.every(({ samples }) => samples.every(({ value }) => value === null));
  return (
    <figure class="chart card" aria-labelledby={caption}>
      <figcaption>
        <h2 id={caption}>{title}</h2>
        <p>{message}</p>
      </figcaption>
      {isEmpty ? (
        <p class="muted">{t("chart.no_values")}</p>
      ) : (
        <>
          <ChartReadout {...props} />
          <ChartCanvas {...props} />
          <ChartTable title={title} series={series} remark={props.remark} />
        </>
      )}
    </figure>
  );
}

/** Legend and values at the time that is shown. */
function ChartReadout({ series, gapMs, at, remark }: TimeChartProps) {
  const ms = at.value;
  const remarked = ms === undefined ? undefined : remark?.at(ms);
  return (
    <div class="chart-readout small">
      <p class="muted">
        {ms === undefined ? t("chart.pointed") : t("chart.at", { time: show.dateTime(ms) })}
      </p>
      <ul>
        {series.map(({ key, name, samples, format }, place) => {
          const value = ms === undefined ? undefined : sampleAt(samples, ms, gapMs)?.value;
          const text = value === undefined || value === null ? t("chart.no_value") : format(value);
          return (
            <li key={key}>
              <LineSample place={place} /> {ms === undefined ? name : `${name}: ${text}`}
            </li>
          );
        })}
        {remarked === undefined ? null : <li>{remarked}</li>}
      </ul>
    </div>
  );
}

/** A piece of a line as the chart draws it. */
function LineSample({ place }: { readonly place: number }) {
  const { colour, dash } = lineLook(place, theme.value);
  return (
    <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
      <path d="M0 4H28" stroke={colour} stroke-width="3" stroke-dasharray={dash.join(" ")} />
    </svg>
  );
}

/** Loads what draws, and draws again when lines, language, zone or appearance change. */
function ChartCanvas({ series, gapMs, range, at }: TimeChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const state = useSignal<"loading" | "drawn" | "failed">("loading");
  const attempt = useSignal(0);
  const look = useComputed(() => ({
    theme: theme.value,
    locale: locale.value,
    zone: zone.value,
  }));

  useEffect(() => {
    let isLeft = false;
    state.value = "loading";
    void (async () => {
      try {
        const { openPlot } = await import("./plot.ts");
        const element = container.current;
        if (isLeft || element === null) return;
        plot.current = openPlot({
          ...{ container: element, series, gapMs, range, height: HEIGHT, ...look.peek() },
          onPoint(ms) {
            at.value = ms;
          },
        });
        plot.current.showTime(at.peek());
        state.value = "drawn";
      } catch {
        if (!isLeft) state.value = "failed";
      }
    })();
    return () => {
      isLeft = true;
      plot.current?.close();
      plot.current = undefined;
    };
  }, [series, gapMs, range?.fromMs, range?.toMs, at, look.value, attempt.value]);
  useSignalEffect(() => {
    // Read first: the effect follows what it has read, also before there is a plot.
    const ms = at.value;
    plot.current?.showTime(ms);
  });

  return (
    <>
      {state.value === "loading" ? <Loading /> : null}
      {state.value === "failed" ? (
        <FailureNotice failure={NO_ANSWER} onRetry={() => (attempt.value += 1)} />
      ) : null}
      <div ref={container} class="chart-canvas" aria-hidden="true" />
    </>
  );
}

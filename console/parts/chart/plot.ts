import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { lineLook } from "./looks.ts";
import { alignSeries, axisRange, type ChartSeries, sampleAt } from "./series.ts";
import { TICK_STEPS_MS, tickPlaces } from "./tick-places.ts";
import { tickTimes } from "./tick-times.ts";

/** uPlot follows the mouse by itself, hides its cursor when it leaves, and knows no fingers: events are ours. */
const NO_EVENTS: uPlot.Cursor.Bind = Object.fromEntries(
  ["mousedown", "mouseup", "click", "dblclick", "mousemove", "mouseleave", "mouseenter"].map(
    (name) => [name, () => null],
  ),
);
/** Where uPlot has a cursor that nobody sees. */
const HIDDEN = -10;
/** CSS pixels. */
const LINE = 2;
const LONE_POINT = 5;
const UNIT_AXIS = 58;
const TIME_AXIS = 44;
const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

export interface PlotOptions {
  readonly container: HTMLElement;
  readonly series: readonly ChartSeries[];
  /** Samples further apart are not joined, ms. */
  readonly gapMs: number;
  /** Ends of the axis of times, ms since the Unix epoch; absent: those of the samples. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined;
  readonly theme: "light" | "dark";
  readonly locale: string;
  /** Name of the zone of the times. */
  readonly zone: string;
  /** CSS pixels. */
  readonly height: number;
  /** Somebody points at a time, ms since the Unix epoch. */
  readonly onPoint: (ms: number) => void;
}

/** Lines on a canvas. What changes but its width and the time that it shows is another plot. */
export interface Plot {
  /** Shows a time, ms since the Unix epoch; `undefined`: none. */
  readonly showTime: (ms: number | undefined) => void;
  readonly close: () => void;
}

/** Draws lines. The width is that of the container, also when it changes. */
export function openPlot(options: PlotOptions): Plot {
  const { container, series, gapMs, range, theme, locale, zone, height, onPoint } = options;
  const { timesMs, values, placeByMs, alone } = alignSeries(series, gapMs);
  const units = [...new Set(series.map(({ unit }) => unit))];
  const colours = getComputedStyle(document.documentElement);
  const stroke = colours.getPropertyValue("--muted");
  const grid = { stroke: colours.getPropertyValue("--grid"), width: 1 };
  let shownMs: number | undefined;

  const plot = new uPlot(
    {
      width: Math.max(1, container.clientWidth),
      height,
      ms: 1,
      legend: { show: false },
      cursor: {
        ...{ y: false, points: { size: 8 }, bind: NO_EVENTS },
        // The sample that the text beside the chart has: none in a gap.
        dataIdx: (_, line, __, ms) => {
          const sample = sampleAt(series[line - 1]?.samples ?? [], ms, gapMs);
          return placeByMs.get(sample?.ms ?? Number.NaN) ?? null;
        },
      },
      scales: {
        x: range === undefined ? {} : { range: () => [range.fromMs, range.toMs] },
        ...Object.fromEntries(
          units.map((unit) => [unit, { range: (_: uPlot, min, max) => axisRange(min, max) }]),
        ),
      },
      axes: [
        {
          ...{ stroke, grid, ticks: grid, font: FONT, size: TIME_AXIS },
          incrs: [...TICK_STEPS_MS],
          splits: (_, __, fromMs, toMs, stepMs) => [...tickPlaces(fromMs, toMs, stepMs, zone)],
          values: (_, times, __, ___, stepMs) => [...tickTimes(times, stepMs, locale, zone)],
        },
        ...units.map((unit, place) => ({
          ...{ scale: unit, stroke, ticks: grid, font: FONT, size: UNIT_AXIS },
          ...{ label: unit, labelFont: FONT, labelSize: 18, side: place === 0 ? 3 : 1 },
          grid: place === 0 ? grid : { show: false },
          values: (_: uPlot, ticks: number[]) =>
            ticks.map((tick) => new Intl.NumberFormat(locale).format(tick)),
        })),
      ],
      series: [
        {},
        ...series.map(({ name, unit }, place) => {
          const { colour, dash } = lineLook(place, theme);
          return {
            ...{ label: name, scale: unit, stroke: colour, width: LINE, dash: [...dash] },
            points: {
              ...{ show: true, size: LONE_POINT, fill: colour },
              filter: () => [...(alone[place] ?? [])],
            },
          };
        }),
      ],
    } satisfies uPlot.Options,
    [[...timesMs], ...values.map((line) => [...line])] as uPlot.AlignedData,
    container,
  );

  const show = () => {
    const left = shownMs === undefined ? HIDDEN : plot.valToPos(shownMs, "x");
    plot.setCursor({ left, top: shownMs === undefined ? HIDDEN : 0 });
  };
  const point = (event: PointerEvent) => {
    const { left, width } = plot.over.getBoundingClientRect();
    const place = Math.min(width, Math.max(0, event.clientX - left));
    onPoint(plot.posToVal(place, "x"));
  };
  // A finger that moves sideways points; one that moves up or down scrolls the page.
  plot.over.style.touchAction = "pan-y";
  plot.over.addEventListener("pointerdown", point);
  plot.over.addEventListener("pointermove", point);
  const observer = new ResizeObserver(() => {
    plot.setSize({ width: Math.max(1, container.clientWidth), height });
    // After uPlot's own microtask: the time has another place on the axis now.
    queueMicrotask(show);
  });
  observer.observe(container);
  return {
    showTime(ms) {
      if (ms === shownMs) return;
      shownMs = ms;
      show();
    },
    close() {
      observer.disconnect();
      plot.destroy();
    },
  };
}

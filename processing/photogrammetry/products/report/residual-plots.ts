import { toTenth } from "../../../numeric/rounding.ts";
import { type Markup, markup } from "../../../page/markup.ts";
import type { SurveyReport } from "./report-schema.ts";
import type { ResidualField } from "./residual-field.ts";

const WIDTH = 1000;
/** Longest arrow of a field, as a share of the distance between its bins. */
const ARROW_SHARE = 0.9;

/** Mean residual by place in the picture, as arrows; a pattern means that the lens model leaves something over. */
export function residualFieldPlot({ widthPx, heightPx, bins }: ResidualField): Markup {
  const scale = WIDTH / widthPx;
  const height = toTenth(heightPx * scale);
  const longest = Math.max(...bins.map(({ du, dv }) => Math.hypot(du, dv)), 1e-9);
  const spacing = (widthPx / 16) * scale;
  const k = (ARROW_SHARE * spacing) / longest;
  return markup`<svg viewBox="-4 -4 ${WIDTH + 8} ${height + 44}" role="img" aria-label="Residuals by place in the picture">
<rect class="frame" x="0" y="0" width="${WIDTH}" height="${height}"/>
${bins.map(({ u, v, du, dv }) => {
  const x = (u + 0.5) * scale;
  const y = (v + 0.5) * scale;
  return markup`<circle cx="${toTenth(x)}" cy="${toTenth(y)}" r="2.5" class="dot"/><line class="arrow" x1="${toTenth(x)}" y1="${toTenth(y)}" x2="${toTenth(x + du * k)}" y2="${toTenth(y + dv * k)}"/>`;
})}
<text x="0" y="${height + 30}">longest arrow ${longest.toFixed(3)} px (means over ${bins.length} parts of the picture)</text>
</svg>`;
}

/** One bar of a chart. */
interface Bar {
  readonly label: string;
  readonly value: number;
  /** Highlighted: over the limit. */
  readonly isMarked: boolean;
}

/** Bars beside each other, with the scale's upper end and an optional limit. */
function barChart(
  bars: readonly Bar[],
  options: {
    readonly unit: string;
    readonly label: string;
    readonly limit?: number;
    /** Write every how-many-th label. */
    readonly labelEvery: number;
  },
): Markup {
  if (bars.length === 0) return markup`<p>No data.</p>`;
  const height = 220;
  const top = Math.max(...bars.map(({ value }) => value), options.limit ?? 0, 1e-9) * 1.08;
  const step = (WIDTH - 70) / bars.length;
  const y = (value: number) => toTenth(height - (value / top) * height);
  const ticks = [0.25, 0.5, 0.75, 1].map((share) => (top / 1.08) * share);
  const limitY = y(options.limit ?? 0);
  return markup`<svg viewBox="0 -12 ${WIDTH} ${height + 50}" role="img" aria-label="${options.label}">
${ticks.map((tick) => markup`<line class="grid" x1="70" x2="${WIDTH}" y1="${y(tick)}" y2="${y(tick)}"/><text class="small" x="64" y="${y(tick) + 5}" text-anchor="end">${tickText(tick)}</text>`)}
${bars.map(({ label, value, isMarked }, i) => {
  const x = toTenth(70 + i * step + step * 0.1);
  const bar = markup`<rect class="${isMarked ? "bar-marked" : "bar-fill"}" x="${x}" y="${y(value)}" width="${toTenth(step * 0.8)}" height="${toTenth(height - y(value))}"><title>${label}: ${tickText(value)} ${options.unit}</title></rect>`;
  if (i % options.labelEvery !== 0) return bar;
  return markup`${bar}<text class="small" x="${toTenth(x + step * 0.4)}" y="${height + 18}" text-anchor="middle">${label}</text>`;
})}
${options.limit === undefined ? undefined : markup`<line class="limit" x1="70" x2="${WIDTH}" y1="${limitY}" y2="${limitY}"/>`}
<line class="axis" x1="70" x2="${WIDTH}" y1="${height}" y2="${height}"/>
<text class="small" x="${WIDTH}" y="${height + 36}" text-anchor="end">${options.label}</text>
</svg>`;
}

/** Reprojection error of each image, numbered as in the table. */
export function rmsByImage(report: SurveyReport): Markup {
  const rows = report.image_table;
  const limitPx = report.adjustment.reprojection_limit.value ?? Number.POSITIVE_INFINITY;
  const bars = rows.map(({ reprojection_rms: rms }, i) => ({
    label: String(i + 1),
    value: rms.value ?? 0,
    isMarked: (rms.value ?? 0) > limitPx,
  }));
  return barChart(bars, {
    unit: "px",
    label: "reprojection error (rms), px of the photographs, by image (numbers as in the table)",
    labelEvery: Math.max(1, Math.ceil(rows.length / 24)),
  });
}

/** Share of cells by score. */
export function scoreHistogram(report: SurveyReport): Markup {
  const bins = report.surface.score_histogram;
  const cells = bins.reduce((sum, bin) => sum + bin.cells, 0);
  const bars = bins.map(({ from, cells: count }) => ({
    label: from.toFixed(2),
    value: cells === 0 ? 0 : (100 * count) / cells,
    isMarked: false,
  }));
  return barChart(bars, { unit: "% of the cells", label: "cells by score, %", labelEvery: 1 });
}

function tickText(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2);
}

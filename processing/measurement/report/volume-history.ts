import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { toTenth } from "../../numeric/rounding.ts";
import { cubicMetres, moment, plusMinus } from "../../page/figures.ts";
import { type Markup, markup } from "../../page/markup.ts";
import { tickStep, ticksOf, tickText } from "../../page/ticks.ts";

/** What the chart takes of a measurement. */
export type MeasuredVolume = Pick<
  StockpileMeasurement,
  "id" | "measured_at" | "current_volume_m3" | "uncertainty_95_m3"
>;

const WIDTH = 1_000;
const LEFT = 76;
const RIGHT = 30;
const TOP = 24;
const BOTTOM = 230;
const HEIGHT = 268;
/** Newest measurements that are drawn: more would touch each other, fewer hide older ones. */
const MAX_POINTS = 100;
/** The capacity is drawn where the chart reaches near it: above this many times the highest it would only flatten. */
const NEAR_CAPACITY = 1.4;

/** Volumes over time, each with its interval of 95 %; the one with `id` stands out. */
export function volumeHistory(
  history: readonly MeasuredVolume[],
  id: string,
  capacityM3: number,
): Markup {
  const points = history
    .toSorted((a, b) => Date.parse(a.measured_at) - Date.parse(b.measured_at))
    .slice(-MAX_POINTS);
  const times = points.map(({ measured_at }) => Date.parse(measured_at));
  const from = times[0];
  const to = times.at(-1);
  if (from === undefined || to === undefined || points.length < 2) {
    return markup`<p class="soft">The first measurement of this stockpile: its history begins here.</p>`;
  }
  const most = Math.max(...points.map((p) => p.current_volume_m3 + p.uncertainty_95_m3), 1e-3);
  const least = Math.min(0, ...points.map((p) => p.current_volume_m3 - p.uncertainty_95_m3));
  const isNear = capacityM3 <= NEAR_CAPACITY * most;
  const step = tickStep(Math.max(most, isNear ? capacityM3 : 0) - least, 5);
  const high = Math.ceil(Math.max(most, isNear ? capacityM3 : 0) / step) * step;
  const low = Math.floor(least / step) * step;
  const x = (time: number) =>
    LEFT + 24 + ((time - from) / Math.max(1, to - from)) * (WIDTH - LEFT - RIGHT - 48);
  const y = (volume: number) => TOP + ((high - volume) / (high - low)) * (BOTTOM - TOP);
  const places = points.map(
    (point, i) => [x(times[i] ?? from), y(point.current_volume_m3)] as const,
  );
  return markup`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Volumes over time">
${ticksOf(low, high, step).map((tick) => markup`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${toTenth(y(tick))}" y2="${toTenth(y(tick))}"/><text class="small" x="${LEFT - 8}" y="${toTenth(y(tick) + 4.5)}" text-anchor="end">${tickText(tick, step)}</text>`)}
${isNear ? markup`<line class="limit" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${toTenth(y(capacityM3))}" y2="${toTenth(y(capacityM3))}"/><text class="small" x="${WIDTH - RIGHT}" y="${toTenth(y(capacityM3) - 5)}" text-anchor="end">capacity</text>` : undefined}
<path d="M${places.map(([px, py]) => `${toTenth(px)} ${toTenth(py)}`).join("L")}" fill="none" stroke="#9aa4b0" stroke-width="1.5"/>
${points.map((point, i) => whiskers(point, places[i] ?? [0, 0], y, point.id === id))}
<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${BOTTOM}" y2="${BOTTOM}"/>
${dateTicks(from, to).map((time) => markup`<line class="axis" x1="${toTenth(x(time))}" x2="${toTenth(x(time))}" y1="${BOTTOM}" y2="${BOTTOM + 5}"/><text class="small" x="${toTenth(x(time))}" y="${BOTTOM + 22}" text-anchor="middle">${dateText(time, to - from)}</text>`)}
<text class="small" transform="translate(18 ${(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">volume, m\u00b3</text>
</svg>`;
}

function whiskers(
  { measured_at, current_volume_m3: volume, uncertainty_95_m3: range }: MeasuredVolume,
  [px, py]: readonly [number, number],
  y: (volume: number) => number,
  isThis: boolean,
): Markup {
  const colour = isThis ? "#b3261e" : "#1f5fa8";
  const [top, bottom] = [toTenth(y(volume + range)), toTenth(y(volume - range))];
  const [middle, left, right] = [toTenth(px), toTenth(px - 6), toTenth(px + 6)];
  return markup`<g stroke="${colour}" stroke-width="2"><title>${moment(measured_at)}: ${cubicMetres(volume)} ${plusMinus(range)}</title><line x1="${middle}" x2="${middle}" y1="${top}" y2="${bottom}"/><line x1="${left}" x2="${right}" y1="${top}" y2="${top}"/><line x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/><circle cx="${middle}" cy="${toTenth(py)}" r="${isThis ? 6 : 4.5}" fill="${colour}" stroke="#fff"/></g>
`;
}

/** Six times from end to end; fewer where days would repeat. */
function dateTicks(from: number, to: number): number[] {
  const days = Math.floor((to - from) / DAY_MS);
  const parts = days >= 2 ? Math.min(5, days) : 3;
  return Array.from({ length: parts + 1 }, (_, i) => from + ((to - from) * i) / parts);
}

function dateText(time: number, spanMs: number): string {
  const iso = new Date(time).toISOString();
  return spanMs >= 2 * DAY_MS ? iso.slice(0, 10) : `${iso.slice(5, 10)} ${iso.slice(11, 16)}`;
}

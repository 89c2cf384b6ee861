import type { ProgressReport, ReportZone } from "../../../../domain/sites/progress-report.ts";
import { DAY_MS } from "../../../../domain/time.ts";
import { toTenth } from "../../../numeric/rounding.ts";
import { figure } from "../../../page/figures.ts";
import { type Markup, markup } from "../../../page/markup.ts";
import { knowledgeOf } from "../seen-zones.ts";
import { rangeText } from "./headline.ts";
import { METHODS, NO_ESTIMATES, ZONE_STATUS_WORDS } from "./words.ts";

/** All zones with what their figures rest on, in the order of the map's numbers. */
export function zoneTable({ zones, capture_date }: ProgressReport): Markup {
  const weights = zones.reduce((sum, { weight }) => sum + weight, 0);
  return markup`<table class="zones"><thead><tr><th>#</th><th>Zone</th><th class="n">Progress</th><th class="scale">0 to 100 %, planned, interval</th><th class="n">Planned</th><th>Method</th><th class="n">Seen</th><th class="n">As of</th><th class="n">Weight</th></tr></thead><tbody>
${zones.map((zone, i) => zoneRows(zone, i + 1, { weights, captureDate: capture_date }))}</tbody></table>`;
}

function zoneRows(
  zone: ReportZone,
  number: number,
  { weights, captureDate }: { readonly weights: number; readonly captureDate: string },
): Markup {
  const { progress, planned, interval_95, observed_fraction: seen } = zone;
  const isUnknown = knowledgeOf(zone, Date.parse(captureDate)) === "never";
  const notes = notesOf(zone);
  return markup`<tr class="zone"><td class="n">${number}</td><td class="name">${zone.name}<br>${isUnknown ? undefined : markup`<span class="chip small ${zone.status}">${ZONE_STATUS_WORDS[zone.status]}</span>`}</td>
<td class="n"><b>${isUnknown ? "not known" : `${figure(progress, 1)} %`}</b></td><td class="scale">${isUnknown ? markup`<span class="soft">never seen</span>` : markup`${bar(zone)}<span class="soft">${rangeText(interval_95)}</span>`}</td>
<td class="n">${planned === null ? "\u2013" : `${figure(planned, 1)} %`}</td><td>${METHODS[zone.method]}</td>
<td class="n">${seen === 0 ? "\u2013" : `${figure(100 * seen, 0)} %`}</td><td class="n">${isUnknown ? "\u2013" : dayAndAge(zone.as_of, captureDate)}</td><td class="n">${figure((100 * zone.weight) / weights, 1)} %</td></tr>
${
  notes.length === 0
    ? undefined
    : markup`<tr class="notes"><td></td><td colspan="8">${notes.map((note) => markup`<div class="${zone.regression_suspected && note.startsWith("regression") ? "alarm" : ""}">${note}</div>`)}</td></tr>
`
}`;
}

function notesOf({ no_estimate, notes, evidence }: ReportZone): readonly string[] {
  const reason =
    no_estimate === null ? [] : [`No estimate from this capture: ${NO_ESTIMATES[no_estimate]}.`];
  const figures = evidence["figures"];
  const listed =
    typeof figures === "object" && figures !== null
      ? Object.entries(figures)
          .filter(([name, value]) => value !== 0 && !DETAILS.test(name))
          .flatMap(([name, value]) => figureText(name, value))
      : [];
  return [...reason, ...notes, ...(listed.length === 0 ? [] : [`Figures: ${listed.join(", ")}.`])];
}

/** Figures for those who check a method; the report as JSON has them all. */
const DETAILS = /^sigma_.*_m$|_points$|_cells$|^cell_m$|^level_/;

const UNITS: Readonly<Record<string, string>> = {
  m: " m",
  m2: " m\u00b2",
  m3: " m\u00b3",
  px: " px",
  percent: " %",
  points: " points",
};

/** "overbuild 12.3 m3" of `overbuild_m3`. */
function figureText(name: string, value: unknown): readonly string[] {
  const words = name.split("_");
  const unit = UNITS[words.at(-1) ?? ""];
  const title = (unit === undefined ? words : words.slice(0, -1)).join(" ");
  if (typeof value === "number") {
    const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
    return [`${title} ${Number(value.toFixed(digits))}${unit ?? ""}`];
  }
  if (typeof value === "string" && value.length > 40)
    return [`${title} ${value.slice(0, 12)}\u2026`];
  return typeof value === "string" || typeof value === "boolean" ? [`${title} ${value}`] : [];
}

/** The day that a figure is of, and its age; what was declared only later has none. */
function dayAndAge(asOf: string, captureDate: string): Markup {
  const days = Math.floor((Date.parse(captureDate) - Date.parse(asOf)) / DAY_MS);
  if (days < 0) return markup`\u2013`;
  const age =
    days === 0
      ? undefined
      : markup`<br><span class="soft">${days} ${days === 1 ? "day" : "days"} old</span>`;
  return markup`${asOf.slice(0, 10)}${age}`;
}

/** Progress as a bar, its interval as a line across, the planned percent as a tick. */
function bar({ progress, planned, interval_95, status }: ReportZone): Markup {
  const at = (percent: number) => toTenth(percent * 2);
  return markup`<svg viewBox="0 0 200 14" preserveAspectRatio="none" aria-hidden="true"><rect x="0" y="2" width="200" height="10" fill="#e8ebef"/><rect class="fill ${status}" x="0" y="2" width="${at(progress)}" height="10"/>${
    interval_95 === null
      ? undefined
      : markup`<rect x="${at(interval_95[0])}" y="6" width="${at(interval_95[1] - interval_95[0])}" height="2" fill="#1e2228" fill-opacity="0.75"/>`
  }${planned === null ? undefined : markup`<rect x="${toTenth(Math.min(198, at(planned)))}" y="0" width="2" height="14" fill="#b3261e"/>`}</svg>`;
}

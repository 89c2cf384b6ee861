import type { EarnedValue, ProgressReport } from "../../../../domain/sites/progress-report.ts";
import { figure, signed } from "../../../page/figures.ts";
import { type Markup, markup } from "../../../page/markup.ts";
import { tile } from "../../../page/tile.ts";
import { STATUSES } from "./words.ts";

/** "40.0 to 52.3 %", or that there is none. */
export const rangeText = (interval: readonly [number, number] | null): string =>
  interval === null ? "not bounded" : `${figure(interval[0], 1)} to ${figure(interval[1], 1)} %`;

/** The key figure, and what it means. */
export function headline(report: ProgressReport): Markup {
  const { progress_percentage: actual, seen_share: share, status, interval_95 } = report;
  const percent = share === 0 ? "not known" : `${figure(actual, 1)} %`;
  return markup`<p class="actual"><b>${percent}</b> <span class="chip ${status}">${STATUSES[status]}</span></p>
<p>${conclusion(report)}</p>
<p class="soft">${
    interval_95 === null
      ? "The progress cannot be bounded: at least one estimate has no interval."
      : `With 95 % confidence the whole project is between ${figure(interval_95[0], 1)} and ${figure(interval_95[1], 1)} %.`
  }${seenText(report)}</p>
${tiles(report)}`;
}

/** What the percent and its plan cover, where that is not the whole project on the report's day. */
function seenText({ seen_share: share, seen_interval_95: interval, comparison }: ProgressReport) {
  const texts: string[] = [];
  if (share === 0) texts.push("Nothing of the project was seen.");
  else if (share < 1) {
    const seen = `The percent is of the ${figure(100 * share, 1)} % of the project that was ever seen (${rangeText(interval)})`;
    texts.push(`${seen}; the rest is unknown and counts from 0 to 100 %.`);
  }
  if (comparison.planned !== comparison.planned_all) {
    const whole = `${figure(comparison.planned_all, 1)} % is planned for the whole project on this day`;
    texts.push(
      `${whole}; the percent is compared with the plan of the same zones at the time of their figures.`,
    );
  }
  return texts.map((text) => ` ${text}`).join("");
}

function tiles(report: ProgressReport): Markup {
  const { comparison, earned_value: earned, zones_completed, total_zones } = report;
  const { planned, variance, tolerance_points: tolerance } = comparison;
  const isBehind = report.status === "behind_schedule";
  return markup`<div class="tiles">
${tile(`${figure(planned, 1)} %`, comparison.basis === "schedule" ? `planned by the schedule${report.schedule_revision === undefined ? "" : `, revision ${report.schedule_revision}`}` : "planned: linear between the project\u2019s dates", "")}
${tile(`${signed(variance, 1)}`, `points from the plan; \u00b1 ${tolerance} is on schedule`, isBehind ? "bad" : "")}
${tile(`${zones_completed} of ${total_zones}`, "zones complete", "")}
${tile(...forecastTile(earned), "")}
</div>`;
}

function forecastTile(earned: EarnedValue | undefined): readonly [value: string, label: string] {
  if (earned === undefined) return ["\u2013", "forecast finish: needs an imported schedule"];
  const { forecast_finish: finish } = earned;
  return finish === null
    ? ["\u2013", "forecast finish: no pace to reckon with yet"]
    : [finish.slice(0, 10), "forecast finish at this pace"];
}

function conclusion({ status, comparison, status_confidence }: ProgressReport): Markup {
  const { variance, tolerance_points: tolerance } = comparison;
  const points = `${figure(Math.abs(variance), 1)} points`;
  const where =
    variance === 0
      ? "exactly as planned"
      : `${points} ${variance < 0 ? "behind" : "ahead of"} the plan`;
  if (status === "completed") return markup`All zones are complete.`;
  const band =
    status === "on_schedule"
      ? `within the tolerance of ${tolerance} points`
      : `beyond the tolerance of ${tolerance} points`;
  return markup`The work is ${where}, ${band}.${
    status_confidence === "high"
      ? undefined
      : markup` <b class="unsure">This status is not certain:</b> the interval of the figure reaches across the edge of the tolerance, or is not known.`
  }`;
}

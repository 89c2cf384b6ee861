import type { EarnedValue } from "../../../../domain/sites/progress-report.ts";
import { figure, signed } from "../../../page/figures.ts";
import { type Markup, markup } from "../../../page/markup.ts";

/** Earned value, row by row, with what each figure is. */
export function earnedTable(earned: EarnedValue): Markup {
  const { spi, spi_t, earned_schedule_days: days, forecast_finish: finish } = earned;
  const interval = earned.forecast_finish_interval;
  const rows: readonly (readonly [string, string, string])[] = [
    ["Planned value", `${figure(earned.planned_value, 1)} %`, "of the budget, planned until now"],
    [
      "Earned value",
      `${figure(earned.earned_value, 1)} %`,
      "of the budget, earned by the work done",
    ],
    ["Schedule variance", `${signed(earned.schedule_variance, 1)} points`, "earned less planned"],
    [
      "SPI",
      spi === null ? "\u2013" : figure(spi, 2),
      "earned over planned; tends to 1 at the end, however late",
    ],
    [
      "SPI(t)",
      spi_t === null ? "\u2013" : figure(spi_t, 2),
      "earned schedule over the time that has passed",
    ],
    [
      "Earned schedule",
      days === null ? "\u2013" : `${figure(days, 1)} days`,
      "into the plan, at which as much was planned",
    ],
    [
      "Forecast finish",
      finish === null ? "\u2013" : finish.slice(0, 10),
      interval === null
        ? "at the pace so far; cannot be bounded"
        : `at the pace so far; with 95 % confidence ${interval[0].slice(0, 10)} to ${interval[1].slice(0, 10)}`,
    ],
  ];
  return markup`<table><tbody>
${rows.map(
  ([
    name,
    value,
    what,
  ]) => markup`<tr><td class="name">${name}</td><td class="n few">${value}</td><td class="soft">${what}</td></tr>
`,
)}</tbody></table>
<p class="soft">The forecast assumes the pace so far and knows no critical path.</p>`;
}

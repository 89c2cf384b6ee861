import type { components } from "../../../client/index.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { daysBetween, idleOf } from "./use-figures.ts";

type Day = components["schemas"]["UtilizationDay"];

const PARTS = ["worked", "overtime", "idle"] as const;
/** Bars of more days than this have no room for their dates. */
const LABELLED = 16;

interface DayBarsProps {
  readonly days: readonly Day[];
  /** First and last calendar date. */
  readonly from: string;
  readonly to: string;
}

/** Hours of each day as a stack of what the engine ran for. The table below has the figures. */
export function DayBars({ days, from, to }: DayBarsProps) {
  const dayByDate = new Map(days.map((day) => [day.day, day]));
  const stacks = daysBetween(from, to).map((date) => {
    const day = dayByDate.get(date);
    return { day: date, hasReport: day !== undefined, parts: day && partsOf(day) };
  });
  const most = Math.max(
    3_600,
    ...stacks.map(({ parts }) => PARTS.reduce((sum, part) => sum + (parts?.[part] ?? 0), 0)),
  );
  return (
    <figure class="bars">
      <figcaption class="small">
        {t("use.bars")}
        <span class="bars-legend">
          {PARTS.map((part) => (
            <span key={part}>
              <span class={`bar-swatch bar-${part}`} aria-hidden="true" /> {t(`use.${part}`)}
            </span>
          ))}
          <span>? {t("use.unknown")}</span>
          <span>– {t("fleet.no_report")}</span>
        </span>
      </figcaption>
      <div class="bars-days" aria-hidden="true">
        <span class="bars-most muted small">{show.hours(most)}</span>
        {stacks.map(({ day, hasReport, parts }) => (
          <div key={day} class="bars-day">
            {parts === undefined ? (
              <span class="bars-unknown small">{hasReport ? "?" : "–"}</span>
            ) : (
              PARTS.toReversed().map((part) => (
                <span
                  key={part}
                  class={`bar bar-${part}`}
                  style={{ height: `${(parts[part] / most) * 100}%` }}
                />
              ))
            )}
            {stacks.length > LABELLED ? null : <span class="bars-date">{show.day(day)}</span>}
          </div>
        ))}
      </div>
    </figure>
  );
}

/** Seconds of each part; `undefined`: the working time is not known. What of the idle time is unknown is not drawn. */
function partsOf({ figures }: Day) {
  const { working, overtime } = figures;
  if (working.value === null) return undefined;
  return {
    worked: working.value,
    overtime: overtime.value ?? 0,
    idle: idleOf(figures).value ?? 0,
  };
}

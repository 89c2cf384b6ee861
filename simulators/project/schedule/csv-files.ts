import { DAY_MIN } from "../../../domain/time.ts";
import { type Activity, plannedPercent, type SchedulePlan, wallText } from "./activities.ts";
import { firstWork, lastWork, workedMin } from "./site-calendar.ts";

/** Monday 1969-12-29 00:00 and every week after it, wall-clock minutes. */
const MONDAY_MIN = -3 * DAY_MIN;
const WEEK_MIN = 7 * DAY_MIN;

/**
 * The plan as a table of tasks: `zone,task,start,finish,weight,curve`; weights are costs. Such a table
 * knows no calendar, so that an activity is listed week by week: it is the same plan on days of rest.
 */
export function taskTable({ activities }: SchedulePlan): string {
  const rows = activities
    .filter(({ kind }) => kind === "task")
    .flatMap((activity) => weeksOf(activity).map((part) => taskRow(activity, part)));
  return `${["zone,task,start,finish,weight,curve", ...rows].join("\n")}\n`;
}

type Part = readonly [startMin: number, finishMin: number, workMin: number];

/** An activity cut at Mondays: from its first to its last working minute in each week that has any. */
function weeksOf({ calendar, startMin, finishMin }: Activity): Part[] {
  const parts: Part[] = [];
  const monday = startMin - ((startMin - MONDAY_MIN) % WEEK_MIN);
  for (let week = monday; week < finishMin; week += WEEK_MIN) {
    const from = Math.max(startMin, week);
    const to = Math.min(finishMin, week + WEEK_MIN);
    const worked = workedMin(calendar, from, to);
    if (worked === 0) continue;
    const first = firstWork(calendar, Math.floor(from / DAY_MIN));
    const last = lastWork(calendar, Math.ceil(to / DAY_MIN) - 1);
    parts.push([Math.max(from, first), Math.min(to, last), worked]);
  }
  return parts;
}

function taskRow({ zone = "", name, cost, workMin }: Activity, [from, to, worked]: Part): string {
  const weight = ((cost * worked) / workMin).toFixed(4);
  return [zone, quoted(name), wallText(from, "T"), wallText(to, "T"), weight, "linear"].join(",");
}

/**
 * The plan as percent by date and zone: `date,zone,planned_percent`, at the beginning and the end of every
 * Sunday, between which nothing is planned to move.
 */
export function pointTable(plan: SchedulePlan): string {
  const rows = plan.zones.flatMap(({ code }) => {
    const points: string[] = [];
    const add = (min: number) => {
      const percent = plannedPercent(plan, min, code);
      points.push([wallText(min, "T"), code, percent.toFixed(4)].join(","));
      return percent;
    };
    const firstMonday = plan.startMin - ((plan.startMin - MONDAY_MIN) % WEEK_MIN);
    for (let monday = firstMonday; ; monday += WEEK_MIN) {
      add(monday - DAY_MIN);
      if (add(monday) > 100 - 1e-9) return points;
    }
  });
  return `${["date,zone,planned_percent", ...rows].join("\n")}\n`;
}

const quoted = (text: string): string =>
  /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

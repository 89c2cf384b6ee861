import type { WorkCalendar } from "../../../domain/sites/schedule.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { buildingLevels } from "../zone/building-work.ts";
import type { ZonePlan } from "../zone/zone-plan.ts";
import {
  EARTHWORKS_CALENDAR,
  firstWork,
  lastWork,
  STRUCTURES_CALENDAR,
  workedMin,
} from "./site-calendar.ts";

/** One activity of the plan. Times are wall-clock minutes since 1970. */
export interface Activity {
  readonly kind: "task" | "start_milestone" | "finish_milestone" | "loe";
  readonly code: string;
  readonly name: string;
  /** Code of its zone; `undefined`: of the whole project. */
  readonly zone: string | undefined;
  readonly calendar: WorkCalendar;
  readonly startMin: number;
  readonly finishMin: number;
  readonly workMin: number;
  readonly cost: number;
}

/** The plan of a project. */
export interface SchedulePlan {
  readonly name: string;
  /** First part of the work breakdown structure's paths; a zone's is `SITE.{code}`. */
  readonly wbs: string;
  readonly calendars: readonly WorkCalendar[];
  readonly zones: readonly { readonly code: string; readonly name: string }[];
  /** In the order of their codes. */
  readonly activities: readonly Activity[];
  readonly startMin: number;
  readonly finishMin: number;
}

export const WBS_ROOT = "SITE";
/** Wages of the people who are there throughout; a level of effort, which earns nothing. */
const MANAGEMENT_COST = 120_000;

/** Parts of an earthwork or of slabs: name, share of the time, share of the cost. */
const PARTS = [
  ["set out and strip", 0.1, 0.05],
  ["first half", 0.4, 0.45],
  ["second half", 0.4, 0.45],
  ["trim and hand over", 0.1, 0.05],
] as const;

/**
 * Makes the plan: each zone's work in activities one after the other, on working days.
 * @param startMs Monday on which work begins, 0 h UTC, ms since the Unix epoch
 */
export function createSchedule(
  zones: readonly ZonePlan[],
  weeks: number,
  startMs: number,
): SchedulePlan {
  const tasks = zones.flatMap((zone) => zoneActivities(zone, weeks, startMs / DAY_MS));
  const startMin = Math.min(...tasks.map((task) => task.startMin));
  const finishMin = Math.max(...tasks.map((task) => task.finishMin));
  const whole = {
    ...{ zone: undefined, calendar: STRUCTURES_CALENDAR, workMin: 0, cost: 0 },
  };
  return {
    name: "Simulated site – harbour yard",
    wbs: WBS_ROOT,
    calendars: [EARTHWORKS_CALENDAR, STRUCTURES_CALENDAR],
    zones: zones.map(({ code, name }) => ({ code, name })),
    startMin,
    finishMin,
    activities: [
      {
        ...{ ...whole, kind: "start_milestone", code: "GEN-0010", name: "Possession of site" },
        ...{ startMin, finishMin: startMin },
      },
      {
        ...{ ...whole, kind: "loe", code: "GEN-0020", name: "Site management" },
        ...{ startMin, finishMin, cost: MANAGEMENT_COST },
        workMin: workedMin(STRUCTURES_CALENDAR, startMin, finishMin),
      },
      {
        ...{ ...whole, kind: "finish_milestone", code: "GEN-0090", name: "Practical completion" },
        ...{ startMin: finishMin, finishMin },
      },
      ...tasks,
    ],
  };
}

function zoneActivities(zone: ZonePlan, weeks: number, projectDay: number): Activity[] {
  const { work, planned, code, cost, name } = zone;
  const calendar =
    work.kind === "fill" || work.kind === "cut" ? EARTHWORKS_CALENDAR : STRUCTURES_CALENDAR;
  const levels = work.kind === "building" ? buildingLevels(work) : [];
  const total = levels.reduce((sum, { weight }) => sum + weight, 0);
  const parts =
    work.kind === "building"
      ? levels.map((level) => [level.name, level.weight / total, level.weight / total] as const)
      : PARTS;
  const firstDay = projectDay + Math.round(7 * weeks * planned.from);
  const days = Math.max(parts.length, Math.round(7 * weeks * (planned.to - planned.from)));
  let share = 0;
  let afterMin = 0;
  return parts.map(([part, timeShare, costShare], i): Activity => {
    const from = firstWork(calendar, firstDay + Math.floor(share * days));
    share += timeShare;
    // Days of rest at either end: a part never begins before the one before it has ended.
    const startMin = Math.max(from, firstWork(calendar, Math.ceil(afterMin / 1_440)));
    const lastDay = firstDay + Math.max(0, Math.ceil(share * days - 1e-9) - 1);
    const startDay = Math.floor(startMin / 1_440);
    const finishMin = lastWork(calendar, Math.max(startDay, lastDay));
    afterMin = finishMin;
    return {
      ...{ kind: "task", code: `${code}-${1_010 + 10 * i}`, name: `${name}: ${part}` },
      ...{ zone: code, calendar, startMin, finishMin },
      workMin: workedMin(calendar, startMin, finishMin),
      cost: Math.round(cost * costShare),
    };
  });
}

/** Planned percent at a time (wall-clock minutes) of a zone, or of the project: cost-weighted, linear in working time. */
export function plannedPercent(plan: SchedulePlan, atMin: number, zone?: string): number {
  let earned = 0;
  let all = 0;
  for (const activity of plan.activities) {
    if (activity.kind !== "task" || (zone !== undefined && activity.zone !== zone)) continue;
    const { calendar, startMin, finishMin, workMin, cost } = activity;
    const worked = workedMin(calendar, startMin, Math.min(finishMin, Math.max(startMin, atMin)));
    earned += (cost * worked) / workMin;
    all += cost;
  }
  return all === 0 ? 0 : (100 * earned) / all;
}

/** "2025-05-05 07:00" with the given text between date and time. */
export function wallText(min: number, between: string): string {
  return new Date(min * 60_000).toISOString().slice(0, 16).replace("T", between);
}

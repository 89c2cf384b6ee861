import type { ScheduleTask } from "../../../../../domain/sites/schedule.ts";
import { quoted } from "../../../../uploads/file-words.ts";
import { readAmount, readName } from "../draft/schedule-draft.ts";
import type { Problems } from "../draft/schedule-error.ts";
import { isoWallMinutes, SCHEDULE_YEARS } from "../draft/wall-minutes.ts";
import { numberText, type XerRow } from "./xer-rows.ts";

/** What is neither work nor an event: levels of effort follow other activities, summaries repeat them. */
export const LEFT_OUT = { TT_LOE: "levels of effort", TT_WBS: "WBS summaries" } as const;

/** A row of TASK, before tables that come behind it are known. */
export interface XerTask {
  readonly id: string;
  readonly projectId: string;
  readonly wbsId: string;
  readonly calendarId: string;
  readonly leftOut: keyof typeof LEFT_OUT | undefined;
  /** Hours of labour and of equipment. */
  readonly unitsH: number;
  readonly task: Pick<
    ScheduleTask,
    "code" | "name" | "start_min" | "finish_min" | "curve" | "duration_h" | "percent_complete"
  >;
}

export function readTask(row: XerRow, problems: Problems): XerTask {
  const where = (field: string) => `line ${row.line}, ${field}`;
  const amount = (field: string) => readAmount(numberText(row, field), where(field), problems) ?? 0;
  const type = row.get("task_type");
  const leftOut = Object.hasOwn(LEFT_OUT, type) ? (type as keyof typeof LEFT_OUT) : undefined;
  const ids = {
    id: row.get("task_id"),
    projectId: row.get("proj_id"),
    wbsId: row.get("wbs_id"),
    calendarId: row.get("clndr_id"),
    leftOut,
  };
  if (leftOut !== undefined) return { ...ids, unitsH: 0, task: NOTHING };
  const code = readName(row.get("task_code"), where("task_code"), problems);
  const { start_min, finish_min } = datesOf(row, type, code, problems);
  const durationH = amount("target_drtn_hr_cnt");
  return {
    ...ids,
    unitsH: amount("target_work_qty") + amount("target_equip_qty"),
    task: {
      code,
      name: readName(row.get("task_name"), where("task_name"), problems),
      start_min,
      finish_min,
      curve: start_min === finish_min ? "milestone" : "linear",
      ...(durationH > 0 ? { duration_h: durationH } : {}),
      percent_complete: percentOf(row),
    },
  };
}

const NOTHING: XerTask["task"] = {
  code: "",
  name: "",
  start_min: 0,
  finish_min: 0,
  curve: "milestone",
};

/**
 * The target dates: those of the plan, which actual dates do not move (docs/progress-method.md#schedules). A milestone has
 * one of them, that of its kind.
 */
function datesOf(
  row: XerRow,
  type: string,
  code: string,
  problems: Problems,
): { start_min: number; finish_min: number } {
  const read = (field: string): number | undefined => {
    const text = row.get(field);
    if (text === "") return undefined;
    const min = isoWallMinutes(text);
    if (min === undefined) {
      problems.add(
        `line ${row.line}, ${field}`,
        `of ${quoted(code)} must be a date such as 2026-03-02 08:00 of the years ${SCHEDULE_YEARS.first} to ${SCHEDULE_YEARS.last}, not ${quoted(text)}`,
      );
    }
    return min ?? Number.NaN;
  };
  const start = read("target_start_date");
  const finish = read("target_end_date");
  if (type === "TT_Mile" || type === "TT_FinMile") {
    const at = type === "TT_Mile" ? (start ?? finish) : (finish ?? start);
    if (at !== undefined) return { start_min: at, finish_min: at };
  }
  if (start === undefined || finish === undefined) {
    const field = start === undefined ? "target_start_date" : "target_end_date";
    problems.add(`line ${row.line}, ${field}`, `of ${quoted(code)} is missing`);
  } else if (finish < start) {
    problems.add(
      `line ${row.line}, target_end_date`,
      `of ${quoted(code)} is before its target_start_date`,
    );
  }
  return { start_min: start ?? 0, finish_min: finish ?? 0 };
}

/** As P6 shows it, by the type of percent complete (Oracle P6 help); for people only. */
function percentOf(row: XerRow): number {
  const number = (field: string): number => {
    const value = Number(numberText(row, field));
    return Number.isFinite(value) ? value : 0;
  };
  const status = row.get("status_code");
  if (status === "TK_Complete") return 100;
  if (status === "TK_NotStart") return 0;
  const type = row.get("complete_pct_type");
  if (type === "CP_Phys") return inPercent(number("phys_complete_pct"), 100);
  if (type === "CP_Units") {
    const done = number("act_work_qty") + number("act_equip_qty");
    return inPercent(done, done + number("remain_work_qty") + number("remain_equip_qty"));
  }
  const planned = number("target_drtn_hr_cnt");
  return inPercent(planned - number("remain_drtn_hr_cnt"), planned);
}

const inPercent = (done: number, whole: number): number =>
  whole > 0 ? Math.round(Math.min(1, Math.max(0, done / whole)) * 1_000) / 10 : 0;

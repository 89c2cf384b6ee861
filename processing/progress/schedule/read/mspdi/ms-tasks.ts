import type { ScheduleTask } from "../../../../../domain/sites/schedule.ts";
import { quoted } from "../../../../uploads/file-words.ts";
import { readAmount, readName } from "../draft/schedule-draft.ts";
import type { Problems } from "../draft/schedule-error.ts";
import { isoWallMinutes, SCHEDULE_YEARS } from "../draft/wall-minutes.ts";
import type { RecordShape, XmlRecord } from "./xml-records.ts";

/** What is read of one `Task`. */
export const TASK_SHAPE: RecordShape = {
  texts: new Set([
    "UID",
    "Name",
    "Active",
    "IsNull",
    "Summary",
    "Milestone",
    "WBS",
    "OutlineNumber",
    "Start",
    "Finish",
    "Duration",
    "Work",
    "Cost",
    "CalendarUID",
    "PercentComplete",
  ]),
  records: {
    Baseline: {
      texts: new Set(["Number", "Start", "Finish", "Duration", "Work", "Cost"]),
      records: {},
    },
    ExtendedAttribute: { texts: new Set(["FieldID", "Value"]), records: {} },
    OutlineCode: { texts: new Set(["FieldID", "ValueID"]), records: {} },
  },
};

/** A task that is work, before its calendar is known. */
export interface MsTask {
  readonly calendarUid: string;
  readonly hasBaseline: boolean;
  readonly task: Omit<ScheduleTask, "zone_codes" | "calendar">;
}

/** Why a task is left out; `undefined`: it is taken. Empty rows are not counted. */
export function leftOutAs(task: XmlRecord): "summary" | "inactive" | "empty" | undefined {
  if (task.text("IsNull") === "1") return "empty";
  // Task 0 is the project itself, a summary even where the flag is missing.
  if (task.text("Summary") === "1" || task.text("UID") === "0") return "summary";
  return task.text("Active") === "0" ? "inactive" : undefined;
}

/**
 * Reads a task with the dates of its first baseline, else those it has now. Its code is the UID: the ID
 * that people see is the number of the row, and changes with every row that is put in.
 */
export function readTask(task: XmlRecord, problems: Problems): MsTask {
  const uid = readName(task.text("UID"), `line ${task.line}, UID`, problems);
  const name = readName(task.text("Name"), `line ${task.line}, Name`, problems);
  const label = quoted(name || uid);
  const baseline = task
    .list("Baseline")
    .find(
      (one) => one.text("Number") === "0" && one.text("Start") !== "" && one.text("Finish") !== "",
    );
  const planned = baseline ?? task;
  const read = (field: "Start" | "Finish"): number => {
    const text = planned.text(field);
    const min = isoWallMinutes(text);
    if (min !== undefined) return min;
    const is = text === "" ? "is missing" : `is ${quoted(text)}`;
    problems.add(
      `line ${planned.line}, ${field}`,
      `of ${label} ${is}; it must be a date such as 2026-03-02T08:00:00 of the years ${SCHEDULE_YEARS.first} to ${SCHEDULE_YEARS.last}`,
    );
    return 0;
  };
  const hours = (field: "Duration" | "Work") => {
    const text = planned.text(field);
    const value = text === "" ? 0 : hoursOf(text);
    if (value !== undefined) return value;
    problems.add(
      `line ${planned.line}, ${field}`,
      `of ${label} must be a time such as PT8H0M0S, not ${quoted(text)}`,
    );
    return 0;
  };
  const finish = read("Finish");
  const isMilestone = task.text("Milestone") === "1";
  const start = isMilestone ? finish : read("Start");
  if (finish < start) {
    problems.add(`line ${planned.line}, Finish`, `of ${label} is before its Start`);
  }
  const cost = readAmount(planned.text("Cost"), `line ${planned.line}, Cost`, problems) ?? 0;
  const workH = hours("Work");
  const durationH = isMilestone ? 0 : hours("Duration");
  const percent = Number(task.text("PercentComplete"));
  return {
    calendarUid: task.text("CalendarUID"),
    hasBaseline: baseline !== undefined,
    task: {
      code: uid,
      name,
      wbs: readName(
        task.text("WBS") || task.text("OutlineNumber"),
        `line ${task.line}, WBS`,
        problems,
      ),
      start_min: start,
      finish_min: finish,
      curve: start === finish ? "milestone" : "linear",
      // MSPDI has amounts of money in hundredths.
      ...(cost > 0 ? { cost: cost / 100 } : {}),
      ...(workH > 0 ? { work_h: workH } : {}),
      ...(durationH > 0 ? { duration_h: durationH } : {}),
      ...(percent >= 0 && percent <= 100 ? { percent_complete: percent } : {}),
    },
  };
}

const DURATION = /^P(?:(\d{1,6})D)?T?(?:(\d{1,8})H)?(?:(\d{1,10})M)?(?:(\d{1,10})(?:\.\d+)?S)?$/;

/** Hours of an ISO 8601 duration; days in it have 24. */
function hoursOf(text: string): number | undefined {
  const parts = DURATION.exec(text);
  if (parts === null || text.length < 3) return undefined;
  const [, days = "0", hours = "0", minutes = "0", seconds = "0"] = parts;
  return Number(days) * 24 + Number(hours) + Number(minutes) / 60 + Number(seconds) / 3_600;
}

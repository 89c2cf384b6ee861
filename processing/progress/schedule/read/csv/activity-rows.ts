import {
  type ScheduleTask,
  WORK_CURVES,
  type WorkCurve,
} from "../../../../../domain/sites/schedule.ts";
import { DAY_MIN } from "../../../../../domain/time.ts";
import { quoted } from "../../../../uploads/file-words.ts";
import { checkTaskCount, readAmount, readName } from "../draft/schedule-draft.ts";
import type { Problems } from "../draft/schedule-error.ts";
import { cellTime, decimalPoint, TIME_FORMS } from "./csv-cells.ts";
import type { CsvRow, CsvRows } from "./csv-rows.ts";

/** Curves that a row can have: control points are another form of file. */
const ROW_CURVES = WORK_CURVES.filter((curve) => curve !== "points");

/**
 * Reads rows of `zone,task,start,finish,weight,curve`. A finish that is only a date is the end of that day.
 * `weight` is kept as the cost: what the user says comes before all that could be derived.
 */
export async function readActivityRows(
  { rows, delimiter }: CsvRows,
  problems: Problems,
): Promise<ScheduleTask[]> {
  const tasks: ScheduleTask[] = [];
  for await (const row of rows) {
    checkTaskCount(tasks.length + 1);
    const where = (column: string) => `line ${row.line}, ${column}`;
    const zone = readName(row.get("zone"), where("zone"), problems);
    const task = readName(row.get("task"), where("task"), problems);
    if (zone === "" && task === "") {
      problems.add(`line ${row.line}`, "has neither a zone nor a task");
    }
    const weightText = decimalPoint(row.get("weight"), delimiter);
    const weight = readAmount(weightText, where("weight"), problems);
    const span = readSpan(row, problems);
    if (span === undefined) continue;
    const durationH = (span.finish_min - span.start_min) / 60;
    tasks.push({
      code: task || zone,
      name: task || zone,
      wbs: "",
      zone_codes: zone === "" ? [] : [zone],
      ...span,
      ...(weight === undefined ? {} : { cost: weight }),
      ...(durationH > 0 ? { duration_h: durationH } : {}),
    });
  }
  return tasks;
}

function readSpan(
  row: CsvRow,
  problems: Problems,
): Pick<ScheduleTask, "start_min" | "finish_min" | "curve"> | undefined {
  const where = (column: string) => `line ${row.line}, ${column}`;
  const read = (column: "start" | "finish") => {
    const text = row.get(column);
    const time = cellTime(text);
    if (time === undefined) {
      const given = text === "" ? "is empty" : `not ${quoted(text)}`;
      problems.add(where(column), text === "" ? given : `must be ${TIME_FORMS}, ${given}`);
    }
    return time;
  };
  const curve = readCurve(row, problems);
  const finish = read("finish");
  // A milestone has its finish; its start says nothing more.
  const start = curve === "milestone" && row.get("start") === "" ? finish : read("start");
  if (curve === undefined || start === undefined || finish === undefined) return undefined;
  const finish_min = finish.min + (finish.isDate ? DAY_MIN : 0);
  if (curve === "milestone") return { start_min: finish_min, finish_min, curve };
  if (finish_min < start.min) {
    problems.add(where("finish"), "is before the start");
    return undefined;
  }
  const isMoment = finish_min === start.min;
  return { start_min: start.min, finish_min, curve: isMoment ? "milestone" : curve };
}

/** Without one it is linear; `undefined`: it is wrong, and a problem was added. */
function readCurve(row: CsvRow, problems: Problems): WorkCurve | undefined {
  const text = row.get("curve").toLowerCase().replace(/[ -]/g, "_");
  const curve = text === "" ? "linear" : ROW_CURVES.find((known) => known === text);
  if (curve === undefined) {
    problems.add(
      `line ${row.line}, curve`,
      `must be one of ${ROW_CURVES.join(", ")}, not ${quoted(row.get("curve"))}`,
    );
  }
  return curve;
}

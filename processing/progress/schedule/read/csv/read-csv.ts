import type { EventLoopPauses } from "../../../../uploads/event-loop-pauses.ts";
import { quoted } from "../../../../uploads/file-words.ts";
import type { ScheduleDraft } from "../draft/schedule-draft.ts";
import { createProblems, unreadable } from "../draft/schedule-error.ts";
import { readActivityRows } from "./activity-rows.ts";
import { readControlPoints } from "./control-points.ts";
import { type CsvRows, openCsv } from "./csv-rows.ts";

/** The forms of files by their columns; those behind may be missing. */
const FORMS = [
  { must: ["start", "finish"], may: ["zone", "task", "weight", "curve"], read: readActivityRows },
  { must: ["date", "zone", "planned_percent"], may: [], read: readControlPoints },
] as const;
const MOST_COLUMNS_LISTED = 10;

/**
 * Reads a CSV of activities (`zone,task,start,finish,weight,curve`) or of control points
 * (`date,zone,planned_percent`); columns in any order, separated by comma, semicolon or tab.
 * @throws ScheduleError
 */
export async function readCsv(
  content: Uint8Array,
  name: string | undefined,
  pauses: EventLoopPauses,
): Promise<ScheduleDraft> {
  const csv = openCsv(content, pauses);
  const form = formOf(csv);
  const warnings: string[] = [];
  const ignored = unknownColumns(csv.columns, [...form.must, ...form.may]);
  if (ignored !== "") warnings.push(`columns that are not read: ${ignored}`);
  const problems = createProblems();
  const tasks = await form.read(csv, problems);
  problems.check();
  const unfinished = tasks.filter(({ points }) => (points?.at(-1)?.[1] ?? 100) < 100).length;
  if (unfinished > 0) {
    warnings.push(`${unfinished} zones have no point of 100 percent: they stay at their last one`);
  }
  return {
    format: "csv",
    name: name ?? "Schedule",
    dataDateMin: undefined,
    calendars: [],
    tasks,
    warnings,
  };
}

function formOf({ columns }: CsvRows): (typeof FORMS)[number] {
  const repeated = columns.find((name, i) => name !== "" && columns.indexOf(name) < i);
  if (repeated !== undefined) {
    throw unreadable("line 1", `names the column ${quoted(repeated)} twice`);
  }
  const form = FORMS.find(({ must }) => must.every((name) => columns.includes(name)));
  const isNamed = columns.includes("zone") || columns.includes("task");
  if (form !== undefined && isNamed) return form;
  const found = columns.slice(0, MOST_COLUMNS_LISTED).join(", ");
  throw unreadable(
    "line 1",
    `must name the columns zone, task, start, finish, weight, curve (zone or task, start and finish at least), or date, zone, planned_percent; it has ${quoted(found)}`,
  );
}

function unknownColumns(columns: readonly string[], known: readonly string[]): string {
  return columns
    .filter((name) => name !== "" && !known.includes(name))
    .slice(0, MOST_COLUMNS_LISTED)
    .map(quoted)
    .join(", ");
}

import type { ScheduleTask } from "../../../../../domain/sites/schedule.ts";
import type { EventLoopPauses } from "../../../../uploads/event-loop-pauses.ts";
import { quoted } from "../../../../uploads/file-words.ts";
import { encodingOf, textOf } from "../draft/file-text.ts";
import {
  checkTaskCount,
  readAmount,
  readCost,
  type ScheduleDraft,
} from "../draft/schedule-draft.ts";
import { createProblems } from "../draft/schedule-error.ts";
import { createXerCalendars } from "./xer-calendars.ts";
import { createXerCodes } from "./xer-codes.ts";
import { chooseProject, readProject, type XerProject } from "./xer-projects.ts";
import { numberText, readXerRows, type XerRow } from "./xer-rows.ts";
import { LEFT_OUT, readTask, type XerTask } from "./xer-tasks.ts";
import { createXerWbs } from "./xer-wbs.ts";

/** What TASKRSRC and PROJCOST say of one activity. */
interface Assigned {
  cost: number;
  unitsH: number;
}

/** Kinds of resources whose units are hours; those of materials are cubic metres or tons. */
const HOURLY = new Set(["", "RT_Labor", "RT_Equip"]);

/**
 * Reads a project of a Primavera P6 XER with its target dates, calendars, budgets and activity codes.
 * @throws ScheduleError
 */
export async function readXer(
  content: Uint8Array,
  name: string | undefined,
  pauses: EventLoopPauses,
): Promise<ScheduleDraft> {
  const problems = createProblems();
  const warnings: string[] = [];
  const projects: XerProject[] = [];
  const rows = new Map<string, XerTask>();
  const assigned = new Map<string, Assigned>();
  const wbs = createXerWbs(problems);
  const codes = createXerCodes(problems);
  const calendars = createXerCalendars(problems, warnings);

  function assign(row: XerRow, unitsH: number): void {
    const id = row.get("task_id");
    const where = `line ${row.line}, target_cost`;
    const cost = readCost(numberText(row, "target_cost"), where, problems);
    const known = assigned.get(id);
    if (known === undefined) assigned.set(id, { cost, unitsH });
    else {
      known.cost += cost;
      known.unitsH += unitsH;
    }
  }

  const takeByTable = {
    PROJECT: (row: XerRow) => void projects.push(readProject(row, problems)),
    PROJWBS: wbs.take,
    CALENDAR: calendars.take,
    ACTVTYPE: codes.takeType,
    ACTVCODE: codes.takeValue,
    TASKACTV: codes.takeAssignment,
    PROJCOST: (row: XerRow) => assign(row, 0),
    TASKRSRC(row: XerRow) {
      const where = `line ${row.line}, target_qty`;
      const isHours = HOURLY.has(row.get("rsrc_type"));
      assign(row, isHours ? (readAmount(numberText(row, "target_qty"), where, problems) ?? 0) : 0);
    },
    TASK(row: XerRow) {
      const task = readTask(row, problems);
      if (rows.has(task.id)) {
        problems.add(`line ${row.line}, task_id`, `${quoted(task.id)} is there twice`);
      }
      rows.set(task.id, task);
    },
  };
  const encoding = encodingOf(content);
  await readXerRows(textOf(content, encoding), takeByTable, problems, pauses);
  problems.check();

  const project = chooseProject(projects, name, wbs.projectName, warnings);
  const leftOut = { TT_LOE: 0, TT_WBS: 0 };
  const tasks: ScheduleTask[] = [];
  let withoutCalendar = 0;
  for (const row of rows.values()) {
    if (row.projectId !== project.id) continue;
    if (row.leftOut !== undefined) {
      leftOut[row.leftOut] += 1;
      continue;
    }
    checkTaskCount(tasks.length + 1);
    const calendar = calendars.indexOf(row.calendarId) ?? calendars.indexOf(project.calendarId);
    if (calendar === undefined) withoutCalendar += 1;
    tasks.push({
      ...row.task,
      wbs: wbs.pathOf(row.wbsId),
      zone_codes: codes.codesOf(row.id),
      ...(calendar === undefined ? {} : { calendar }),
      ...budgetOf(row, assigned.get(row.id)),
    });
    const pause = tasks.length % 500 === 0 ? pauses.due() : undefined;
    if (pause !== undefined) await pause;
  }
  problems.check();
  for (const [type, count] of Object.entries(leftOut)) {
    const kind = LEFT_OUT[type as keyof typeof LEFT_OUT];
    if (count > 0) warnings.push(`${count} ${kind} (${type}) are left out`);
  }
  if (withoutCalendar > 0) {
    warnings.push(`${withoutCalendar} activities have no calendar; every day counts for them`);
  }
  return {
    format: "xer",
    name: wbs.projectName(project.id) || project.shortName,
    dataDateMin: project.dataDateMin,
    calendars: calendars.used,
    tasks,
    warnings,
  };
}

/** Work of the activity itself, where P6 sums it up; else of its resources. */
function budgetOf(
  { unitsH }: XerTask,
  assigned: Assigned | undefined,
): Pick<ScheduleTask, "cost" | "work_h"> {
  const workH = unitsH > 0 ? unitsH : (assigned?.unitsH ?? 0);
  const cost = assigned?.cost ?? 0;
  return { ...(cost > 0 ? { cost } : {}), ...(workH > 0 ? { work_h: workH } : {}) };
}

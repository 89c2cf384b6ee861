import {
  MAX_SCHEDULE_BYTES,
  MAX_SCHEDULE_TASKS,
  type ScheduleFormat,
  type ScheduleTask,
  type WorkCalendar,
} from "../../../../../domain/sites/schedule.ts";
import { oneLine } from "../../../../uploads/file-words.ts";
import { type Problems, unreadable } from "./schedule-error.ts";

/** What a file says. */
export interface ScheduleDraft {
  readonly format: ScheduleFormat;
  readonly name: string;
  readonly dataDateMin: number | undefined;
  readonly calendars: readonly WorkCalendar[];
  readonly tasks: readonly ScheduleTask[];
  readonly warnings: readonly string[];
}

/** Longest name or code, characters: MS Project has 512 in its schema, P6 has fewer. */
const MOST_NAME_CHARS = 512;
/**
 * Most zone codes of one activity. P6 can assign 500 types of codes; in practice few are used, and each is kept
 * for every activity.
 */
export const MOST_CODES = 60;
/** Longest path in the work breakdown structure, characters: 25 levels of 40, as P6 has them. */
export const MOST_PATH_CHARS = 1_024;
/** Largest amount of cost, work or weight: sums of 50,000 stay exact to 1. */
const MOST_AMOUNT = 1e11;

/** A name as it is kept. */
export function readName(text: string, where: string, problems: Problems): string {
  const name = oneLine(text);
  if (name.length <= MOST_NAME_CHARS) return name;
  problems.add(where, `has ${name.length} characters; at most ${MOST_NAME_CHARS} are kept`);
  return "";
}

const AMOUNT = /^[+-]?\d{1,15}(\.\d*)?([eE][+-]?\d{1,3})?$|^\.\d+$/;

/** A number of `least` (0 if not given) or more; `undefined`: the field is empty, or wrong and a problem was added. */
export function readAmount(
  text: string,
  where: string,
  problems: Problems,
  least = 0,
): number | undefined {
  if (text === "") return undefined;
  const amount = AMOUNT.test(text) ? Number(text) : Number.NaN;
  if (amount >= least && amount <= MOST_AMOUNT) return amount;
  problems.add(where, `must be a number from ${least} to ${MOST_AMOUNT}`);
  return undefined;
}

/** A number that may be negative, as credits among costs are; 0 for an empty field, or a wrong one. */
export function readCost(text: string, where: string, problems: Problems): number {
  return readAmount(text, where, problems, -MOST_AMOUNT) ?? 0;
}

/** @throws ScheduleError when there is no room for one more. */
export function checkTaskCount(count: number): void {
  if (count > MAX_SCHEDULE_TASKS) {
    throw unreadable("file", `has more than ${MAX_SCHEDULE_TASKS} activities`);
  }
}

/**
 * What no reader can see alone: that there is an activity, and that texts which many activities share do
 * not grow beyond all bounds where each has its own.
 * @throws ScheduleError
 */
export function checkDraft({ tasks }: ScheduleDraft): void {
  if (tasks.length === 0) throw unreadable("file", "has no activity to plan by");
  let chars = 0;
  for (const { code, name, wbs, zone_codes } of tasks) {
    chars += code.length + name.length + wbs.length;
    for (const zoneCode of zone_codes) chars += zoneCode.length;
  }
  if (chars > 2 * MAX_SCHEDULE_BYTES) {
    throw unreadable(
      "file",
      "gives its activities more text than it has itself, in codes and paths",
    );
  }
}

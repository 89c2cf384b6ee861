import type { ScheduleTask, WorkCalendar } from "../../../../../domain/sites/schedule.ts";
import type { EventLoopPauses } from "../../../../uploads/event-loop-pauses.ts";
import { quoted } from "../../../../uploads/file-words.ts";
import { encodingOf, type FileEncoding, textOf } from "../draft/file-text.ts";
import { checkTaskCount, readName, type ScheduleDraft } from "../draft/schedule-draft.ts";
import { createProblems, unreadable } from "../draft/schedule-error.ts";
import { dayOf, isoWallMinutes } from "../draft/wall-minutes.ts";
import { CALENDAR_SHAPE, MsCalendars } from "./ms-calendars.ts";
import { createMsCodes, FIELD_SHAPE } from "./ms-codes.ts";
import { leftOutAs, type MsTask, readTask, TASK_SHAPE } from "./ms-tasks.ts";
import type { DayRange } from "./recurrence.ts";
import { readXmlRecords, type XmlRecord } from "./xml-records.ts";

const ROOT = {
  name: "Project",
  texts: new Set(["Name", "Title", "StatusDate", "CalendarUID"]),
} as const;

/**
 * Reads the XML of MS Project with the dates of baseline 0 where a task has one, calendars, costs, work
 * and own fields.
 * @throws ScheduleError
 */
export async function readMspdi(
  content: Uint8Array,
  name: string | undefined,
  pauses: EventLoopPauses,
): Promise<ScheduleDraft> {
  const problems = createProblems();
  const warnings: string[] = [];
  const calendars = new MsCalendars(problems, warnings);
  const codes = createMsCodes(problems);
  const read: { row: MsTask; codes: readonly string[] }[] = [];
  const leftOut = { summary: 0, inactive: 0, empty: 0 };

  function take(record: XmlRecord): void {
    const reason = leftOutAs(record);
    if (reason !== undefined) {
      leftOut[reason] += 1;
      return;
    }
    checkTaskCount(read.length + 1);
    read.push({ row: readTask(record, problems), codes: codes.codesOf(record) });
  }

  const targets = {
    "Calendars/Calendar": {
      shape: CALENDAR_SHAPE,
      take: (calendar: XmlRecord) => calendars.take(calendar),
    },
    "ExtendedAttributes/ExtendedAttribute": { shape: FIELD_SHAPE, take: codes.takeField },
    "OutlineCodes/OutlineCode": { shape: FIELD_SHAPE, take: codes.takeField },
    "Tasks/Task": { shape: TASK_SHAPE, take },
  };
  const pieces = textOf(content, xmlEncoding(content));
  const head = await readXmlRecords(pieces, ROOT, targets, pauses);
  problems.check();

  const window = windowOf(read);
  const used: WorkCalendar[] = [];
  const indexByUid = new Map<string, number>();
  const indexOf = (uid: string): number | undefined => {
    if (!calendars.has(uid)) return undefined;
    const index = indexByUid.get(uid) ?? used.push(calendars.make(uid, window)) - 1;
    indexByUid.set(uid, index);
    return index;
  };
  const projectCalendar = head.text("CalendarUID");
  const tasks = read.map(({ row, codes: zone_codes }): ScheduleTask => {
    // -1 is the project's.
    const calendar = indexOf(row.calendarUid) ?? indexOf(projectCalendar);
    return { ...row.task, zone_codes, ...(calendar === undefined ? {} : { calendar }) };
  });
  problems.check();

  const withBaseline = read.filter(({ row }) => row.hasBaseline).length;
  if (leftOut.summary > 0) warnings.push(`${leftOut.summary} summaries are left out`);
  if (leftOut.inactive > 0) warnings.push(`${leftOut.inactive} inactive tasks are left out`);
  if (withBaseline < read.length) {
    const whose =
      withBaseline === 0 ? "no task has" : `${read.length - withBaseline} tasks have not`;
    warnings.push(`${whose} a baseline 0: the dates of the file are taken as planned`);
  }
  if (tasks.some(({ calendar }) => calendar === undefined)) {
    warnings.push("there are activities without a calendar; every day counts for them");
  }
  const title = head.text("Title") || head.text("Name") || "Schedule";
  return {
    format: "mspdi",
    name: name ?? readName(title, "Title", problems),
    dataDateMin: isoWallMinutes(head.text("StatusDate")),
    calendars: used,
    tasks,
    warnings,
  };
}

/** The days that activities lie on. */
function windowOf(read: readonly { readonly row: MsTask }[]): DayRange {
  let fromMin = Number.POSITIVE_INFINITY;
  let toMin = 0;
  for (const { row } of read) {
    fromMin = Math.min(fromMin, row.task.start_min);
    toMin = Math.max(toMin, row.task.finish_min);
  }
  return { fromDay: dayOf(Math.min(fromMin, toMin)), toDay: dayOf(toMin) };
}

const DECLARED = /^[^<]*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;
const LATIN = new Set(["windows-1252", "cp1252", "iso-8859-1", "latin1"]);

/** By byte order mark or declaration; UTF-8 without them. */
function xmlEncoding(content: Uint8Array): FileEncoding {
  const found = encodingOf(content);
  if (found.startsWith("utf-16")) return found;
  const start = Buffer.from(content.buffer, content.byteOffset, Math.min(400, content.byteLength));
  const declared = DECLARED.exec(start.toString("latin1"))?.[1] ?? "utf-8";
  if (LATIN.has(declared.toLowerCase())) return "windows-1252";
  if (/^(utf-?8|us-ascii|utf-16)$/i.test(declared)) return "utf-8";
  throw unreadable(
    "line 1",
    `declares the encoding ${quoted(declared)}, which is not read; UTF-8 is`,
  );
}

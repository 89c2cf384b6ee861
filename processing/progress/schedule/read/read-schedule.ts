import {
  MAX_SCHEDULE_BYTES,
  type Schedule,
  type ScheduleFormat,
  type ScheduleSummary,
} from "../../../../domain/sites/schedule.ts";
import { createEventLoopPauses, type EventLoopPauses } from "../../../uploads/event-loop-pauses.ts";
import { oneLine } from "../../../uploads/file-words.ts";
import { readCsv } from "./csv/read-csv.ts";
import { checkDraft, type ScheduleDraft } from "./draft/schedule-draft.ts";
import { unreadable } from "./draft/schedule-error.ts";
import { readMspdi } from "./mspdi/read-mspdi.ts";
import { readXer } from "./xer/read-xer.ts";

export interface ReadOptions {
  /** Absent: by what the file begins with. */
  readonly format?: ScheduleFormat | undefined;
  /** Of a XER: the project that is taken. Of others: what the schedule is called. */
  readonly name?: string | undefined;
}

const READERS: Record<
  ScheduleFormat,
  (content: Uint8Array, name: string | undefined, pauses: EventLoopPauses) => Promise<ScheduleDraft>
> = { xer: readXer, mspdi: readMspdi, csv: readCsv };

/**
 * Reads a file of a schedule. It leaves the event loop to others every few milliseconds.
 * @throws ScheduleError (`SCHEDULE_INVALID`) that lists up to eight problems with their lines.
 */
export async function readSchedule(
  content: Uint8Array,
  options: ReadOptions = {},
): Promise<ScheduleDraft> {
  if (content.byteLength > MAX_SCHEDULE_BYTES) {
    throw unreadable("file", `is larger than ${MAX_SCHEDULE_BYTES / 1024 ** 2} MiB`);
  }
  const format = options.format ?? formatOf(content);
  const name = oneLine(options.name ?? "") || undefined;
  const draft = await READERS[format](content, name, createEventLoopPauses());
  checkDraft(draft);
  return draft;
}

/** What of a schedule's summary does not come from its file. */
export type ImportFacts = Pick<
  ScheduleSummary,
  "id" | "project_id" | "revision" | "sha256" | "imported_by" | "imported_at"
>;

/** The schedule that is stored. */
export function makeSchedule(draft: ScheduleDraft, facts: ImportFacts): Schedule {
  let start_min = Number.POSITIVE_INFINITY;
  let finish_min = 0;
  for (const task of draft.tasks) {
    start_min = Math.min(start_min, task.start_min);
    finish_min = Math.max(finish_min, task.finish_min);
  }
  return {
    summary: {
      ...facts,
      format: draft.format,
      name: draft.name,
      data_date_min: draft.dataDateMin,
      start_min,
      finish_min,
      tasks: draft.tasks.length,
      warnings: draft.warnings,
    },
    calendars: draft.calendars,
    tasks: draft.tasks,
  };
}

/** Files that people send by mistake, by their first bytes, and what to do about it. */
const MISTAKES: readonly (readonly [firstBytes: string, advice: string])[] = [
  ["d0cf11e0", "is an MPP or XLS file: save it as XML (MS Project) or CSV (Excel)"],
  ["504b0304", "is a ZIP or XLSX file: unpack it, or save it as CSV"],
  ["25504446", "is a PDF: export the schedule as XER, MS Project XML or CSV"],
];
const HEAD_BYTES = 1_024;

function formatOf(content: Uint8Array): ScheduleFormat {
  if (content.byteLength === 0) throw unreadable("file", "is empty");
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const head = bytes.subarray(0, HEAD_BYTES);
  const mistake = MISTAKES.find(([first]) => head.toString("hex", 0, 4) === first);
  if (mistake !== undefined) throw unreadable("file", mistake[1]);
  // The marks and the zeros of UTF-16 go, which is enough to distinguish the formats.
  const text = head
    .toString("latin1")
    .replace(/^(ÿþ|þÿ|ï»¿)/, "")
    .replaceAll("\0", "")
    .trimStart();
  if (text.startsWith("ERMHDR")) return "xer";
  if (!text.startsWith("<")) return "csv";
  if (text.includes("APIBusinessObjects")) {
    throw unreadable("file", "is Primavera's own XML: export it as XER or as MS Project XML");
  }
  return "mspdi";
}

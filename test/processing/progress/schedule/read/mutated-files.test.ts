import { describe, expect, it } from "vitest";
import type { ScheduleFormat } from "../../../../../domain/sites/schedule.ts";
import { ScheduleError } from "../../../../../processing/progress/schedule/read/draft/schedule-error.ts";
import { readSchedule } from "../../../../../processing/progress/schedule/read/read-schedule.ts";
import { schedulePlan } from "../../../../../processing/progress/schedule/schedule-plan.ts";
import { largeCsv, largeMspdi, largeXer } from "../../../../support/schedule-files/large-files.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";
import { scheduleOf } from "../site-calendars.ts";

const FILES: Record<ScheduleFormat, Buffer> = {
  xer: largeXer(6),
  mspdi: largeMspdi(6),
  csv: largeCsv(12),
};
/** What makes sense somewhere in one of the formats. */
const TOKENS = ["\t", "\n", '"', ",", ";", "%T", "%R", "(0||", "))", "|", "<", "</", "<Task>"];
TOKENS.push("&x;", "]]>", "\0", "0", "-1", "1e308", "2200-12-31 24:00", "__proto__", "");
const RUNS = 150;

/** A few places of a file deleted, doubled, overwritten or filled with tokens. */
function mutated(file: Buffer, random: () => number): Buffer {
  let bytes = file;
  for (let i = Math.floor(random() * 4); i >= 0; i--) {
    const at = Math.floor(random() * bytes.length);
    const length = Math.floor(random() * 60);
    const token = TOKENS[Math.floor(random() * TOKENS.length)] ?? "";
    const put = [
      Buffer.alloc(0),
      bytes.subarray(at, at + 2 * length),
      Buffer.from(token),
      Buffer.from([random() * 256, random() * 256]),
    ][Math.floor(random() * 4)] as Buffer;
    bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + length)]);
  }
  return bytes;
}

describe("a file that was mutated", () => {
  it.each<ScheduleFormat>([
    "xer",
    "mspdi",
    "csv",
  ])("is read as %s or refused with problems, and plans 0 to 100 percent", async (format) => {
    const random = seededRandom(20_260_302);
    let refused = 0;
    for (let run = 0; run < RUNS; run++) {
      const content = mutated(FILES[format], random);
      try {
        const { tasks, calendars } = await readSchedule(content, { format });
        const plan = schedulePlan({ ...scheduleOf(tasks), calendars }, [], "Europe/Berlin");
        const middle = plan.plannedPercent((plan.startMs + plan.finishMs) / 2);
        expect(middle).toBeGreaterThanOrEqual(0);
        expect(plan.plannedPercent(plan.finishMs)).toBeGreaterThanOrEqual(middle);
        expect(plan.plannedPercent(plan.finishMs)).toBeLessThanOrEqual(100);
        expect(JSON.stringify(tasks)).not.toContain("\\u0000");
      } catch (error) {
        if (!(error instanceof ScheduleError)) throw error;
        refused += 1;
        expect(error.problems.length).toBeGreaterThan(0);
        expect(error.problems.length).toBeLessThanOrEqual(8);
      }
    }
    // Neither all nor none: mutants reach the insides of the readers.
    expect(refused).toBeGreaterThan(RUNS / 10);
    expect(refused).toBeLessThan(RUNS);
  });
});

describe("a large file", () => {
  it.each([
    ["separators", "zone,task,start,finish\n", ",", /longer than 4000000 characters$/],
    ["empty lines", "zone,task,start,finish\n", "\n", /^has more than 500000 lines$/],
    ["tabs", "ERMHDR\t19\n%T\tTASK\n%F\ttask_id\n%R", "\t", /longer than 4000000 characters$/],
    ["elements", "<Project>", "<Project>", /^is nested deeper than 32 elements$/],
    ["entities", "<!DOCTYPE x [", "<!ENTITY a 'b'>", /^has a document type \(DTD\)/],
  ])("a large file of nothing but %s is refused before it is in memory twice", async (_, head, unit, expected) => {
    const content = Buffer.from(head + unit.repeat(Math.floor(6_000_000 / unit.length)));
    const refusal = readSchedule(content).catch((error: unknown) => error);
    const error = (await refusal) as ScheduleError;
    expect(error.problems.at(-1)?.message).toMatch(expected);
  });
});

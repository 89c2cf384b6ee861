import type { ScheduleTask } from "../../../../../domain/sites/schedule.ts";
import { DAY_MIN } from "../../../../../domain/time.ts";
import { quoted } from "../../../../uploads/file-words.ts";
import { checkTaskCount, readName } from "../draft/schedule-draft.ts";
import { type Problems, unreadable } from "../draft/schedule-error.ts";
import { cellTime, decimalPoint, TIME_FORMS } from "./csv-cells.ts";
import type { CsvRows } from "./csv-rows.ts";

/** Most points of a file: 500 zones over 400 weeks. It bounds the memory of a file that is anything else. */
const MOST_POINTS = 200_000;

interface Point {
  readonly line: number;
  readonly atMin: number;
  readonly percent: number;
}

/**
 * Reads rows of `date,zone,planned_percent`, in any order: what is planned to be done by a time, for a
 * date alone by the end of that day. Each zone becomes one activity.
 */
export async function readControlPoints(
  { rows, delimiter }: CsvRows,
  problems: Problems,
): Promise<ScheduleTask[]> {
  const pointsByZone = new Map<string, { name: string; points: Point[] }>();
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > MOST_POINTS) throw unreadable("file", `has more than ${MOST_POINTS} points`);
    const { line } = row;
    const name = readName(row.get("zone"), `line ${line}, zone`, problems);
    if (name === "") problems.add(`line ${line}, zone`, "is empty");
    const time = cellTime(row.get("date"));
    if (time === undefined) {
      problems.add(`line ${line}, date`, `must be ${TIME_FORMS}, not ${quoted(row.get("date"))}`);
    }
    const text = row.get("planned_percent");
    const percent = readPercent(text, delimiter);
    if (percent === undefined) {
      const where = `line ${line}, planned_percent`;
      problems.add(where, `must be a number from 0 to 100, not ${quoted(text)}`);
    }
    if (time === undefined || percent === undefined) continue;
    const point = { line, atMin: time.min + (time.isDate ? DAY_MIN : 0), percent };
    const key = name.toLowerCase();
    const known = pointsByZone.get(key);
    if (known === undefined) {
      checkTaskCount(pointsByZone.size + 1);
      pointsByZone.set(key, { name, points: [point] });
    } else known.points.push(point);
  }
  return [...pointsByZone.values()].map(({ name, points }) => taskOf(name, points, problems));
}

const PERCENT = /^\d{1,3}(\.\d{1,15})?$/;

function readPercent(text: string, delimiter: string): number | undefined {
  const number = decimalPoint(text.replace(/ ?%$/, ""), delimiter);
  const percent = PERCENT.test(number) ? Number(number) : Number.NaN;
  return percent >= 0 && percent <= 100 ? percent : undefined;
}

function taskOf(zone: string, points: Point[], problems: Problems): ScheduleTask {
  points.sort((a, b) => a.atMin - b.atMin);
  points.forEach(({ line, atMin, percent }, i) => {
    const before = points[i - 1];
    if (before === undefined) return;
    if (before.atMin === atMin) {
      problems.add(
        `line ${line}, date`,
        `gives ${quoted(zone)} a second point at the time of line ${before.line}`,
      );
    } else if (before.percent > percent) {
      problems.add(
        `line ${line}, planned_percent`,
        `of ${quoted(zone)} falls from ${before.percent} (line ${before.line}) to ${percent}; it may only rise`,
      );
    }
  });
  const last = points.at(-1);
  return {
    code: zone,
    name: zone,
    wbs: "",
    zone_codes: [zone],
    start_min: points[0]?.atMin ?? 0,
    finish_min: last?.atMin ?? 0,
    curve: "points",
    points: points.map(({ atMin, percent }) => [atMin, percent]),
  };
}

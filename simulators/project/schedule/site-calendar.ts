import type { WorkCalendar, WorkSpan } from "../../../domain/sites/schedule.ts";
import { DAY_MIN, DAY_MS } from "../../../domain/time.ts";

/** Day of 1970-01-01 onwards of a date. */
const dayOf = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / DAY_MS;

/** Public holidays of England while a project of 52 weeks can last. */
const HOLIDAYS = [
  dayOf(2025, 5, 5),
  dayOf(2025, 5, 26),
  dayOf(2025, 8, 25),
  dayOf(2025, 12, 25),
  dayOf(2025, 12, 26),
  dayOf(2026, 1, 1),
  dayOf(2026, 4, 3),
  dayOf(2026, 4, 6),
  dayOf(2026, 5, 4),
].map((day) => ({ day, spans: [] }));
const MORNING: WorkSpan = [420, 720];

/** Earthworks: Monday to Saturday noon, holidays, and one Friday that ends at noon. */
export const EARTHWORKS_CALENDAR: WorkCalendar = {
  name: "Earthworks 6 days",
  week: [...Array.from({ length: 5 }, (): WorkSpan[] => [MORNING, [780, 1_020]]), [MORNING], []],
  exceptions: [...HOLIDAYS, { day: dayOf(2025, 6, 20), spans: [MORNING] }].sort(
    (a, b) => a.day - b.day,
  ),
};

/** Everything else: Monday to Friday, 8 h, and holidays. */
export const STRUCTURES_CALENDAR: WorkCalendar = {
  name: "Structures 5 days",
  week: [
    ...Array.from({ length: 5 }, (): WorkSpan[] => [
      [480, 720],
      [780, 1_020],
    ]),
    [],
    [],
  ],
  exceptions: HOLIDAYS,
};

/** Working spans of a day (from 1970-01-01, local). */
function spansOf(calendar: WorkCalendar, day: number): readonly WorkSpan[] {
  const exception = calendar.exceptions.find((other) => other.day === day);
  // 1970-01-01 was a Thursday; calendars begin on Monday.
  return exception?.spans ?? calendar.week[(day + 3) % 7] ?? [];
}

/** Working minutes in `[fromMin, toMin)`, wall clock, minutes since 1970. Day by day: plain, for the truth. */
export function workedMin(calendar: WorkCalendar, fromMin: number, toMin: number): number {
  let worked = 0;
  const lastDay = Math.floor(toMin / DAY_MIN);
  for (let day = Math.floor(fromMin / DAY_MIN); day <= lastDay; day += 1) {
    for (const [start, end] of spansOf(calendar, day)) {
      const from = Math.max(fromMin, day * DAY_MIN + start);
      const to = Math.min(toMin, day * DAY_MIN + end);
      worked += Math.max(0, to - from);
    }
  }
  return worked;
}

/** The start of the first working day not before a day; the end of the last one not after it. */
export function firstWork(calendar: WorkCalendar, day: number): number {
  for (let d = day; ; d += 1) {
    const [first] = spansOf(calendar, d);
    if (first !== undefined) return d * DAY_MIN + first[0];
  }
}
export function lastWork(calendar: WorkCalendar, day: number): number {
  for (let d = day; ; d -= 1) {
    const last = spansOf(calendar, d).at(-1);
    if (last !== undefined) return d * DAY_MIN + last[1];
  }
}

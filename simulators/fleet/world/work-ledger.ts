import type { Tick } from "../machines/machine.ts";
import { type Calendar, overlapMs } from "../site/calendar.ts";

/** The truth of one machine on one local day, seconds. */
interface DayWork {
  /** YYYY-MM-DD in the project's time zone. */
  readonly day: string;
  /** Working inside the shift. */
  readonly workingS: number;
  /** Working outside the shift. */
  readonly overtimeS: number;
  readonly engineOnS: number;
}

/** Adds up what a machine truly did, exactly, activity by activity. */
export interface WorkLedger {
  add(tick: Tick): void;
  days(): readonly DayWork[];
}

interface DayMs {
  working: number;
  overtime: number;
  engineOn: number;
}

/** Opens an empty ledger in the local days and shifts of `calendar`. */
export function createWorkLedger(calendar: Calendar): WorkLedger {
  const byDay = new Map<string, DayMs>();

  function add(fromMs: number, toMs: number, working: boolean): void {
    let atMs = fromMs;
    while (atMs < toMs) {
      const day = calendar.dayAt(atMs);
      const endMs = Math.min(toMs, day.toMs);
      const sums = byDay.get(day.day) ?? { working: 0, overtime: 0, engineOn: 0 };
      byDay.set(day.day, sums);
      sums.engineOn += endMs - atMs;
      if (working) {
        let inShiftMs = 0;
        for (const part of day.shift) inShiftMs += overlapMs(part, atMs, endMs);
        sums.working += inShiftMs;
        sums.overtime += endMs - atMs - inShiftMs;
      }
      atMs = endMs;
    }
  }

  return {
    add(tick) {
      for (const activity of tick.activities) {
        if (!activity.engineOn) continue;
        const fromMs = Math.max(tick.fromMs, activity.startMs);
        const toMs = Math.min(tick.toMs, activity.endMs);
        add(fromMs, toMs, activity.working);
      }
    },
    days: () =>
      [...byDay].map(([day, sums]) => ({
        day,
        workingS: sums.working / 1_000,
        overtimeS: sums.overtime / 1_000,
        engineOnS: sums.engineOn / 1_000,
      })),
  };
}

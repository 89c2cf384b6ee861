import { MINUTE_MS } from "../../../domain/time.ts";
import type { Random } from "../../randomness/random.ts";
import type { Calendar } from "../site/calendar.ts";

/** When a machine's crew is at work. */
export interface Duty {
  isOn(timeMs: number): boolean;
}

/** A break comes every 4 h (the usual half of a working day). */
const BREAK_EVERY_S = 4 * 3_600;

/**
 * The crew follows the shift with habits of its own. It starts up to 12 min early, goes on up to
 * 45 min late (overtime), and takes a break of 20 to 35 min every 4 h, each crew at another time so
 * that a site never stops as a whole.
 */
export function createDuty(random: Random, calendar: Calendar): Duty {
  const earlyMs = random.uniform(0, 12 * MINUTE_MS);
  const lateMs = random.uniform(0, 45 * MINUTE_MS);
  const breakS = random.uniform(20, 35) * 60;
  const breakOffsetS = random.uniform(0, BREAK_EVERY_S);
  return {
    isOn(timeMs) {
      const inBreak = (calendar.secondOfDay(timeMs) + breakOffsetS) % BREAK_EVERY_S < breakS;
      if (inBreak) return false;
      return (
        calendar.isInShift(timeMs) ||
        calendar.isInShift(timeMs + earlyMs) ||
        calendar.isInShift(timeMs - lateMs)
      );
    },
  };
}

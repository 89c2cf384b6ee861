import type { DocumentNode } from "./document.ts";
import { numberOf } from "./quantities.ts";

const LEVELS = ["fuelremaining", "defremaining"];
/**
 * No ratio is above, even of a tank that is filled to the brim. Larger takes a
 * percentage for a ratio; smaller takes an overfull tank for a percentage.
 */
const LARGEST_RATIO = 2;

/** How the levels of a page are to be read. */
interface LevelReading {
  /** Percent of a section; `undefined`: it has no level, or one that may be either. */
  readonly percent: (section: DocumentNode) => number | undefined;
  /** Whether the page has a level that can be nothing but percent. */
  readonly reportsPercent: boolean;
}

/**
 * How to read the levels of a server. Some send 0.61 for what others send as 61, under the same name. A
 * server does one or the other. When no level of the page is above 1 and one lies between 0 and 1, they
 * are ratios. The exception is a server known for percent (`isPercent`): its last page may be one machine
 * with 0.8 % left. A page that has only 0 and 1 does not decide it: then 1 is left out, whether empty or
 * full.
 */
export function readLevels(machines: readonly DocumentNode[], isPercent: boolean): LevelReading {
  const levels = machines
    .flatMap((machine) => LEVELS.flatMap((name) => machine.list(name)))
    .map((section) => numberOf(section, "percent"))
    .filter((level) => level !== undefined);
  const areLow = !isPercent && levels.every((level) => level <= 1);
  const isRatio = areLow && levels.some((level) => level % 1 !== 0);
  const isUnknown = areLow && !isRatio;
  return {
    reportsPercent: levels.some((level) => level > LARGEST_RATIO),
    percent(section) {
      const named = numberOf(section, "ratio", "fuelremainingratio", "defremainingratio");
      if (named !== undefined) return rounded(named * 100);
      const level = numberOf(section, "percent");
      if (level === undefined || (isUnknown && level === 1)) return undefined;
      return isRatio ? rounded(level * 100) : level;
    },
  };
}

/** 0.57 x 100 is 56.99999999999999 otherwise. */
const rounded = (percent: number): number => Number(percent.toPrecision(12));

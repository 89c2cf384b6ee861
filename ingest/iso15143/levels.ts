import type { DocumentNode } from "./document.ts";
import { numberOf } from "./quantities.ts";

const LEVELS = ["fuelremaining", "defremaining"];

/**
 * How to read the levels of a server. Some send 0.61 for what others send as 61, under the same name. A
 * server does the one or the other: when no level of the page is above 1 and one lies between 0 and 1,
 * they are ratios. A page that has only 0 and 1 does not tell: then 1 is left out, whether empty or full.
 */
export function levelReader(
  machines: readonly DocumentNode[],
): (section: DocumentNode) => number | undefined {
  const levels = machines
    .flatMap((machine) => LEVELS.flatMap((name) => machine.list(name)))
    .map((section) => numberOf(section, "percent"))
    .filter((level) => level !== undefined);
  const isRatio = levels.every((level) => level <= 1) && levels.some((level) => level % 1 !== 0);
  const isUnknown = !isRatio && levels.every((level) => level <= 1);
  return (section) => {
    const named = numberOf(section, "ratio", "fuelremainingratio", "defremainingratio");
    if (named !== undefined) return rounded(named * 100);
    const level = numberOf(section, "percent");
    if (level === undefined || (isUnknown && level === 1)) return undefined;
    return isRatio ? rounded(level * 100) : level;
  };
}

/** 0.57 x 100 is 56.99999999999999 otherwise. */
const rounded = (percent: number): number => Number(percent.toPrecision(12));

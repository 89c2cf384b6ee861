import { median } from "../figures/median.ts";

/** Microseconds of processor time of each unit, of both checkouts one after the other. */
export interface Pair {
  readonly now: Readonly<Record<string, number>>;
  readonly before: Readonly<Record<string, number>>;
}

export interface Verdict {
  readonly unit: string;
  /** Medians, microseconds. */
  readonly nowUs: number;
  readonly beforeUs: number;
  /** Of the pairs: now / before. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  readonly hasRisen: boolean;
}

/** Share of the pairs that may be below the limit while a unit counts as risen. */
const DISSENT = 0.2;

/**
 * What a unit costs now beside before. It has risen when the median ratio is above `most` and so are four fifths of
 * the pairs: what else a machine does raises one of a pair now and then, and both as often.
 * A unit counts in the pairs whose checkouts both measured it, and is left out where there are none.
 */
export function judge(pairs: readonly Pair[], most: number): readonly Verdict[] {
  const isIn =
    (unit: string) =>
    ({ now, before }: Pair) =>
      unit in now && unit in before;
  const units = Object.keys(pairs[0]?.now ?? {}).filter((unit) => pairs.some(isIn(unit)));
  return units.map((unit) => {
    const both = pairs.filter(isIn(unit));
    const nowUs = both.map(({ now }) => now[unit] ?? Number.NaN);
    const beforeUs = both.map(({ before }) => before[unit] ?? Number.NaN);
    const ratios = nowUs.map((us, i) => us / (beforeUs[i] ?? Number.NaN));
    const above = ratios.filter((ratio) => ratio > most).length;
    const ratio = median(ratios);
    return {
      unit,
      nowUs: median(nowUs),
      beforeUs: median(beforeUs),
      ratio,
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
      // Not a number: nothing was measured, which is a failure as well.
      hasRisen: !(ratio <= most) && above >= Math.ceil(ratios.length * (1 - DISSENT)),
    };
  });
}

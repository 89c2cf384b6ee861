import type { components } from "../../../client/index.ts";

type FleetFigure = components["schemas"]["FleetFigure"];
type Parts = FleetFigure["parts"];
type Source = keyof Parts;

/** What a figure rests on: the source of most of it, and how much comes from where, seconds or metres. */
export type SourceMix = Pick<FleetFigure, "basis" | "parts">;

/** The surest first. */
const SOURCES = ["observed", "meter", "bridged"] as const satisfies readonly Source[];

export const noParts = (): Parts => ({ observed: 0, meter: 0, bridged: 0 });

/** Of a figure of the API; its observed part is a rest, which rounding can leave below 0. */
export const mixOf = ({ basis, parts }: SourceMix): SourceMix => ({
  basis,
  parts: { ...parts, observed: Math.max(0, parts.observed) },
});

/** Of several figures together. Where all parts are 0, it is the basis that is least sure. */
export function sumOfMixes(mixes: readonly SourceMix[]): SourceMix {
  const total = (source: Source) => mixes.reduce((sum, { parts }) => sum + parts[source], 0);
  const parts = { observed: total("observed"), meter: total("meter"), bridged: total("bridged") };
  const most = Math.max(...SOURCES.map((source) => parts[source]));
  const basis =
    most > 0
      ? SOURCES.find((source) => parts[source] === most)
      : SOURCES.findLast((source) => mixes.some((mix) => mix.basis === source));
  return { basis: basis ?? "none", parts };
}

/** A source and its share of a figure, percent; `undefined`: all of it. */
interface Share {
  readonly source: SourceMix["basis"];
  readonly percent: number | undefined;
}

/**
 * What is said of a figure: its only source, or the shares that were not observed. A share is never rounded to
 * nothing, nor to all.
 */
export function saidShares({ basis, parts }: SourceMix): readonly Share[] {
  const all = SOURCES.reduce((sum, source) => sum + parts[source], 0);
  const some = SOURCES.filter((source) => parts[source] > 0);
  const [only = basis] = some;
  if (some.length < 2) return [{ source: only, percent: undefined }];
  return some
    .filter((source) => source !== "observed")
    .map((source) => {
      const percent = Math.round((100 * parts[source]) / all);
      return { source, percent: Math.min(99, Math.max(1, percent)) };
    });
}

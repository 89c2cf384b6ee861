import type { FaultCode } from "../../domain/reading.ts";

/** Most fault codes of one reading; a DM1 of a whole machine has fewer. Chosen. */
export const MAX_FAULTS = 100;
/** SAE J1939-73: 19-bit SPN, 5-bit FMI, 7-bit count of which 127 means "not available"; addresses by J1939-81. */
const MAX = { spn: 524_287, fmi: 31, occurrence_count: 126, source: 253 } as const;

const isWhole = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;

/** Count that SAE J1939-73 defines as "not available". */
const NO_COUNT = 127;

/**
 * Checks a list of `{ spn, fmi, occurrence_count?, source? }`. `undefined` in, `undefined` out; and so for a
 * list with a flaw, which is given to `note`: half a list would end the faults of the other half. A count
 * that is not known is left out.
 */
export function readFaultCodes(
  value: unknown,
  note: (problem: string) => void,
): readonly FaultCode[] | undefined {
  if (value === undefined) return undefined;
  const problem = flawOf(value);
  if (problem !== undefined) {
    note(problem);
    return undefined;
  }
  return (value as readonly Readonly<Record<string, number | null | undefined>>[]).map(
    ({ spn = 0, fmi = 0, occurrence_count: count, source }) => ({
      spn: spn ?? 0,
      fmi: fmi ?? 0,
      ...(isWhole(count, MAX.occurrence_count) ? { occurrence_count: count } : {}),
      ...(isWhole(source, MAX.source) ? { source } : {}),
    }),
  );
}

function flawOf(list: unknown): string | undefined {
  if (!Array.isArray(list)) return "not an array";
  if (list.length > MAX_FAULTS) {
    return `${list.length} entries; ${MAX_FAULTS} are allowed`;
  }
  for (const [i, entry] of list.entries()) {
    const given = (entry ?? {}) as Partial<Record<string, unknown>>;
    for (const name of ["spn", "fmi", "occurrence_count", "source"] as const) {
      const of = given[name];
      // null is the same as absent, as it is for every field of a reading.
      const isAbsent = (of ?? undefined) === undefined && name !== "spn" && name !== "fmi";
      const isUnknown = name === "occurrence_count" && of === NO_COUNT;
      if (isAbsent || isUnknown || isWhole(of, MAX[name])) continue;
      return `entry ${i}: ${name} is not in 0 to ${MAX[name]}`;
    }
  }
  return undefined;
}

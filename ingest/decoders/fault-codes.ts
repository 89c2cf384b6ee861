import type { DomainError } from "../../domain/errors.ts";
import type { FaultCode } from "../../domain/reading.ts";

/** Most fault codes of one reading; a DM1 of a whole machine has fewer. Chosen. */
export const MAX_FAULTS = 100;
/** SAE J1939-73: 19-bit SPN, 5-bit FMI, 7-bit count of which 127 means "not available"; addresses by J1939-81. */
const MAX = { spn: 524_287, fmi: 31, occurrence_count: 126, source: 253 } as const;

const isWhole = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;

/**
 * Checks a list of `{ spn, fmi, occurrence_count?, source? }`; `undefined` in, `undefined` out.
 * @throws what `fail` makes of the problem.
 */
export function readFaultCodes(
  value: unknown,
  fail: (problem: string) => DomainError,
): readonly FaultCode[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw fail("fault_codes is not an array");
  if (value.length > MAX_FAULTS) {
    throw fail(`fault_codes has ${value.length} entries; ${MAX_FAULTS} are allowed`);
  }
  return value.map((entry: unknown, i) => {
    const given = (entry ?? {}) as Partial<Record<string, unknown>>;
    const number = (name: keyof typeof MAX): number => {
      const of = given[name];
      if (isWhole(of, MAX[name])) return of;
      throw fail(`fault_codes[${i}].${name} is not in 0 to ${MAX[name]}`);
    };
    // null is the same as absent, as it is for every field of a reading.
    const isGiven = (name: keyof typeof MAX) => (given[name] ?? undefined) !== undefined;
    return {
      spn: number("spn"),
      fmi: number("fmi"),
      ...(isGiven("occurrence_count") ? { occurrence_count: number("occurrence_count") } : {}),
      ...(isGiven("source") ? { source: number("source") } : {}),
    };
  });
}

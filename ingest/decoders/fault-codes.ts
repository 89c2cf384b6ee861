import type { DomainError } from "../../domain/errors.ts";
import type { FaultCode } from "../../domain/reading.ts";

/** Most fault codes of one reading; a DM1 of a whole machine has fewer. Chosen. */
const MAX_FAULTS = 100;
/** SAE J1939-73: 19-bit SPN, 5-bit FMI, 7-bit count of which 127 means "not available". */
const MAX = { spn: 524_287, fmi: 31, occurrence_count: 126 } as const;

const isWhole = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;

/**
 * Checks a list of `{ spn, fmi, occurrence_count? }`; `undefined` in, `undefined` out.
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
    const { spn, fmi, occurrence_count } = (entry ?? {}) as Partial<Record<string, unknown>>;
    if (!isWhole(spn, MAX.spn)) throw fail(`fault_codes[${i}].spn is not in 0 to ${MAX.spn}`);
    if (!isWhole(fmi, MAX.fmi)) throw fail(`fault_codes[${i}].fmi is not in 0 to ${MAX.fmi}`);
    if (occurrence_count === undefined || occurrence_count === null) return { spn, fmi };
    if (isWhole(occurrence_count, MAX.occurrence_count)) return { spn, fmi, occurrence_count };
    throw fail(`fault_codes[${i}].occurrence_count is not in 0 to ${MAX.occurrence_count}`);
  });
}

import {
  type FaultCode,
  MAX_FAULT_CODE_LENGTH,
  MAX_FAULT_TEXT_LENGTH,
} from "../../../domain/equipment/reading.ts";

/**
 * Most fault codes of one reading; a DM1 of a whole machine has fewer. More let one device fill the fault list;
 * fewer could hide faults.
 */
export const MAX_FAULTS = 100;
/** SAE J1939-73: 19-bit SPN, 5-bit FMI, 7-bit count of which 127 means "not available"; addresses by J1939-81. */
const MAX = { spn: 524_287, fmi: 31, occurrence_count: 126, source: 253 } as const;

const isWhole = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;

/** Count that SAE J1939-73 defines as "not available". */
const NO_COUNT = 127;

/** A trouble code of any maker: printable ASCII, no blank at its ends. */
const CODE = /^[!-~](?:[ -~]{0,38}[!-~])?$/;

type Given = Readonly<Partial<Record<string, unknown>>>;

/** null is the same as absent, as it is for every field of a reading. */
const isGiven = (given: Given, name: string): boolean => (given[name] ?? undefined) !== undefined;

/**
 * Checks a list of `{ spn, fmi, occurrence_count?, source? }` and `{ code, ... }`, which may have `description`
 * and `reported_severity` as well. `undefined` in, `undefined` out; and so for a list with a flaw, which is
 * given to `note`: half a list would end the faults of the other half. A count that is not known is left out.
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
  return (value as readonly Given[]).map((given) => {
    const { spn, fmi, code, occurrence_count: count, source } = given;
    const common = {
      ...(isWhole(count, MAX.occurrence_count) ? { occurrence_count: count } : {}),
      ...(isWhole(source, MAX.source) ? { source } : {}),
    };
    if (typeof code !== "string") {
      return {
        spn: isWhole(spn, MAX.spn) ? spn : 0,
        fmi: isWhole(fmi, MAX.fmi) ? fmi : 0,
        ...common,
      };
    }
    return {
      code,
      ...common,
      ...words(given, "description", MAX_FAULT_TEXT_LENGTH),
      ...words(given, "reported_severity", MAX_FAULT_CODE_LENGTH),
    };
  });
}

function flawOf(list: unknown): string | undefined {
  if (!Array.isArray(list)) return "not an array";
  if (list.length > MAX_FAULTS) {
    return `${list.length} entries; ${MAX_FAULTS} are allowed`;
  }
  for (const [i, entry] of list.entries()) {
    const flaw = flawOfOne((entry ?? {}) as Given);
    if (flaw !== undefined) return `entry ${i}: ${flaw}`;
  }
  return undefined;
}

function flawOfOne(given: Given): string | undefined {
  const hasCode = isGiven(given, "code");
  if (hasCode && (isGiven(given, "spn") || isGiven(given, "fmi"))) {
    return "a code beside spn or fmi; one of both is allowed";
  }
  if (hasCode && !(typeof given["code"] === "string" && CODE.test(given["code"]))) {
    return `code is not text of 1 to ${MAX_FAULT_CODE_LENGTH} characters`;
  }
  for (const name of ["spn", "fmi", "occurrence_count", "source"] as const) {
    const of = given[name];
    const isNeeded = !hasCode && (name === "spn" || name === "fmi");
    const isAbsent = !isNeeded && !isGiven(given, name);
    const isUnknown = name === "occurrence_count" && of === NO_COUNT;
    if (isAbsent || isUnknown || isWhole(of, MAX[name])) continue;
    return `${name} is not in 0 to ${MAX[name]}`;
  }
  return undefined;
}

/** Controls and halves of surrogate pairs, which JSON can write and some stores cannot keep. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/gu;

function words<Name extends "description" | "reported_severity">(
  given: Given,
  name: Name,
  longest: number,
): Partial<Record<Name, string>> {
  const text = given[name];
  if (typeof text !== "string" || text === "") return {};
  return { [name]: text.slice(0, longest).replace(UNSTORABLE, "\uFFFD") } as Record<Name, string>;
}

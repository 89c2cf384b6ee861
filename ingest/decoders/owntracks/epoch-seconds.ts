import type { FieldSet } from "../fields/field-set.ts";
import { looseNumber } from "../payload/loose-number.ts";

/** What a Date can hold, s to either side of 1970 (ECMA-262, Time Values). */
const MAX_SECONDS = 8.64e12;

/**
 * Reads `tst`, epoch seconds as number or text, as ms; `undefined` when it is not there. Whether the
 * time is possible is not checked here.
 * @throws DomainError `DECODE_FAILED` for anything but a number of seconds.
 */
export function readTst(value: unknown, fields: FieldSet): number | undefined {
  if (value === undefined || value === null) return undefined;
  const seconds = looseNumber(value);
  if (seconds !== undefined && Math.abs(seconds) <= MAX_SECONDS) return Math.round(seconds * 1_000);
  throw fields.failure(`tst is not a number of epoch seconds up to ${MAX_SECONDS}`);
}

import { FIELD_NAME } from "../../../domain/equipment/reading.ts";

/** Longest name that is worth repairing; longer ones are not field names in any case. */
const MAX_LENGTH = 64;

/** A device's own name with `_` for what a field name may not contain, such as `temp_c-01`. */
export function safeFieldName(name: string): string {
  if (FIELD_NAME.test(name) || name.length > MAX_LENGTH) return name;
  return name.replace(/[^A-Za-z0-9_]+/g, "_");
}

import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";

/** A set, because Object.hasOwn takes far longer for names that were never seen before. */
const meantFields = new Set(Object.keys(FIELD_RANGES));
/** Longest field name (domain/equipment/reading.ts). */
export const MAX_NAME_LENGTH = 64;

/** The parts of a name in snake case: `engine/coolantTemp` and `engine:coolant-temp` are alike. */
export function snakeParts(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[-.]/g, "_")
    .toLowerCase()
    .split(/[/:]/)
    .filter((part) => part !== "");
}

/**
 * A name in snake case as one of the device's own. It gets `prefix` where it would start with a digit or
 * pass for a field with a meaning. It is cut to the longest name at the front: its end says more than its
 * beginning.
 */
export function ownFieldName(name: string, prefix: string): string {
  const isOwn = /^[a-z]/.test(name) && !meantFields.has(name);
  if (isOwn && name.length <= MAX_NAME_LENGTH) return name;
  return prefix + name.slice(-(MAX_NAME_LENGTH - prefix.length));
}

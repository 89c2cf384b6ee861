import { EVENT_TYPES } from "./events.ts";

/** The suffix of a type that revises or withdraws an earlier event. */
const AMENDMENTS = [".revised", ".withdrawn"] as const;

/** Every type that can be on the wire. */
const WIRE_TYPES = EVENT_TYPES.flatMap((type) => [
  type,
  ...AMENDMENTS.map((amendment) => `${type}${amendment}`),
]);

/** Whether a filter names any type there is: one of them, or the beginning of some with `*` behind it. */
export function isTypeFilter(filter: string): boolean {
  return WIRE_TYPES.some((type) => matches(filter, type));
}

/**
 * The filters with the amendments that belong to them: a filter on a type also passes that one of its
 * events was changed or withdrawn.
 */
export function withAmendments(filters: readonly string[]): readonly string[] {
  return filters.flatMap((filter) => {
    const isComplete = filter.endsWith("*") || AMENDMENTS.some((text) => filter.endsWith(text));
    return isComplete ? [filter] : [filter, ...AMENDMENTS.map((text) => `${filter}${text}`)];
  });
}

/** Whether one of the filters, completed by `withAmendments`, wants events of that type. */
export function wantsType(filters: readonly string[], type: string): boolean {
  return filters.some((filter) => matches(filter, type));
}

/** A filter matches itself and, with `*` at its end, everything it is the beginning of. */
function matches(filter: string, type: string): boolean {
  return filter.endsWith("*") ? type.startsWith(filter.slice(0, -1)) : filter === type;
}

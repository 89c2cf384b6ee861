import type { AlertTrigger, CrossingRules } from "../../../domain/geometry/geofence.ts";

/** The triggers of a fence: one is an array of one, and repeats are left out. */
export function triggersOf(given: AlertTrigger | readonly AlertTrigger[]): readonly AlertTrigger[] {
  return [...new Set(typeof given === "string" ? [given] : given)];
}

/** The rules that are given, and of the others those from before. */
export function rulesOf(
  body: { readonly [Rule in keyof CrossingRules]?: CrossingRules[Rule] | undefined },
  before: CrossingRules,
): CrossingRules {
  return {
    exit_buffer_m: body.exit_buffer_m ?? before.exit_buffer_m,
    confirm_fixes: body.confirm_fixes ?? before.confirm_fixes,
    min_dwell_s: body.min_dwell_s ?? before.min_dwell_s,
  };
}

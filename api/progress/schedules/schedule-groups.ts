import type { WorkZoneId } from "../../../domain/ids.ts";
import type { Schedule } from "../../../domain/sites/schedule.ts";
import type { ZoneMatches } from "../../../processing/progress/schedule/match-zones.ts";
import type { ScheduleDryRun } from "./schedule-schemas.ts";

type Group = ScheduleDryRun["groups"][number];

/**
 * Groups of each kind that an answer lists, those with activities of no zone first: a plan of 50,000 activities may
 * have thousands, and nobody matches those one by one.
 */
const MOST_GROUPS = 500;

/** Activities by what zones match them by: paths of the work breakdown structure, and values of activity codes. */
export function scheduleGroups(
  { tasks }: Pick<Schedule, "tasks">,
  { tasksByZone }: ZoneMatches,
): Pick<ScheduleDryRun, "groups" | "groups_total"> {
  const zonesOf: WorkZoneId[][] = tasks.map(() => []);
  for (const [zone, indices] of tasksByZone) for (const i of indices) zonesOf[i]?.push(zone);
  const kinds = { wbs: new Map<string, Group>(), code: new Map<string, Group>() };
  for (const [i, { name, wbs, zone_codes }] of tasks.entries()) {
    const zones = zonesOf[i] ?? [];
    const count = (by: Group["by"], value: string) => {
      if (value === "") return;
      const group = kinds[by].get(value) ?? newGroup(by, value, name);
      kinds[by].set(value, group);
      group.activities += 1;
      if (zones.length === 0) group.unmatched += 1;
      for (const zone of zones) if (!group.zone_ids.includes(zone)) group.zone_ids.push(zone);
    };
    count("wbs", wbs);
    for (const code of new Set(zone_codes)) count("code", code);
  }
  const all = [kinds.wbs, kinds.code].map((groups) =>
    [...groups.values()].toSorted(unmatchedFirst),
  );
  return {
    groups: all.flatMap((groups) => groups.slice(0, MOST_GROUPS)),
    groups_total: all.reduce((sum, groups) => sum + groups.length, 0),
  };
}

const newGroup = (by: Group["by"], value: string, example: string): Group => ({
  by,
  value,
  activities: 0,
  unmatched: 0,
  zone_ids: [],
  example,
});

const unmatchedFirst = (a: Group, b: Group): number =>
  Number(b.unmatched > 0) - Number(a.unmatched > 0) ||
  (a.value < b.value ? -1 : a.value > b.value ? 1 : 0);

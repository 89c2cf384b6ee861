import type { Outcome } from "../../api/outcome.ts";
import { type Assignments, type Match, withMatches } from "./matching.ts";
import { changeZone, importSchedule, readZone, type Schedule } from "./requests.ts";

/**
 * Gives zones their matches, then imports the file: a report that is made between the two still has its own plan.
 * What was given before a failure stays, and is not given twice.
 */
export async function storeMatchesAndImport(
  project: string,
  file: File,
  assignments: Assignments,
): Promise<Outcome<Schedule>> {
  const byZone = new Map<string, Match[]>();
  for (const { match, zoneId } of assignments.values()) {
    byZone.set(zoneId, [...(byZone.get(zoneId) ?? []), match]);
  }
  for (const [zoneId, matches] of byZone) {
    const read = await readZone(zoneId);
    if ("failure" in read) return read;
    const activities = withMatches(read.value.value.activities, matches);
    if (activities === undefined) continue;
    const changed = await changeZone(read.value, { activities });
    if ("failure" in changed) return changed;
  }
  return await importSchedule(project, file);
}

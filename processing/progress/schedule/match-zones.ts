import type { WorkZoneId } from "../../../domain/ids.ts";
import type { ScheduleFormat, ScheduleTask } from "../../../domain/sites/schedule.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";

/** What a zone is matched to activities by. */
export type MatchedZone = Pick<WorkZone, "id" | "name" | "activities">;

/** Which activities of a schedule belong to which zone, as indices of `tasks`, ascending. */
export interface ZoneMatches {
  readonly tasksByZone: ReadonlyMap<WorkZoneId, readonly number[]>;
  /** Activities of no zone. */
  readonly unmatched: readonly number[];
  /** How many activities are of more than one zone. */
  readonly shared: number;
}

/**
 * Matches activities to zones without regard to case: by a value of an activity code, by a path of the work
 * breakdown structure (all below belongs to it), by name or code with `*` for any text. The zone column of
 * a CSV also matches the id or the name of a zone.
 */
export function matchZones(
  schedule: { readonly format: ScheduleFormat; readonly tasks: readonly ScheduleTask[] },
  zones: readonly MatchedZone[],
): ZoneMatches {
  const byCode = createIndex();
  const byPath = createIndex();
  const byName = createIndex();
  const patterns: { readonly text: string; readonly zone: number }[] = [];
  zones.forEach(({ id, name, activities }, zone) => {
    const columns = schedule.format === "csv" ? [id, name] : [];
    for (const code of [...activities.codes, ...columns]) byCode.add(code, zone);
    for (const path of activities.wbs) byPath.add(path, zone);
    for (const text of activities.names) {
      if (text.includes("*")) patterns.push({ text: text.toLowerCase(), zone });
      else byName.add(text, zone);
    }
  });

  const lists = zones.map((): number[] => []);
  const unmatched: number[] = [];
  let shared = 0;
  const zonesByPath = new Map<string, readonly number[]>();
  schedule.tasks.forEach((task, i) => {
    const found = new Set<number>();
    for (const code of task.zone_codes) byCode.find(code, found);
    if (!zonesByPath.has(task.wbs)) zonesByPath.set(task.wbs, zonesAbove(task.wbs, byPath));
    for (const zone of zonesByPath.get(task.wbs) ?? []) found.add(zone);
    byName.find(task.name, found);
    byName.find(task.code, found);
    if (patterns.length > 0) {
      const [name, code] = [task.name.toLowerCase(), task.code.toLowerCase()];
      for (const { text, zone } of patterns) {
        if (!found.has(zone) && (fits(text, name) || fits(text, code))) found.add(zone);
      }
    }
    for (const zone of found) lists[zone]?.push(i);
    if (found.size === 0) unmatched.push(i);
    if (found.size > 1) shared += 1;
  });
  return {
    tasksByZone: new Map(zones.map(({ id }, zone) => [id, lists[zone] ?? []])),
    unmatched,
    shared,
  };
}

/** Zones by a text, without regard to case and to blanks around it. */
function createIndex() {
  const zonesByText = new Map<string, number[]>();
  const keyOf = (text: string) => text.trim().toLowerCase();
  return {
    add(text: string, zone: number): void {
      const key = keyOf(text);
      // A zone without a text, and a task without a name, match nothing.
      if (key === "") return;
      const zones = zonesByText.get(key);
      if (zones === undefined) zonesByText.set(key, [zone]);
      else zones.push(zone);
    },
    find(text: string, found: Set<number>): void {
      if (zonesByText.size === 0) return;
      for (const zone of zonesByText.get(keyOf(text)) ?? []) found.add(zone);
    },
  };
}

/** Zones of a path and of all that it lies below: "A.B.C" is below "A.B" and "A". */
function zonesAbove(path: string, byPath: ReturnType<typeof createIndex>): readonly number[] {
  const found = new Set<number>();
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    byPath.find(path.slice(0, end), found);
  }
  return [...found];
}

/**
 * Whether a text fits a pattern whose `*` match any text. Greedy with one backtracking point, so that no
 * pattern takes longer than the product of the lengths.
 */
function fits(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (pattern[p] === text[t]) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}

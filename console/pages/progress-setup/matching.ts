import type { DryRun, ScheduleGroup } from "./requests.ts";

/** Lists of a zone's activities, by what the service matches them with. */
export type MatchBy = "wbs" | "code" | "name";

/** What a person gives to a zone: a path and all below it, a code, or an activity by its id. */
export interface Match {
  readonly by: MatchBy;
  readonly value: string;
}

/** Zone by what was given to it. */
export type Assignments = ReadonlyMap<string, { readonly match: Match; readonly zoneId: string }>;

export const NO_ASSIGNMENTS: Assignments = new Map();

export const matchKey = ({ by, value }: Match): string => `${by} ${value}`;

/** With a match given to a zone; "" takes it back. */
export function assigned(before: Assignments, match: Match, zoneId: string): Assignments {
  const after = new Map(before);
  if (zoneId === "") after.delete(matchKey(match));
  else after.set(matchKey(match), { match, zoneId });
  return after;
}

/** A path of the work breakdown structure with all below it. */
export interface WbsNode {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly depth: number;
  /** Of the path and all below. */
  activities: number;
  unmatched: number;
  readonly zoneIds: Set<string>;
  /** Name of an activity; empty: the path itself has none. */
  example: string;
}

/** Paths as a tree, each after the one that it lies below, with those between that have no activity of their own. */
export function wbsTree(groups: readonly ScheduleGroup[]): readonly WbsNode[] {
  const nodes = new Map<string, WbsNode>();
  for (const { by, value, activities, unmatched, zone_ids, example } of groups) {
    if (by !== "wbs") continue;
    const parts = value.split(".");
    for (let depth = 0; depth < parts.length; depth += 1) {
      const path = parts.slice(0, depth + 1).join(".");
      const node = nodes.get(path) ?? newNode(path, parts[depth] ?? "", depth);
      nodes.set(path, node);
      node.activities += activities;
      node.unmatched += unmatched;
      for (const id of zone_ids) node.zoneIds.add(id);
      if (depth === parts.length - 1) node.example = example;
    }
  }
  // A path before what lies below it, and before its neighbours: dots sort before every other sign.
  const sortKey = ({ path }: WbsNode) => path.replaceAll(".", "\u0000");
  return [...nodes.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

const newNode = (path: string, name: string, depth: number): WbsNode => ({
  path,
  name,
  depth,
  activities: 0,
  unmatched: 0,
  zoneIds: new Set(),
  example: "",
});

const isBelow = (path: string, above: string): boolean => {
  const [low, high] = [path.toLowerCase(), above.toLowerCase()];
  return low === high || low.startsWith(`${high}.`);
};

/** The zone that a path was given to, by itself or by one above it; `undefined`: none. */
export function zoneOfPath(assignments: Assignments, path: string): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const found = assignments.get(matchKey({ by: "wbs", value: path.slice(0, end) }));
    if (found !== undefined) return found.zoneId;
  }
  return undefined;
}

/**
 * How many activities would still be of no zone, at least and at most. An activity has one path, so paths are counted
 * exactly; codes and single activities may be among them or not.
 */
export function stillUnmatched(
  { groups, unmatched_activities: all }: Pick<DryRun, "groups" | "unmatched_activities">,
  assignments: Assignments,
): readonly [least: number, most: number] {
  const given = [...assignments.values()].map(({ match }) => match);
  const paths = given.filter(({ by }) => by === "wbs").map(({ value }) => value);
  const byPath = groups
    .filter(({ by, value }) => by === "wbs" && paths.some((path) => isBelow(value, path)))
    .reduce((sum, { unmatched }) => sum + unmatched, 0);
  const others = given
    .filter(({ by }) => by !== "wbs")
    .map(({ by, value }) =>
      by === "name"
        ? 1
        : (groups.find((group) => group.by === by && group.value === value)?.unmatched ?? 0),
    );
  const most = all - Math.max(byPath, ...others, 0);
  return [Math.max(0, all - byPath - others.reduce((sum, n) => sum + n, 0)), most];
}

interface ZoneActivities {
  readonly codes: readonly string[];
  readonly wbs: readonly string[];
  readonly names: readonly string[];
}

/** The lists of a zone with what was given to it; `undefined`: nothing is new. */
export function withMatches(
  before: ZoneActivities,
  matches: readonly Match[],
): { codes: string[]; wbs: string[]; names: string[] } | undefined {
  const lists = { codes: [...before.codes], wbs: [...before.wbs], names: [...before.names] };
  const listOf = { wbs: lists.wbs, code: lists.codes, name: lists.names };
  let isChanged = false;
  for (const { by, value } of matches) {
    if (listOf[by].includes(value)) continue;
    listOf[by].push(value);
    isChanged = true;
  }
  return isChanged ? lists : undefined;
}

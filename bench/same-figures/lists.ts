import { isClockEvent, withoutBatches } from "./by-nature.ts";
import type { Side } from "./side.ts";

const PAGE = 100;

/** One entry of a list of the API. */
export type Entry = Readonly<Record<string, unknown>>;

/** Everything that a list has, over all its pages. The list is the one array of the answer, whatever its name. */
export async function wholeList(side: Side, path: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const query = `limit=${PAGE}&offset=${entries.length}`;
    const page = arrayOf(await side.expect("GET", withQuery(path, query)), path);
    entries.push(...page);
    if (page.length < PAGE) return entries;
  }
}

/** The newest revision of every event that is not withdrawn, in an order that no clock decides. */
export async function publishedEvents(side: Side, project: string): Promise<readonly Entry[]> {
  const newest = new Map<unknown, Entry>();
  for (let after = 0; ; ) {
    const path = `/events?project_id=${project}&limit=1000&after=${after}`;
    const body = (await side.expect("GET", path)) as Entry;
    const page = arrayOf(body, path);
    for (const event of page) newest.set(event["id"], event);
    after = Number(body["next_after"]);
    if (page.length < 1_000) break;
  }
  const key = (event: Entry): string =>
    ["asset_id", "occurred_at", "type", "geofence_id"].map((name) => event[name]).join(" ");
  return [...newest.values()]
    .filter((event) => event["withdrawn"] !== true && !isClockEvent(event["type"]))
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(withoutBatches);
}

/** Entries by what one of their fields says. */
export function groupedBy(
  entries: readonly Entry[],
  field: string,
): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const name = String(entry[field]);
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return groups;
}

const withQuery = (path: string, query: string): string =>
  `${path}${path.includes("?") ? "&" : "?"}${query}`;

function arrayOf(body: unknown, path: string): readonly Entry[] {
  const lists = Object.values(body as Entry).filter((value) => Array.isArray(value));
  const [only] = lists;
  if (lists.length !== 1 || only === undefined) throw new Error(`${path}: not a list`);
  return only as readonly Entry[];
}

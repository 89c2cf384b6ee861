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

const SERIES_PAGE = 1_000;

/**
 * Everything that a list has which is read by cursor, from `first` on. Versions before the common envelope had none:
 * there, a list has to fit into one page.
 */
export async function wholeSeries(
  side: Side,
  path: string,
  first?: string,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let cursor = first; ; ) {
    const from = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const query = `limit=${SERIES_PAGE}${from}`;
    const body = (await side.expect("GET", withQuery(path, query))) as Entry & Partial<Page>;
    const page = arrayOf(body, path);
    entries.push(...page);
    if (body.pagination === undefined && page.length === SERIES_PAGE) {
      throw new Error(`${side.name}: ${path} has more than a page`);
    }
    if (body.pagination?.has_more !== true) return entries;
    cursor = body.pagination.next_cursor;
  }
}

interface Page {
  readonly pagination: { readonly has_more: boolean; readonly next_cursor?: string };
}

/** The newest revision of every event that is not withdrawn, in an order that no clock decides. */
export async function publishedEvents(side: Side, project: string): Promise<readonly Entry[]> {
  const newest = new Map<unknown, Entry>();
  const published = await wholeSeries(side, `/events?project_id=${project}`, "0");
  for (const event of published) newest.set(event["id"], event);
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

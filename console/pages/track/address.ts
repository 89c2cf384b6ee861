import type { Span } from "../../time/span.ts";

/** What an address of this page asks for. */
export interface TrackAddress {
  /** Machines, in the order of the address. */
  readonly ids: readonly string[];
  /** Absent: the address has none, or one that is not a time. */
  readonly span: Span | undefined;
  /** The time that is shown, ms since the Unix epoch. */
  readonly atMs: number | undefined;
}

/** Reads `/machines/{id}/track?from=&to=&t=` (`id` is that of the path) or `/tracks?asset_id=a,b&from=&to=&t=`. */
export function readAddress(id: string | undefined, search: string): TrackAddress {
  const query = new URLSearchParams(search);
  const listed = (query.get("asset_id") ?? "").split(",").filter((one) => one !== "");
  const [fromMs, toMs, atMs] = ["from", "to", "t"].map((name) => timeOf(query.get(name)));
  return {
    ids: [...new Set(id === undefined ? listed : [id])],
    span: fromMs === undefined || toMs === undefined ? undefined : { fromMs, toMs },
    atMs,
  };
}

function timeOf(text: string | null): number | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

/** Path of the page for machines: one has a page of its own. */
export const trackPath = (ids: readonly string[]): string =>
  ids.length === 1 ? `/machines/${ids[0]}/track` : "/tracks";

/** What stands behind the path, for `toPage`. */
export function trackQuery({ ids, span, atMs }: TrackAddress): Readonly<Record<string, string>> {
  return {
    ...(ids.length === 1 ? {} : { asset_id: ids.join(",") }),
    ...(span === undefined ? {} : { from: isoTime(span.fromMs), to: isoTime(span.toMs) }),
    ...(atMs === undefined ? {} : { t: isoTime(atMs) }),
  };
}

/** ISO 8601 in UTC, without thousandths that say nothing. */
export const isoTime = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

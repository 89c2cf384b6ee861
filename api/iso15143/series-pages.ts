import type { AssetId } from "../../domain/ids.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { Series, TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { rowsOf } from "../equipment/assets/series-rows.ts";
import type { ElementKind } from "./elements.ts";
import { PAGE_SIZE } from "./page.ts";
import type { Section } from "./section.ts";

/** A section of one machine over a stretch of time. */
export interface SeriesRange {
  readonly assetId: AssetId;
  readonly kind: ElementKind;
  /** Half-open interval `[fromMs, toMs)`, ms since the Unix epoch. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Pages of time series. */
export interface SeriesPages {
  /** How many sections there are. @throws DomainError `STORE_UNAVAILABLE`. */
  count(range: SeriesRange): Promise<number>;
  /** The sections of one page, ascending; none behind the last page. @throws as `count`. */
  read(range: SeriesRange, page: number): Promise<readonly Section[]>;
}

/** How much is read from the store at a time, ms: more is memory for a long range, less is more reads. */
const SLICE_MS = 6 * HOUR_MS;
/**
 * How long the pages of a range are remembered, ms: as long as it takes to page through. Longer counts
 * without readings that came late.
 */
const REMEMBERED_MS = 60_000;
/**
 * Most ranges remembered: at 31 days of 1 Hz their 26,784 pages each are 14 MB. Fewer, and clients that page
 * side by side have their ranges counted anew.
 */
const MAX_REMEMBERED = 64;

/** Where the pages of a range begin. */
interface PageIndex {
  /** Time of each page's first section, ms. */
  readonly startsMs: readonly number[];
  readonly total: number;
}

/**
 * A page's number says nothing of where it is in the store. The first request of a range goes over all of
 * it and notes where each page begins; the others read their page alone.
 */
export function createSeriesPages(
  telemetry: Pick<TelemetryStore, "read">,
  now: () => number,
): SeriesPages {
  const remembered = new Map<
    string,
    { readonly index: Promise<PageIndex>; readonly atMs: number }
  >();

  async function makeIndex(range: SeriesRange): Promise<PageIndex> {
    const { kind } = range;
    const [field] = kind.fields;
    const startsMs: number[] = [];
    let total = 0;
    let before: number | undefined;
    // Columns, and only the one that makes a section: half the time of making the sections.
    for await (const { timesMs, columns } of slicesOf(telemetry, range, [field])) {
      for (const [row, value] of (columns.get(field) ?? []).entries()) {
        if (Number.isNaN(value) || isRepeated(kind, value, before)) continue;
        before = value;
        if (total % PAGE_SIZE === 0) startsMs.push(timesMs[row] as number);
        total += 1;
      }
    }
    return { startsMs, total };
  }

  function indexOf(range: SeriesRange): Promise<PageIndex> {
    const key = [range.assetId, range.kind.name, range.fromMs, range.toMs].join(" ");
    const known = remembered.get(key);
    if (known !== undefined && now() - known.atMs < REMEMBERED_MS) return known.index;
    const index = makeIndex(range);
    remembered.delete(key);
    const oldest = remembered.size >= MAX_REMEMBERED ? remembered.keys().next() : undefined;
    if (oldest?.done === false) remembered.delete(oldest.value);
    const entry = { index, atMs: now() };
    remembered.set(key, entry);
    // What failed is asked anew by the next request.
    index.catch(() => {
      if (remembered.get(key) === entry) remembered.delete(key);
    });
    return index;
  }

  return {
    async count(range) {
      return (await indexOf(range)).total;
    },
    async read(range, page) {
      const { startsMs } = await indexOf(range);
      const fromMs = startsMs[page - 1];
      if (fromMs === undefined) return [];
      // Readings that came late since lie on the page that they belong to.
      const toMs = startsMs[page] ?? range.toMs;
      const sections: Section[] = [];
      for await (const section of sectionsOf(telemetry, { ...range, fromMs, toMs })) {
        sections.push(section);
      }
      return sections;
    },
  };
}

/** Whether a series of changes passes over the value. */
const isRepeated = (kind: ElementKind, value: number, before: number | undefined): boolean =>
  kind.carries === "changes" && value === before;

/** Every section of a range. */
async function* sectionsOf(
  telemetry: Pick<TelemetryStore, "read">,
  range: SeriesRange,
): AsyncGenerator<Section> {
  const { kind } = range;
  const [field] = kind.fields;
  let before: number | undefined;
  for await (const series of slicesOf(telemetry, range, kind.fields)) {
    for (const { timeMs, values } of rowsOf(series)) {
      const value = values[field];
      if (value === undefined || isRepeated(kind, value, before)) continue;
      before = value;
      const parts = kind.parts(value, values);
      if (parts !== undefined) yield { name: kind.name, timeMs, parts };
    }
  }
}

/** The fields' columns over a range, slice by slice. */
async function* slicesOf(
  telemetry: Pick<TelemetryStore, "read">,
  { assetId, fromMs, toMs }: SeriesRange,
  fields: readonly string[],
): AsyncGenerator<Series> {
  for (let startMs = fromMs; startMs < toMs; startMs += SLICE_MS) {
    const endMs = Math.min(toMs, startMs + SLICE_MS);
    yield await telemetry.read({ assetId, fromMs: startMs, toMs: endMs, fields });
  }
}

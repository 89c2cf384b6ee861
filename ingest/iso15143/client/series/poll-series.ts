import type { FleetSeries } from "../../../../domain/equipment/fleet-series.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import { DAY_MS, SECOND_MS } from "../../../../domain/time.ts";
import type {
  FleetSource,
  TakenSeries,
} from "../../../../storage/ports/equipment/fleet-sources.ts";
import type { AssetEntry } from "../../../directories/asset-directory.ts";
import { MAX_AHEAD_MS } from "../../../intake/readings/clock.ts";
import { type FleetSection, readingsOf } from "../../read-fleet.ts";
import { type ReportedFault, readSeries } from "../../read-series.ts";
import { headerOf, machineName, matchMachine } from "../fleet/match-machine.ts";
import type { PollReport } from "../fleet/poll-report.ts";
import type { SourcePollOptions } from "../fleet/source-poll.ts";
import { FleetFailure } from "../pages/failure.ts";
import { getBody, readBody, type Validators } from "../pages/fetch-page.ts";
import { firstPageUrl } from "../pages/first-page.ts";
import { MAX_SERIES_PAGES, SERIES_BACK_MS, SERIES_MS, SERIES_RANGE_MS } from "../pages/limits.ts";
import { resolveLink } from "../pages/next-link.ts";
import { foldFaults } from "./active-faults.ts";
import { handOver } from "./hand-over.ts";
import { MACHINE_PATHS, type MachinePath, seriesUrl } from "./series-url.ts";

/** Statuses by which a server says that it has no such series, or not for this customer. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 405, 410, 501]);
/** Statuses that say the same of a path, which may be of the other form. */
const NO_SUCH_PATH: ReadonlySet<number | undefined> = new Set([400, 404, 405, 410]);
/** What servers answer for a page behind the last one, which some of them link to. */
const BEHIND_THE_LAST: ReadonlySet<number | undefined> = new Set([204, 404, 410]);
/** Machines in a row that a series is refused for until it is left alone for a day. */
const REFUSED_MACHINES = 3;

/** What is remembered of the series of one source from poll to poll, in memory. */
export interface SeriesMemory {
  /** Validators of first pages, by address; addresses change with what was taken. */
  readonly validators: Map<string, Validators>;
  /** The form of machines' paths that the server answered to. */
  form: MachinePath | undefined;
  /** Series that the server does not have, until when, ms. */
  readonly refusedUntilMs: Map<FleetSeries, number>;
  /** The machine that the next poll begins with: the last one ran out of time. */
  nextAsset: AssetId | undefined;
  /** The server wants to be left alone until then, ms. */
  restUntilMs: number;
}

export const newSeriesMemory = (): SeriesMemory => ({
  validators: new Map(),
  form: undefined,
  refusedUntilMs: new Map(),
  nextAsset: undefined,
  restUntilMs: 0,
});

type Options = SourcePollOptions & { readonly series: SeriesMemory };

/** A machine whose series are polled. */
interface Machine {
  readonly entry: AssetEntry;
  readonly identity: string;
}

/**
 * Polls the series of every machine that an asset is registered for, one request after the other. What goes
 * wrong here becomes a problem of the poll and no failure: the fleet itself was read. Never throws what the
 * other side may cause.
 */
export async function pollSeries(
  source: Pick<FleetSource, "url" | "series">,
  seen: ReadonlyMap<AssetId, string>,
  report: PollReport,
  options: Options,
): Promise<void> {
  const { series: memory, now, signal, isStoring } = options;
  const startMs = now();
  if (source.series.length === 0 || startMs < memory.restUntilMs) return;
  const used = new Set<string>();
  const refusals = new Map<FleetSeries, number>();
  for (const machine of inTurn(machinesOf(seen, options), memory.nextAsset)) {
    memory.nextAsset = machine.entry.asset.id;
    if (signal.aborted || !isStoring()) return;
    if (now() - startMs > SERIES_MS) {
      report.problem("series", "out of time; the rest of the machines comes with the next poll");
      return;
    }
    for (const series of source.series) {
      if ((memory.refusedUntilMs.get(series) ?? 0) > startMs) continue;
      try {
        await pollOne(source, series, machine, { report, used }, options);
        refusals.delete(series);
      } catch (error) {
        if (!(error instanceof FleetFailure)) throw error;
        if (!noteFailure(error, series, machine, refusals, report, options)) return;
      }
    }
  }
  memory.nextAsset = undefined;
  // Addresses of ranges that were taken are not asked for again.
  for (const url of memory.validators.keys()) if (!used.has(url)) memory.validators.delete(url);
}

/** Yields whether the poll goes on. */
function noteFailure(
  failure: FleetFailure,
  series: FleetSeries,
  { identity }: Machine,
  refusals: Map<FleetSeries, number>,
  report: PollReport,
  { series: memory, counters, now }: Options,
): boolean {
  const where = `${machineName(headerOf(identity))}, ${series}`;
  report.problem(where, failure.message);
  if (!REFUSALS.has(failure.httpStatus)) {
    memory.restUntilMs = now() + (failure.retryAfterMs ?? 0);
    return false;
  }
  counters.fleet_series_refused += 1;
  const count = (refusals.get(series) ?? 0) + 1;
  refusals.set(series, count);
  if (count < REFUSED_MACHINES) return true;
  memory.refusedUntilMs.set(series, now() + DAY_MS);
  report.problem(series, `refused for ${count} machines in a row; asked for again in a day`);
  return true;
}

function machinesOf(
  seen: ReadonlyMap<AssetId, string>,
  { directory }: Pick<Options, "directory">,
): readonly Machine[] {
  return [...seen].flatMap(([assetId, identity]) => {
    const entry = matchMachine(directory, headerOf(identity));
    const isSame = entry !== undefined && !("problem" in entry) && entry.asset.id === assetId;
    return isSame ? [{ entry, identity }] : [];
  });
}

/** All of them, beginning with the one that the last poll had come to. */
function inTurn(machines: readonly Machine[], first: AssetId | undefined): readonly Machine[] {
  const at = machines.findIndex(({ entry }) => entry.asset.id === first);
  return at <= 0 ? machines : [...machines.slice(at), ...machines.slice(0, at)];
}

/** Takes what is new of one series of one machine. @throws FleetFailure */
async function pollOne(
  source: Pick<FleetSource, "url">,
  series: FleetSeries,
  machine: Machine,
  { report, used }: { readonly report: PollReport; readonly used: Set<string> },
  options: Options,
): Promise<void> {
  const { series: memory, memory: taken, now, retentionMs } = options;
  const { asset } = machine.entry;
  // A machine whose own device sends DM1 says itself which faults are active.
  if (series === "Faults" && asset.decoder === "j1939") return;
  const nowMs = now();
  const before = taken.seriesOf(asset);
  const range = rangeOf(before.cursors[series], nowMs, retentionMs);
  const found = await readPages(source, series, machine, range, options);
  if (found === undefined) {
    report.problem(machineName(headerOf(machine.identity)), `${series}: its names make no path`);
    return;
  }
  used.add(found.url);
  report.seriesPages += found.pages;
  if (found.unread > 0) {
    const where = `${machineName(headerOf(machine.identity))}, ${series}`;
    report.problem(where, `${found.unread} entries were not read: ${found.problem}`);
  }
  const isNew = ({ timeMs }: { readonly timeMs: number }) =>
    // Later times are a wrong clock, and would shut out all that follow.
    timeMs > range.afterMs && timeMs <= nowMs + MAX_AHEAD_MS && timeMs >= range.oldestMs;
  const sections = found.sections.filter(isNew);
  if (found.suspect !== undefined && sections.length > 0) {
    report.problem(`${machineName(headerOf(machine.identity))}, ${series}`, found.suspect);
  }
  const faults = found.faults.filter(isNew);
  const times = [...sections, ...faults].map(({ timeMs }) => timeMs);
  // Nothing more in a range that lies behind: whatever comes is in a later one. If a range was not read to its
  // end, the next poll goes on behind what is new; where nothing is new, it would find the same again.
  const isDone = found.isWhole || times.length === 0;
  const passedMs = isDone && range.toMs < nowMs - DAY_MS ? range.toMs : range.afterMs;
  const cursorMs = Math.max(passedMs, ...times);
  const after = await takeNew(
    machine,
    series,
    before,
    { sections, faults, cursorMs },
    report,
    options,
  );
  // Only what is durable is behind: a page that was unchanged is so of this state.
  if (after && found.validators !== undefined) memory.validators.set(found.url, found.validators);
}

/** Half-open behind, inclusive ahead: `(afterMs, toMs]` of what is new; asked for from whole second to second. */
interface SeriesRange {
  readonly afterMs: number;
  readonly oldestMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The end is that of the UTC day, so that the address stays the same for as long as nothing new comes. Only
 * then can a server say that it is unchanged.
 */
function rangeOf(cursorMs: number | undefined, nowMs: number, retentionMs: number): SeriesRange {
  const oldestMs = nowMs - retentionMs + DAY_MS;
  const afterMs = Math.max(oldestMs - 1, cursorMs ?? nowMs - SERIES_BACK_MS);
  const fromMs = Math.floor(afterMs / SECOND_MS) * SECOND_MS;
  const dayEndMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS - SECOND_MS;
  return { afterMs, oldestMs, fromMs, toMs: Math.min(dayEndMs, fromMs + SERIES_RANGE_MS) };
}

interface FoundSeries {
  /** Of the first page. */
  readonly url: string;
  readonly pages: number;
  readonly validators: Validators | undefined;
  readonly sections: readonly FleetSection[];
  readonly faults: readonly ReportedFault[];
  /** Whether the last page was read: one without a link to another. */
  readonly isWhole: boolean;
  readonly unread: number;
  readonly problem: string | undefined;
  readonly suspect: string | undefined;
}

/** Reads the pages by the form of path that the server answers to; `undefined`: the machine has no such path. */
async function readPages(
  { url: sourceUrl }: Pick<FleetSource, "url">,
  series: FleetSeries,
  { identity }: Machine,
  range: SeriesRange,
  options: Options,
): Promise<FoundSeries | undefined> {
  const { series: memory } = options;
  const forms = memory.form === undefined ? MACHINE_PATHS : [memory.form];
  let refused: FleetFailure | undefined;
  for (const form of forms) {
    const url = seriesUrl(firstPageUrl(sourceUrl), headerOf(identity), series, form, range);
    if (url === undefined) continue;
    try {
      const found = await readFrom(url, series, options);
      memory.form = form;
      return found;
    } catch (error) {
      if (!(error instanceof FleetFailure) || !NO_SUCH_PATH.has(error.httpStatus)) throw error;
      refused = error;
    }
  }
  if (refused !== undefined) throw refused;
  return undefined;
}

async function readFrom(
  first: string,
  series: FleetSeries,
  options: Options,
): Promise<FoundSeries> {
  const { series: memory, counters, levels } = options;
  const found = {
    sections: [] as FleetSection[],
    faults: [] as ReportedFault[],
    validators: undefined as Validators | undefined,
    unread: 0,
    problem: undefined as string | undefined,
    suspect: undefined as string | undefined,
  };
  const visited = new Set<string>();
  let at: string | undefined = first;
  let isWhole = false;
  while (at !== undefined && visited.size < MAX_SERIES_PAGES) {
    const known = at === first ? memory.validators.get(at) : undefined;
    const got = await getUnlessBehind(at, visited.size > 0, { ...options, known });
    if (got === undefined) break;
    counters.fleet_series_pages += 1;
    visited.add(at);
    if (got === "unchanged") {
      counters.fleet_series_unchanged += 1;
      return { ...found, url: first, pages: 1, validators: known, isWhole: true };
    }
    const page = readBody(() => readSeries(got.body, series, levels.isPercent));
    found.sections.push(...page.sections);
    found.faults.push(...page.faults);
    found.unread += page.unread;
    found.problem ??= page.problem;
    found.suspect ??= page.suspect;
    // In a series of several pages the first may stay as it is while the last grows.
    found.validators = page.next === undefined && at === first ? got.validators : undefined;
    isWhole = page.next === undefined;
    at = page.next === undefined ? undefined : following(page.next, at, visited);
  }
  return { ...found, url: first, pages: visited.size, isWhole };
}

/** As `getBody`; `undefined`: a page that was linked to is not there, and what was read before it is all there is. */
async function getUnlessBehind(
  url: string,
  isLinked: boolean,
  options: Parameters<typeof getBody>[1],
): Promise<Awaited<ReturnType<typeof getBody>> | undefined> {
  try {
    return await getBody(url, options);
  } catch (error) {
    const isBehind = error instanceof FleetFailure && BEHIND_THE_LAST.has(error.httpStatus);
    if (isLinked && isBehind) return undefined;
    throw error;
  }
}

/** Where the next page is; a link that leads elsewhere, or to a page that was read, ends the series. */
function following(href: string, page: string, visited: ReadonlySet<string>): string | undefined {
  const target = resolveLink(href, page);
  if (target === undefined) return undefined;
  target.hash = "";
  const isGood = target.origin === new URL(page).origin && !visited.has(target.href);
  return isGood ? target.href : undefined;
}

/** Hands over what is new and notes how far it was taken; yields whether all of it is durable. */
async function takeNew(
  { entry, identity }: Machine,
  series: FleetSeries,
  before: TakenSeries,
  found: {
    readonly sections: readonly FleetSection[];
    readonly faults: readonly ReportedFault[];
    readonly cursorMs: number;
  },
  report: PollReport,
  { memory, sessions, counters, now }: Options,
): Promise<boolean> {
  const folded =
    series === "Faults"
      ? foldFaults(before.faults, found.faults, now())
      : { lists: [], active: before.faults };
  // What the fleet's own page said at that very time was taken with it.
  const sections = found.sections.filter(
    ({ name, timeMs }) => memory.newestOf(entry.asset, name) !== timeMs,
  );
  const rows = [
    ...readingsOf(sections).map(({ deviceTimeMs, fields }) => ({
      ...fields,
      timestamp: deviceTimeMs,
    })),
    ...folded.lists.map(({ timeMs, codes }) => ({ timestamp: timeMs, fault_codes: codes })),
  ];
  try {
    await handOver(rows, entry, sessions);
  } catch {
    counters.fleet_not_stored += 1;
    report.problem(
      machineName(headerOf(identity)),
      `${series}: not stored in time; taken at the next poll`,
    );
    return false;
  }
  report.readings += rows.length;
  counters.fleet_readings += rows.length;
  const isChanged = rows.length > 0 || before.cursors[series] !== found.cursorMs;
  if (isChanged) {
    memory.tookSeries(entry.asset, {
      cursors: { ...before.cursors, [series]: found.cursorMs },
      faults: folded.active,
    });
  }
  return true;
}

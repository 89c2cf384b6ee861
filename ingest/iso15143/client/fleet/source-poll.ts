import type { AssetId } from "../../../../domain/ids.ts";
import type { FleetSource } from "../../../../storage/ports/equipment/fleet-sources.ts";
import type { Ask } from "../pages/ask.ts";
import { FleetFailure } from "../pages/failure.ts";
import { fetchPage, type Validators } from "../pages/fetch-page.ts";
import { firstPageUrl } from "../pages/first-page.ts";
import type { FleetLogin } from "../pages/login.ts";
import { resolveLink } from "../pages/next-link.ts";
import { PollReport } from "./poll-report.ts";
import { type TakeOptions, takeMachines } from "./take-machines.ts";

/** What a page was when it was last read. */
interface KnownPage {
  readonly validators: Validators;
  /** `registrations` at that time: an unknown machine may be an asset's by now. */
  readonly registrations: number;
  readonly next: string | undefined;
  readonly report: PollReport;
  /** The machines of assets on it. */
  readonly seen: ReadonlyMap<AssetId, string>;
}

interface ReadPage {
  readonly page: KnownPage;
  /** Machines whose readings were not stored. */
  readonly notStored: number;
}

/** Pages by address, over the polls of one source. */
export type KnownPages = Map<string, KnownPage>;

export interface SourcePollOptions extends TakeOptions {
  readonly ask: Ask;
  readonly login: FleetLogin;
  readonly known: KnownPages;
  /** What the source's pages showed of its levels, over its polls. */
  readonly levels: { isPercent: boolean };
  /** Rises with every change of assets. */
  readonly registrations: () => number;
  /** Pages of one poll. */
  readonly maxPages: number;
  /** Whether the journal takes records. */
  readonly isStoring: () => boolean;
  readonly signal: AbortSignal;
}

/** What a poll came to; with `failure` it ended early, and what it had taken by then is kept. */
export interface PolledPages {
  readonly report: PollReport;
  readonly failure: FleetFailure | undefined;
  /** The machine of each asset on the pages that were read, by its identity. */
  readonly seen: ReadonlyMap<AssetId, string>;
}

/** What servers answer for a page behind the last one, which some of them link to. */
const BEHIND_THE_LAST: ReadonlySet<number | undefined> = new Set([204, 404, 410]);

/** Reads the pages of a source one after the other; never throws what the other side may cause. */
export async function pollSource(
  { url }: Pick<FleetSource, "url">,
  options: SourcePollOptions,
): Promise<PolledPages> {
  const { known, counters, maxPages } = options;
  const report = new PollReport();
  const seen = new Map<AssetId, string>();
  const visited = new Set<string>();
  let at: string | undefined = firstPageUrl(url);
  try {
    while (at !== undefined) {
      visited.add(at);
      const { page, notStored }: ReadPage = await readPage(at, seen, options);
      report.add(page.report);
      counters.fleet_pages += 1;
      counters.fleet_pages_unchanged += page.report.unchangedPages;
      if (notStored > 0) {
        throw new FleetFailure(`the readings of ${notStored} machines were not stored in time`);
      }
      at = following({ at, next: page.next, visited, maxPages }, report);
    }
    // Pages that the fleet no longer has are forgotten.
    for (const page of known.keys()) if (!visited.has(page)) known.delete(page);
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    const isEnd = visited.size > 1 && BEHIND_THE_LAST.has(error.httpStatus);
    if (isEnd) report.problem(`page ${visited.size}`, `${error.message}, which ends the fleet`);
    counters.fleet_problems += report.problemCount;
    return { report, failure: isEnd ? undefined : error, seen };
  }
  counters.fleet_problems += report.problemCount;
  return { report, failure: undefined, seen };
}

/**
 * Where the next page is; a link that cannot be followed ends the poll with a problem; what was read is
 * kept.
 */
function following(
  {
    at,
    next,
    visited,
    maxPages,
  }: {
    readonly at: string;
    readonly next: string | undefined;
    readonly visited: ReadonlySet<string>;
    readonly maxPages: number;
  },
  report: PollReport,
): string | undefined {
  if (next === undefined) return undefined;
  const where = `page ${visited.size}`;
  const target = resolveLink(next, at);
  if (target === undefined || target.origin !== new URL(at).origin) {
    report.problem(where, "its next link leads to another server, which is not asked");
    return undefined;
  }
  target.hash = "";
  if (visited.has(target.href)) {
    report.problem(where, "its next link leads to a page that was read already");
    return undefined;
  }
  if (visited.size >= maxPages) {
    report.problem(where, `more than ${maxPages} pages; the rest is not read`);
    return undefined;
  }
  return target.href;
}

async function readPage(
  url: string,
  seen: Map<AssetId, string>,
  options: SourcePollOptions,
): Promise<ReadPage> {
  const { known, registrations, isStoring } = options;
  // Before anything is read: what cannot be stored need not be fetched.
  if (!isStoring()) throw new FleetFailure("this service stores nothing now");
  const atRegistrations = registrations();
  const before = known.get(url);
  const usable = before?.registrations === atRegistrations ? before : undefined;
  const fetched = await fetchPage(url, { ...options, known: usable?.validators });
  if (fetched === "unchanged") {
    if (usable === undefined) throw new FleetFailure("answered 304", { httpStatus: 304 });
    for (const [assetId, identity] of usable.seen) seen.set(assetId, identity);
    return { page: { ...usable, report: usable.report.asUnchanged() }, notStored: 0 };
  }
  const { page, validators } = fetched;
  const onPage = new Map(seen);
  const { report, notStored } = await takeMachines(page.machines, onPage, options);
  for (const assetId of seen.keys()) onPage.delete(assetId);
  for (const [assetId, identity] of onPage) seen.set(assetId, identity);
  const read = {
    validators,
    registrations: atRegistrations,
    next: page.next,
    report,
    seen: onPage,
  };
  // What was not stored has to come again.
  if (notStored > 0) known.delete(url);
  else known.set(url, read);
  return { page: read, notStored };
}

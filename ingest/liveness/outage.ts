import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { Finding, FindingKind, LivenessState } from "./liveness-state.ts";
import { type Moment, watchedMs } from "./moment.ts";

/**
 * How long a finding is held to see whether others follow, ms. Longer reports every finding later; shorter reports
 * a site's outage asset by asset.
 */
const HOLD_MS = 60_000;
/**
 * How long it is held at most, ms. Chosen: the default time-out, within which others are found to be
 * silent too, if they are.
 */
const LONGEST_HOLD_MS = 15 * MINUTE_MS;
/**
 * Who was heard within this says something about the site, ms. Longer counts parked machines as witnesses; shorter
 * leaves sites without any.
 */
const WITNESS_MS = HOUR_MS;
/** Fewer assets do not make a site. Fewer take two coincidences for an outage; more hide outages of small sites. */
const LEAST_VOTES = 3;
/**
 * A time-out is set to three or more reporting intervals; overdue is who missed one. Less counts assets that are
 * only between two reports; more notices an outage later.
 */
const OVERDUE_SHARE = 1 / 3;

/** The findings that an outage covers; a stuck receiver concerns its asset alone. */
const AWAY_KINDS = ["offline", "silent"] as const satisfies readonly FindingKind[];

/** An outage that was published and is not over. */
export interface Outage {
  readonly projectId: ProjectId;
  /** The newest message of any member before: the site was last known to be alive then. Server clock, ms. */
  readonly sinceMs: number;
  /** When it was published. */
  readonly openedMs: number;
  readonly members: readonly AssetId[];
  /** Members, and the assets that were heard lately and are not away. */
  readonly reporting: number;
}

/** An asset as the evaluation of its project sees it. */
export interface SiteAsset {
  readonly assetId: AssetId;
  readonly liveness: LivenessState;
}

/** A project at one tick. */
export interface Site<Asset extends SiteAsset> {
  /** Assets that are away, published or not. */
  readonly away: Asset[];
  /** Others that were heard within the last hour, and how many of these are overdue. */
  present: number;
  overdue: number;
}

/** Where an evaluation puts its results. */
export interface SiteChanges<Asset extends SiteAsset> {
  opened(outage: Outage): void;
  recovered(outage: Outage, stillAway: readonly AssetId[]): void;
  /** The asset is to be published as away; its finding is `published` now. */
  away(asset: Asset, kind: FindingKind, finding: Finding): void;
  /** A finding of the asset changed its phase. */
  changed(asset: Asset): void;
}

/** Counts an asset that is not away among those that were heard lately. */
export function countPresent(
  site: Site<SiteAsset>,
  { link, heardAt }: LivenessState,
  now: Moment,
  timeoutMs: number,
): void {
  if (heardAt === undefined) return;
  const quietMs = watchedMs(heardAt, now);
  if (quietMs > WITNESS_MS) return;
  site.present += 1;
  if (link === "down" || quietMs >= timeoutMs * OVERDUE_SHARE) site.overdue += 1;
}

/**
 * Evaluates a project at a tick and returns the outage that is open from now on, if one is. When most of
 * a project's assets fall away together, that is one event and not one per asset:
 *
 * - A finding that an asset is away (offline or silent) is held before it is published, {@link HOLD_MS}.
 * - Of those held, assets that were heard within {@link WITNESS_MS} before vote; so do, against them,
 *   those that are not away and were heard as lately. Assets that were published as away before do not
 *   vote.
 * - Three votes that are half of all make an outage. It covers every finding held: its members.
 * - Time-outs differ, and an asset with a longer one takes longer to be found silent. While assets that
 *   are overdue (link down, or quiet for a third of their own time-out) could still make an outage of it,
 *   nothing is published, for {@link LONGEST_HOLD_MS} at most.
 * - An outage also covers what is found out later of assets that gave no sign of life since it began. One
 *   that was alive during the outage and falls away is an event of its own.
 * - It is over when half of its members are back. An asset that is still away has one more {@link
 *   HOLD_MS} to come back, without a vote; then it is published.
 */
export function evaluateSite<Asset extends SiteAsset>(
  projectId: ProjectId,
  site: Site<Asset>,
  before: Outage | undefined,
  now: Moment,
  changes: SiteChanges<Asset>,
): Outage | undefined {
  let outage = before;
  if (outage !== undefined && isOver(outage, site)) {
    changes.recovered(outage, stillAway(outage, site));
    outage = undefined;
  }
  for (const asset of site.away) settlePhases(asset, outage, now, changes);
  const voters = new Set(outage === undefined ? site.away.filter(isVoter) : []);
  const all = voters.size + site.present;
  const isDecided = site.overdue === 0 || heldLongest(voters, now) >= HOLD_MS;
  if (isDecided && isMost(voters.size, all)) {
    outage = open(projectId, site, voters, now, changes);
    changes.opened(outage);
  }
  const mayFollow = isMost(voters.size + site.overdue, all);
  for (const asset of site.away) {
    publishDue(asset, mayFollow && voters.has(asset) ? LONGEST_HOLD_MS : HOLD_MS, now, changes);
  }
  return outage;
}

const isMost = (votes: number, all: number): boolean => votes >= LEAST_VOTES && votes * 2 >= all;

function isOver({ members }: Outage, site: Site<SiteAsset>): boolean {
  return stillAway({ members }, site).length * 2 <= members.length;
}

function stillAway({ members }: Pick<Outage, "members">, { away }: Site<SiteAsset>): AssetId[] {
  const ids = new Set(away.map(({ assetId }) => assetId));
  return members.filter((assetId) => ids.has(assetId));
}

/** Puts findings under the outage that they belong to, and takes them out when it is over. */
function settlePhases<Asset extends SiteAsset>(
  asset: Asset,
  outage: Outage | undefined,
  now: Moment,
  changes: SiteChanges<Asset>,
): void {
  for (const kind of AWAY_KINDS) {
    const finding = asset.liveness.findings[kind];
    if (outage === undefined) {
      if (finding?.phase !== "covered") continue;
      finding.phase = "left";
      finding.heldFrom = now;
    } else {
      if (finding?.phase !== "held" || finding.sinceMs > outage.openedMs) continue;
      finding.phase = "covered";
    }
    changes.changed(asset);
  }
}

function isVoter({ liveness }: SiteAsset): boolean {
  const { heardAt } = liveness;
  const findings = awayFindings(liveness);
  const held = findings.find(({ phase }) => phase === "held");
  if (held === undefined || heardAt === undefined) return false;
  // Published, or left over from an outage: known to be away already.
  if (findings.some(({ phase }) => phase !== "held")) return false;
  return watchedMs(heardAt, held.heldFrom) <= WITNESS_MS;
}

function heldLongest(voters: Iterable<SiteAsset>, now: Moment): number {
  let longestMs = 0;
  for (const { liveness } of voters) {
    for (const { heldFrom } of awayFindings(liveness)) {
      longestMs = Math.max(longestMs, watchedMs(heldFrom, now));
    }
  }
  return longestMs;
}

function open<Asset extends SiteAsset>(
  projectId: ProjectId,
  { away, present }: Site<Asset>,
  voters: ReadonlySet<Asset>,
  now: Moment,
  changes: SiteChanges<Asset>,
): Outage {
  const members: AssetId[] = [];
  let sinceMs = 0;
  for (const asset of away) {
    const held = awayFindings(asset.liveness).filter(({ phase }) => phase === "held");
    if (held.length === 0) continue;
    for (const finding of held) finding.phase = "covered";
    changes.changed(asset);
    members.push(asset.assetId);
    if (voters.has(asset)) sinceMs = Math.max(sinceMs, asset.liveness.heardAt?.atMs ?? 0);
  }
  return { projectId, sinceMs, openedMs: now.atMs, members, reporting: members.length + present };
}

/** Publishes what was held for long enough. */
function publishDue<Asset extends SiteAsset>(
  asset: Asset,
  holdMs: number,
  now: Moment,
  changes: SiteChanges<Asset>,
): void {
  for (const kind of AWAY_KINDS) {
    const finding = asset.liveness.findings[kind];
    if (finding?.phase !== "held" && finding?.phase !== "left") continue;
    if (watchedMs(finding.heldFrom, now) < holdMs) continue;
    finding.phase = "published";
    changes.changed(asset);
    changes.away(asset, kind, finding);
  }
}

const awayFindings = ({ findings }: LivenessState): readonly Finding[] =>
  AWAY_KINDS.flatMap((kind) => findings[kind] ?? []);

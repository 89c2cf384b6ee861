import type { ProgressReport, ReportZone } from "../../../domain/sites/progress-report.ts";
import { toTenth } from "../../numeric/rounding.ts";
import type { Interval } from "./rounding.ts";
import { knowledgeOf } from "./seen-zones.ts";

/** How two figures of a zone compare; `compared` alone has a difference. */
export const CHANGE_BASES = [
  "compared",
  "not_seen_again",
  "first_seen",
  "never_seen",
  "new_zone",
  "removed",
] as const;
export type ChangeBasis = (typeof CHANGE_BASES)[number];

/** Two figures of one thing, percent and points, one decimal; `null`: not known. */
export interface FigureChange {
  readonly before: number | null;
  readonly after: number | null;
  readonly difference: number | null;
  /** 95 % of the difference; `null`: it cannot be bounded. */
  readonly interval_95: Interval | null;
  /** Whether that interval leaves 0 out. */
  readonly is_significant: boolean | null;
}

export interface ZoneChange {
  readonly zone_id: ReportZone["zone_id"];
  readonly name: string;
  readonly basis: ChangeBasis;
  readonly change: FigureChange;
  /** When each figure was true; `null`: there is none. */
  readonly before_as_of: string | null;
  readonly after_as_of: string | null;
}

type ComparedReport = Pick<
  ProgressReport,
  "capture_date" | "zones" | "progress_percentage" | "seen_share"
>;

/** What a report says differently from an earlier one. */
export interface ReportChanges {
  /** Of the whole project; without a difference where the two percents are of different zones. */
  readonly project: FigureChange;
  /** In the order of the later report, then those that it has no more. */
  readonly zones: readonly ZoneChange[];
}

const UNKNOWN = { difference: null, interval_95: null, is_significant: null } as const;

/**
 * Compares two reports of a project, zone by zone. A zone that was not seen again has no difference: its figure is
 * the same one, and work since then is not in it. The errors of two figures count as independent and add as squares;
 * what they share, such as the baseline, cancels, so the interval is too wide rather than too narrow. What may have
 * grown since it was seen adds its whole range.
 */
export function reportChanges(before: ComparedReport, after: ComparedReport): ReportChanges {
  const earlier = new Map(before.zones.map((zone) => [zone.zone_id, zone]));
  const kept = new Set(after.zones.map((zone) => zone.zone_id));
  const zones = after.zones.map((zone) =>
    zoneChange(earlier.get(zone.zone_id), zone, before.capture_date, after.capture_date),
  );
  const removed = before.zones
    .filter((zone) => !kept.has(zone.zone_id))
    .map(
      (zone): ZoneChange => ({
        ...named(zone, "removed", known(zone, before.capture_date), undefined),
        change: { ...figures(known(zone, before.capture_date), undefined), ...UNKNOWN },
      }),
    );
  return { project: projectChange(before, after, zones), zones: [...zones, ...removed] };
}

function zoneChange(
  before: ReportZone | undefined,
  after: ReportZone,
  beforeDate: string,
  afterDate: string,
): ZoneChange {
  const [from, to] = [before && known(before, beforeDate), known(after, afterDate)];
  const unknown = (basis: ChangeBasis): ZoneChange => ({
    ...named(after, basis, from, to),
    change: { ...figures(from, to), ...UNKNOWN },
  });
  if (before === undefined) return unknown("new_zone");
  if (to === undefined) return unknown("never_seen");
  if (from === undefined) return unknown("first_seen");
  if (from.as_of === to.as_of && from.progress === to.progress) return unknown("not_seen_again");
  const difference = toTenth(to.progress - from.progress);
  return {
    ...named(after, "compared", from, to),
    change: {
      ...figures(from, to),
      difference,
      ...bounded(differenceInterval(from, to, beforeDate, afterDate)),
    },
  };
}

const named = (
  { zone_id, name }: ReportZone,
  basis: ChangeBasis,
  from: ReportZone | undefined,
  to: ReportZone | undefined,
) => ({
  ...{ zone_id, name, basis },
  before_as_of: from?.as_of ?? null,
  after_as_of: to?.as_of ?? null,
});

/** The zone, if the report knows anything of it: what was only declared as 0 was never seen. */
const known = (zone: ReportZone, date: string): ReportZone | undefined =>
  knowledgeOf(zone, Date.parse(date)) === "never" ? undefined : zone;

const figures = (from: ReportZone | undefined, to: ReportZone | undefined) => ({
  before: from?.progress ?? null,
  after: to?.progress ?? null,
});

/** How far a figure may be off, points. */
interface Spread {
  readonly down: number;
  readonly up: number;
  /** Work since it was seen, which is no random error. */
  readonly growth: number;
}

/** A person's word is exact at its time unless it came with an interval, as in the project's own interval. */
function spreadOf(zone: ReportZone, date: string): Spread | undefined {
  const { progress, interval_95: interval, method } = zone;
  const isOld = knowledgeOf(zone, Date.parse(date)) === "before";
  const growth = isOld ? 100 - progress : 0;
  if (interval === null) return method === "manual" ? { down: 0, up: 0, growth } : undefined;
  const [low, high] = interval;
  return {
    down: Math.max(0, progress - low),
    up: isOld ? 0 : Math.max(0, high - progress),
    growth,
  };
}

function differenceInterval(
  from: ReportZone,
  to: ReportZone,
  beforeDate: string,
  afterDate: string,
): Interval | null {
  const [first, second] = [spreadOf(from, beforeDate), spreadOf(to, afterDate)];
  if (first === undefined || second === undefined) return null;
  const difference = to.progress - from.progress;
  return [
    difference - Math.hypot(second.down, first.up) - first.growth,
    difference + Math.hypot(second.up, first.down) + second.growth,
  ];
}

/** Rounded outward, within what two percents can differ by. */
function bounded(interval: Interval | null): Pick<FigureChange, "interval_95" | "is_significant"> {
  if (interval === null) return { interval_95: null, is_significant: null };
  // 1e-9: what is a tenth but for the last bit is that tenth.
  const low = Math.max(-100, Math.floor(interval[0] * 10 + 1e-9) / 10) + 0;
  const high = Math.min(100, Math.ceil(interval[1] * 10 - 1e-9) / 10) + 0;
  return { interval_95: [low, high], is_significant: low > 0 || high < 0 };
}

/**
 * The intervals of the zones by their weights, added as they are: zones that one flight measured err together. A zone
 * that was not seen again may have grown to 100 %.
 */
function projectChange(
  before: ComparedReport,
  after: ComparedReport,
  zones: readonly ZoneChange[],
): FigureChange {
  const from = before.seen_share === 0 ? null : before.progress_percentage;
  const to = after.seen_share === 0 ? null : after.progress_percentage;
  const isSame =
    before.zones.length === after.zones.length &&
    zones.every(({ basis }) => ["compared", "not_seen_again", "never_seen"].includes(basis));
  if (from === null || to === null || !isSame) return { before: from, after: to, ...UNKNOWN };
  let [low, high, weights]: [number, number, number] = [0, 0, 0];
  let isBounded = true;
  for (const [i, { basis, change }] of zones.entries()) {
    if (basis === "never_seen" || change.after === null) continue;
    const weight = after.zones[i]?.weight ?? 0;
    const again: Interval = [0, 100 - change.after];
    const interval = basis === "not_seen_again" ? again : change.interval_95;
    if (interval === null) isBounded = false;
    low += weight * (interval?.[0] ?? 0);
    high += weight * (interval?.[1] ?? 0);
    weights += weight;
  }
  const isKnown = isBounded && weights > 0;
  return {
    before: from,
    after: to,
    difference: toTenth(to - from),
    ...bounded(isKnown ? [low / weights, high / weights] : null),
  };
}

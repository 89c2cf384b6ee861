import { type ServiceItem, warnPercentOf } from "../../domain/equipment/maintenance.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { ServiceRow } from "../../storage/ports/equipment/maintenance.ts";
import type { UsageMeter, UsageTotals } from "./usage-meter.ts";
import { usageOf } from "./usage-meter.ts";

/** Usage in one unit by both methods of counting. */
interface Usage {
  /** By the machine's own meter; `undefined` where it reports none. */
  readonly machine: number | undefined;
  /** By our sum over its readings. */
  readonly accumulated: number;
}

/** Usage as it is now. */
interface UsageNow extends Usage {
  /** Whether our sum counted anything, also a standstill; else it is a 0 that was never measured. */
  readonly isSummed: boolean;
}

/** Everything that intervals are counted by, in hours and kilometres. */
export interface Meters {
  readonly hours: UsageNow;
  readonly km: UsageNow;
}

/** Where an interval is counted from. */
export interface Baseline {
  readonly hours: Usage;
  readonly km: Usage;
  /** The service that began the interval; `undefined`: none is known. */
  readonly serviceId: string | undefined;
  /** The service, or when the plan met the machine; ms since the Unix epoch. */
  readonly atMs: number;
}

/** `warning`: near its end; `due`: at it or past it. */
export type ServiceLevel = "ok" | "warning" | "due";

/** How far one of an item's intervals is used up; in its own unit. */
export interface IntervalUse {
  readonly unit: "hours" | "days" | "km";
  readonly every: number;
  /** `undefined` like the two below: the machine has no meter of it, and no reading let us add it up. */
  readonly used: number | undefined;
  /** Negative when it is past. */
  readonly remaining: number | undefined;
  readonly usedPercent: number | undefined;
  /** What counts: the machine's own meter, our sum, or the calendar. */
  readonly source: "machine" | "accumulated" | "calendar";
}

/**
 * A figure of an interval as it is published, with one decimal: a tenth of an hour is what meters
 * show.
 */
export const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 10) / 10;

/** How far a service item is used up; `first`: the interval that is used up most. */
export interface ServiceStatus {
  readonly level: ServiceLevel;
  readonly first: IntervalUse;
  readonly intervals: readonly IntervalUse[];
}

/**
 * The baseline of an item without a known service. A machine with its own meter is counted from meter
 * 0, because it may never have been serviced. Without a meter, and by days, counting begins when the
 * plan first applies to the machine.
 */
export function firstBaseline(atMs: number, meters: Meters): Baseline {
  return {
    serviceId: undefined,
    atMs,
    hours: fromZero(meters.hours),
    km: fromZero(meters.km),
  };
}

const fromZero = ({ machine, accumulated }: Usage): Usage => ({
  machine: machine === undefined ? undefined : 0,
  accumulated,
});

/** What a service says of the meters, as the intervals after it are counted from. */
export function serviceBaseline(
  service: Pick<ServiceRow, "id" | "servicedAtMs" | "engineHours" | "hoursSource" | "odometerKm">,
  meters: Meters,
  own: { readonly hours: UsageMeter | undefined; readonly km: UsageMeter | undefined },
): Baseline {
  const { id: serviceId, servicedAtMs: atMs, engineHours, odometerKm } = service;
  const isOwnSum = service.hoursSource === "accumulated";
  return {
    serviceId,
    atMs,
    hours: isOwnSum
      ? fromOwnSum(engineHours, meters.hours)
      : fromReading(engineHours, own.hours, meters.hours),
    km: fromReading(odometerKm, own.km, meters.km),
  };
}

/** The moment the machine's meter showed `shown`; now, where that is not known. */
function fromReading(shown: number | undefined, meter: UsageMeter | undefined, now: Usage): Usage {
  if (shown === undefined) return { machine: now.machine, accumulated: now.accumulated };
  return { machine: shown + (meter?.offset ?? 0), accumulated: now.accumulated };
}

/** The moment our sum was `accumulated`; a meter of the machine's own takes over from there. */
const fromOwnSum = (accumulated: number | undefined, now: Usage): Usage =>
  accumulated === undefined
    ? { machine: now.machine, accumulated: now.accumulated }
    : { machine: undefined, accumulated };

/**
 * Carries a baseline over to a machine that began to report its own meter. What was used so far by our
 * sum stays used; without any service the meter counts from 0.
 */
export function meetMachineMeters(baseline: Baseline, meters: Meters): Baseline {
  const hours = metBy(baseline.hours, meters.hours, baseline.serviceId === undefined);
  const km = metBy(baseline.km, meters.km, baseline.serviceId === undefined);
  return hours === baseline.hours && km === baseline.km ? baseline : { ...baseline, hours, km };
}

function metBy(base: Usage, now: Usage, isFromZero: boolean): Usage {
  if (base.machine !== undefined || now.machine === undefined) return base;
  const used = Math.max(0, now.accumulated - base.accumulated);
  return { ...base, machine: isFromZero ? 0 : now.machine - used };
}

/** How far an item is used up at `nowMs`; the machine's own meter is preferred to our sum. */
export function serviceStatus(
  item: ServiceItem,
  baseline: Baseline,
  meters: Meters,
  nowMs: number,
): ServiceStatus {
  const { every_hours, every_days, every_km } = item;
  const intervals: IntervalUse[] = [];
  if (every_hours !== undefined) {
    intervals.push(intervalUse("hours", every_hours, used(baseline.hours, meters.hours)));
  }
  if (every_days !== undefined) {
    const days = (nowMs - baseline.atMs) / DAY_MS;
    intervals.push(intervalUse("days", every_days, { used: days, source: "calendar" }));
  }
  if (every_km !== undefined) {
    intervals.push(intervalUse("km", every_km, used(baseline.km, meters.km)));
  }
  const first = intervals.reduce((a, b) => (percentOf(b) > percentOf(a) ? b : a));
  return { level: levelOf(first.usedPercent, item), first, intervals };
}

/** An interval of which nothing is known comes after all others. */
const percentOf = ({ usedPercent }: IntervalUse): number => usedPercent ?? -1;

function used(base: Usage, now: UsageNow): Pick<IntervalUse, "used" | "source"> {
  if (now.machine !== undefined && base.machine !== undefined) {
    return { used: now.machine - base.machine, source: "machine" };
  }
  const sum = now.isSummed ? now.accumulated - base.accumulated : undefined;
  return { used: sum, source: "accumulated" };
}

function intervalUse(
  unit: IntervalUse["unit"],
  every: number,
  { used: counted, source }: Pick<IntervalUse, "used" | "source">,
): IntervalUse {
  if (counted === undefined) {
    return { unit, every, used: undefined, remaining: undefined, usedPercent: undefined, source };
  }
  // A service dated ahead of our clock, or a sum that a late reading made smaller.
  const used = Math.max(0, counted);
  return { unit, every, used, remaining: every - used, usedPercent: (used / every) * 100, source };
}

function levelOf(usedPercent: number | undefined, item: ServiceItem): ServiceLevel {
  if (usedPercent === undefined) return "ok";
  if (usedPercent >= 100) return "due";
  return usedPercent >= warnPercentOf(item) ? "warning" : "ok";
}

/** What the meters show now, with what was on the ones before. */
export function metersOf(
  own: { readonly hours: UsageMeter | undefined; readonly km: UsageMeter | undefined },
  { hours, km, knowsHours, knowsKm }: UsageTotals,
): Meters {
  return {
    hours: {
      machine: own.hours && usageOf(own.hours),
      accumulated: hours,
      isSummed: knowsHours,
    },
    km: { machine: own.km && usageOf(own.km), accumulated: km, isSummed: knowsKm },
  };
}

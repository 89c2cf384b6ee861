import { MOCKED_FIELD } from "../../domain/equipment/mocked-position.ts";
import { accuracyOr } from "../geofence/accuracy.ts";
import { fencesHeld } from "../geofence/fence-fold.ts";
import { maintenanceView } from "../stages/maintenance/maintenance-view.ts";
import type { AssetTrack, Cell, OpenDay } from "../track/asset-track.ts";
import { copyUsage } from "../track/day-usage.ts";
import { usageTotals } from "../utilization/usage-totals.ts";
import type { AssetState, DayTotals, Fix, LatestValue } from "./asset-state.ts";
import { connectionOf } from "./connection.ts";

/** What the API shows of a track. */
export function viewOf(track: AssetTrack): AssetState {
  const latest: Record<string, LatestValue> = {};
  for (const [name, { value, fixTimeMs }] of track.latest) latest[name] = { value, fixTimeMs };
  const newestDay = track.days.at(-1);
  return {
    assetId: track.assetId,
    projectId: track.projectId,
    fix: fixOf(track),
    lastReceivedAtMs: track.lastReceivedAtMs,
    lastUpdateMs: track.lastUpdateMs,
    latest,
    faults: track.faults,
    identities: Object.fromEntries(track.identities),
    lastWorkedAtMs: track.work.workedAtMs,
    reportedToMs: track.work.tMs,
    reportGapsS: track.liveness.gapsS,
    today: newestDay === undefined ? undefined : dayTotals(newestDay),
    connection: connectionOf(track.liveness),
    geofences: fencesHeld(track.fences),
    hasCriticalAlert: track.criticalAlerts.size > 0,
    maintenance: maintenanceView(track),
    engineHours: engineHoursOf(track),
  };
}

/** Whole seconds and metres of a day, as they are shown and stored. */
export function dayTotals(day: OpenDay): DayTotals {
  return {
    day: day.day,
    workingS: Math.round(day.workingMs / 1000),
    overtimeS: Math.round(day.overtimeMs / 1000),
    engineOnS: Math.round(day.engineOnMs / 1000),
    distanceM: Math.round(day.distanceM),
    usage: copyUsage(day.usage),
  };
}

function fixOf({ latest, fixOrigin, work }: AssetTrack): Fix | undefined {
  const latitude = latest.get("latitude");
  const longitude = latest.get("longitude");
  if (latitude === undefined || longitude === undefined || fixOrigin === undefined) {
    return undefined;
  }
  // Fields of another reading do not belong to this fix, except where two came for one fix time.
  const ofFix = (cell: Cell | undefined) =>
    cell?.fixTimeMs === latitude.fixTimeMs ? cell.value : undefined;
  const speed = reportedOr(ofFix(latest.get("speed_kmh")), work.derivedSpeedKmh);
  const heading = reportedOr(ofFix(latest.get("heading")), work.derivedHeading);
  const accuracy = accuracyOr(ofFix(latest.get("accuracy_meters")), ofFix(latest.get("hdop")));
  return {
    latitude: latitude.value,
    longitude: longitude.value,
    accuracyMeters: accuracy.meters,
    accuracySource: accuracy.source,
    speedKmh: speed.value,
    speedSource: speed.source,
    heading: heading.value,
    headingSource: heading.source,
    fixTimeMs: latitude.fixTimeMs,
    timeSource: fixOrigin.timeSource,
    receivedAtMs: fixOrigin.receivedAtMs,
    ...(ofFix(latest.get(MOCKED_FIELD)) === 1 ? { isMocked: true as const } : {}),
  };
}

/** What was reported with the fix, else what the fixes show, else 0 with a mark: the contract knows no null. */
function reportedOr(
  reported: number | undefined,
  derived: number,
): { readonly value: number; readonly source: Fix["speedSource"] } {
  if (reported !== undefined) return { value: reported, source: "reported" };
  if (Number.isNaN(derived)) return { value: 0, source: "none" };
  return { value: round1(derived), source: "derived" };
}

function engineHoursOf(track: AssetTrack): AssetState["engineHours"] {
  const meter = track.latest.get("engine_hours");
  if (meter !== undefined) return { value: meter.value, source: "machine" };
  const { hours, knowsHours } = usageTotals(track);
  if (!knowsHours) return undefined;
  return { value: Math.round(hours * 100) / 100, source: "accumulated" };
}

const round1 = (value: number): number => Math.round(value * 10) / 10;

import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { fencesHeld } from "../geofence/fence-fold.ts";
import { connectionOf } from "../liveness/connection.ts";
import { maintenanceView } from "../maintenance/maintenance-view.ts";
import { accuracyOr } from "./accuracy.ts";
import type { AssetState, DayTotals, Fix, LatestValue, LiveAssets } from "./asset-state.ts";
import { type AssetTrack, type Cell, newAssetTrack, type OpenDay } from "./asset-track.ts";
import { usageTotals } from "./usage-totals.ts";

/** The tracks of all assets, owned by the pipeline, with the read side that the API sees. */
export interface AssetTracks extends LiveAssets {
  /** The track of an asset, made at its first reading. */
  track(assetId: AssetId, projectId: ProjectId): AssetTrack;
  find(assetId: AssetId): AssetTrack | undefined;
  /** Takes a stored track in; at start only. */
  restore(track: AssetTrack): void;
  /** Says that a track was changed: its view is made again when somebody asks. */
  touch(track: AssetTrack): void;
  /** May be walked through more than once. */
  all(): Iterable<AssetTrack>;
  /** Tracks with late readings that wait for a re-run. */
  late(): Iterable<AssetTrack>;
}

export function createAssetTracks(): AssetTracks {
  const tracks = new Map<AssetId, AssetTrack>();
  const views = new Map<AssetId, AssetState>();
  const late = new Set<AssetTrack>();
  const listeners: ((assetId: AssetId) => void)[] = [];

  function noteLate(track: AssetTrack): void {
    if (Number.isFinite(track.lateFromMs)) late.add(track);
    else late.delete(track);
  }

  return {
    track(assetId, projectId) {
      let track = tracks.get(assetId);
      if (track === undefined) {
        track = newAssetTrack(assetId, projectId);
        tracks.set(assetId, track);
      }
      return track;
    },
    find: (assetId) => tracks.get(assetId),
    restore(track) {
      tracks.set(track.assetId, track);
      noteLate(track);
    },
    touch(track) {
      noteLate(track);
      // The first change since the last look; more changes before the next look tell nothing new.
      if (views.delete(track.assetId)) for (const listener of listeners) listener(track.assetId);
    },
    all: () => ({ [Symbol.iterator]: () => tracks.values() }),
    late: () => late.values(),
    state(assetId) {
      const view = views.get(assetId);
      if (view !== undefined) return view;
      const track = tracks.get(assetId);
      if (track === undefined) return undefined;
      const made = viewOf(track);
      views.set(assetId, made);
      return made;
    },
    onChange(listener) {
      listeners.push(listener);
    },
  };
}

function viewOf(track: AssetTrack): AssetState {
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
    lastWorkedAtMs: track.work.workedAtMs,
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
  const accuracy = accuracyOr(ofFix(latest.get("accuracy_meters")), ofFix(latest.get("hdop")));
  return {
    latitude: latitude.value,
    longitude: longitude.value,
    accuracyMeters: accuracy.meters,
    accuracySource: accuracy.source,
    speedKmh: ofFix(latest.get("speed_kmh")) ?? round1(work.derivedSpeedKmh),
    heading: ofFix(latest.get("heading")) ?? round1(work.derivedHeading),
    fixTimeMs: latitude.fixTimeMs,
    timeSource: fixOrigin.timeSource,
    receivedAtMs: fixOrigin.receivedAtMs,
  };
}

function engineHoursOf(track: AssetTrack): AssetState["engineHours"] {
  const meter = track.latest.get("engine_hours");
  if (meter !== undefined) return { value: meter.value, source: "machine" };
  const { hours } = usageTotals(track);
  return { value: Math.round(hours * 100) / 100, source: "accumulated" };
}

const round1 = (value: number): number => Math.round(value * 10) / 10;

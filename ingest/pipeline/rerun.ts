import { localDayAt } from "../../domain/local-time.ts";
import type { VisitRecords } from "../../storage/ports/visits.ts";
import type { Series, TelemetryStore } from "../../storage/ports.ts";
import type { Crossing } from "../geofence/crossing.ts";
import { fencesHeld } from "../geofence/fence-fold.ts";
import { type LimitChange, limitsExceeded } from "../maintenance/limit-fold.ts";
import { accuracyOr } from "./accuracy.ts";
import { type AssetTrack, newTimeline, takeOrdinal } from "./asset-track.ts";
import { closeOldDays } from "./closed-days.ts";
import type { FoundChange } from "./episodes.ts";
import { reconcileExceedances } from "./exceedance-book.ts";
import { type RestartPoint, restartPoint } from "./snapshots.ts";
import {
  applyKnownChanges,
  foldSample,
  type TimelineRules,
  type TimelineSink,
} from "./timeline.ts";
import { addToBook, reconcileVisits } from "./visit-book.ts";
import type { TellingContext } from "./visit-telling.ts";
import { MAX_GAP_MS } from "./work.ts";

/** Samples folded before the event loop gets a turn: about 5 ms of work. Chosen. */
const SLICE = 5_000;

/** The fields that a sample is made of. */
const SAMPLE_FIELDS = [
  "latitude",
  "longitude",
  "accuracy_meters",
  "hdop",
  "speed_kmh",
  "engine_on",
  "load_percent",
] as const;

export interface RerunStores {
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly visits: Pick<VisitRecords, "since">;
}

/**
 * Puts late readings, and late news of fences, in their place: folds the asset's readings again from a
 * copy of the fold before the oldest of them, read back from the telemetry store. The result is what
 * readings in order would have given. Nothing else may fold into the track meanwhile; it is changed in
 * one step at the end, because it may be stored or shown at any time before.
 */
export async function rerunTimeline(
  track: AssetTrack,
  stores: RerunStores,
  rules: TimelineRules,
  context: TellingContext,
): Promise<void> {
  const { assetId } = track;
  const restart = restartPoint(track) ?? fromTheStart(track, rules);
  const { state, fromMs } = restart;
  const fromOrdinal = state.nextOrdinal;
  const heldAtStart = fencesHeld(state.fences);
  const exceededAtStart = limitsExceeded(state.limits);
  if (fromOrdinal < track.visits.completeFrom) {
    addToBook(track, await stores.visits.since(assetId, fromOrdinal), fromOrdinal);
  }
  // All fields: every reading moves the fold's clock, also one that carries none of those used here.
  const series = await stores.telemetry.read({ assetId, fromMs, toMs: track.work.tMs + 1 });
  const redone = scratchOf(track, restart);
  const crossings: FoundChange<Crossing>[] = [];
  const limits: FoundChange<LimitChange>[] = [];
  const sink: TimelineSink = {
    crossing(change) {
      const isBeginning = change.type === "entered";
      crossings.push({ change, ordinal: isBeginning ? takeOrdinal(redone) : -1 });
    },
    limit(change) {
      const isBeginning = change.type === "exceeded";
      limits.push({ change, ordinal: isBeginning ? takeOrdinal(redone) : -1 });
    },
  };
  await foldSeries(redone, series, rules, sink);
  applyKnownChanges(redone, rules, sink);

  track.work = redone.work;
  track.fences = redone.fences;
  track.limits = redone.limits;
  track.nextOrdinal = redone.nextOrdinal;
  const firstRedoneMs = restart.day?.startMs ?? fromMs;
  track.days = [
    ...track.days.filter((day) => day.startMs < firstRedoneMs),
    ...redone.closedDays,
    ...redone.days,
  ];
  track.snapshots = [
    ...track.snapshots.filter((snapshot) => snapshot.tMs < fromMs),
    ...redone.snapshots,
  ];
  track.lateFromMs = Number.POSITIVE_INFINITY;
  const visits = { fromOrdinal, openAtStart: heldAtStart, changes: crossings };
  reconcileVisits(track, visits, context);
  const exceedances = { fromOrdinal, openAtStart: exceededAtStart, changes: limits };
  reconcileExceedances(track, exceedances, context);
  // Also a day that lost its work to a late "engine off" has to be stored again.
  for (const day of track.days) track.changedDays.add(day.day);
  // A late reading may have opened a day in between.
  closeOldDays(track);
}

/** The late reading is older than every other: the fold begins anew, in its day. */
function fromTheStart(track: AssetTrack, { calendar }: TimelineRules): RestartPoint {
  return {
    state: newTimeline(),
    fromMs: localDayAt(calendar, track.lateFromMs - MAX_GAP_MS).startMs,
    day: undefined,
  };
}

/** A track to fold into; of its days only those that are folded again. */
function scratchOf(track: AssetTrack, { state, day }: RestartPoint): AssetTrack {
  return {
    ...track,
    ...state,
    days: day === undefined ? [] : [day],
    closedDays: [],
    changedDays: new Set(),
    snapshots: [],
    visits: { list: [], completeFrom: 0 },
    exceedances: [],
    lateFromMs: Number.POSITIVE_INFINITY,
  };
}

async function foldSeries(
  track: AssetTrack,
  { timesMs, columns }: Series,
  rules: TimelineRules,
  sink: TimelineSink,
): Promise<void> {
  const limited = limitedFields(rules, timesMs).flatMap((name) => {
    const column = columns.get(name);
    return column === undefined ? [] : [{ name, column }];
  });
  const none = new Float64Array(timesMs.length).fill(Number.NaN);
  const [latitude, longitude, accuracy, hdop, speed, engine, load] = SAMPLE_FIELDS.map(
    (name) => columns.get(name) ?? none,
  );
  const at = (column: Float64Array | undefined, i: number) => column?.[i] ?? Number.NaN;
  for (const [i, tMs] of timesMs.entries()) {
    if (i % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
    const sample = {
      tMs,
      latitude: at(latitude, i),
      longitude: at(longitude, i),
      accuracyM: accuracyOr(at(accuracy, i), at(hdop, i)).meters,
      speedKmh: at(speed, i),
      engineOn: at(engine, i),
      loadPercent: at(load, i),
      fields: fieldsAt(limited, i),
    };
    foldSample(track, sample, rules, sink);
  }
}

/** The fields that any limit in force during the series looks at. */
function limitedFields({ limits }: TimelineRules, timesMs: Float64Array): readonly string[] {
  const fromMs = timesMs[0];
  const toMs = timesMs.at(-1);
  if (fromMs === undefined || toMs === undefined) return [];
  const instants = [fromMs, ...limits.changes(fromMs, toMs)];
  return [...new Set(instants.flatMap((atMs) => limits.limitsAt(atMs).map(({ field }) => field)))];
}

const NO_FIELDS: Readonly<Record<string, number>> = {};

/** What the limits look at in one row; `NaN` where it does not say. */
function fieldsAt(
  limited: readonly { readonly name: string; readonly column: Float64Array }[],
  i: number,
): Readonly<Record<string, number>> {
  if (limited.length === 0) return NO_FIELDS;
  const fields: Record<string, number> = {};
  for (const { name, column } of limited) fields[name] = column[i] ?? Number.NaN;
  return fields;
}

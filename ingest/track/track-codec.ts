import type { FaultCode, TimeSource } from "../../domain/equipment/reading.ts";
import type { AlertId, AssetId, ProjectId } from "../../domain/ids.ts";
import { type PackedFenceFold, packFenceFold, unpackFenceFold } from "../geofence/fence-fold.ts";
import { type PackedLiveness, packLiveness, unpackLiveness } from "../liveness/liveness-state.ts";
import { type PackedLimitFold, packLimitFold, unpackLimitFold } from "../maintenance/limit-fold.ts";
import {
  type PackedMaintenance,
  packMaintenance,
  unpackMaintenance,
} from "../maintenance/maintenance-state.ts";
import {
  type AssetTrack,
  type Cell,
  newAssetTrack,
  type OpenDay,
  type Rank,
  type TimelineState,
} from "./asset-track.ts";
import { newDayUsage, type PackedUsage, packUsage, unpackUsage } from "./day-usage.ts";
import { type PackedExceedance, packExceedance, unpackExceedance } from "./exceedance.ts";
import type { Identity } from "./identities.ts";
import { type PackedNumbers, packNumbers, unpackNumbers } from "./packed-numbers.ts";
import { type PackedUsageState, packUsageState, unpackUsageState } from "./usage-state.ts";
import { MAX_GAP_MS, newWorkState, type WorkState } from "./work.ts";

/** Layout of the stored state. A state of another layout is rebuilt from the journal and telemetry. */
const LAYOUT = 2;

/** Keys of `WorkState` in stored order; part of the layout. */
const WORK_KEYS = Object.keys(newWorkState()) as (keyof WorkState)[];

type PackedRank = readonly [fixTimeMs: number, seq: number, payloadHash: number];
type PackedTimeline = readonly [
  work: PackedNumbers,
  fences: PackedFenceFold,
  limits: PackedLimitFold,
  nextOrdinal: number,
  /** Absent from states of before silences were bridged. */
  usage?: PackedUsageState,
];

/** Both absent from states of before silences were bridged; `null`: not settled. */
type PackedDayUsage = readonly [usage?: PackedUsage, settledMs?: number | null];

interface PackedTrack {
  readonly v: number;
  readonly project: string;
  /** Fields grouped by the reading they came in: most share one. */
  readonly latest: readonly (readonly [...PackedRank, Readonly<Record<string, number>>])[];
  readonly fix: readonly [timeSource: TimeSource, receivedAtMs: number] | null;
  readonly received: number;
  readonly update: number;
  readonly liveness: PackedLiveness;
  /** Absent where there is nothing to keep. */
  readonly maintenance: PackedMaintenance | undefined;
  readonly faults: readonly FaultCode[];
  readonly faultsRank: PackedRank;
  /** Absent where there are none, and from states of before texts were kept. */
  readonly identities?: readonly (readonly [string, Identity])[] | undefined;
  readonly critical: readonly AlertId[];
  readonly timeline: PackedTimeline;
  readonly workRank: PackedRank;
  readonly days: readonly (readonly [
    day: string,
    startMs: number,
    workingMs: number,
    overtimeMs: number,
    engineOnMs: number,
    distanceM: number,
    atStart: PackedTimeline,
    ...PackedDayUsage,
  ])[];
  readonly exceedances: readonly PackedExceedance[];
  readonly engineOnBefore: number;
  readonly distanceBefore: number;
  /** Both absent where nothing was known, and from states of before that was kept. */
  readonly knewEngine?: true | undefined;
  readonly knewDistance?: true | undefined;
  readonly closed: boolean;
  readonly late: number | null;
  /** Both absent from states of before there were several pipelines. */
  readonly taken?: number | undefined;
  readonly unseen?: readonly number[] | undefined;
  /** Absent where there are none, and from states of before devices could report their past. */
  readonly ahead?: readonly [fromMs: number, toMs: number] | undefined;
}

/** JSON text of a track, compact because it is written with every commit that touches the asset. */
export function packTrack(track: AssetTrack): string {
  const packed: PackedTrack = {
    v: LAYOUT,
    project: track.projectId,
    latest: packLatest(track.latest),
    fix: track.fixOrigin ? [track.fixOrigin.timeSource, track.fixOrigin.receivedAtMs] : null,
    received: track.lastReceivedAtMs,
    update: track.lastUpdateMs,
    liveness: packLiveness(track.liveness),
    maintenance: packMaintenance(track.maintenance),
    faults: track.faults,
    faultsRank: packRank(track.faultsRank),
    identities: track.identities.size === 0 ? undefined : [...track.identities],
    critical: [...track.criticalAlerts],
    timeline: packTimeline(track),
    workRank: packRank(track.workRank),
    days: track.days.map((day) => [
      day.day,
      day.startMs,
      day.workingMs,
      day.overtimeMs,
      day.engineOnMs,
      day.distanceM,
      packTimeline(day.atStart),
      packUsage(day.usage),
      Number.isFinite(day.settledMs) ? day.settledMs : null,
    ]),
    exceedances: track.exceedances.map(packExceedance),
    engineOnBefore: track.engineOnBeforeMs,
    distanceBefore: track.distanceBeforeM,
    knewEngine: track.knewEngineBefore || undefined,
    knewDistance: track.knewDistanceBefore || undefined,
    closed: track.hasClosedDays,
    late: Number.isFinite(track.lateFromMs) ? track.lateFromMs : null,
    taken: track.lastTakenMs,
    unseen: track.unseenMs.length === 0 ? undefined : track.unseenMs,
    ahead: track.ahead && [track.ahead.fromMs, track.ahead.toMs],
  };
  return JSON.stringify(packed);
}

/** The track that `packTrack` wrote; `undefined` for another layout. */
export function unpackTrack(assetId: AssetId, text: string): AssetTrack | undefined {
  // Written by packTrack into our own table, so only the layout is checked.
  const packed = JSON.parse(text) as PackedTrack;
  if (packed.v !== LAYOUT) return undefined;
  return {
    ...newAssetTrack(assetId, packed.project as ProjectId),
    latest: unpackLatest(packed.latest),
    fixOrigin: packed.fix ? { timeSource: packed.fix[0], receivedAtMs: packed.fix[1] } : undefined,
    lastReceivedAtMs: packed.received,
    lastUpdateMs: packed.update,
    liveness: unpackLiveness(packed.liveness),
    maintenance: unpackMaintenance(packed.maintenance),
    faults: packed.faults,
    faultsRank: unpackRank(packed.faultsRank),
    identities: new Map(packed.identities),
    criticalAlerts: new Set(packed.critical),
    ...unpackTimeline(packed.timeline),
    workRank: unpackRank(packed.workRank),
    days: packed.days.map(
      ([
        day,
        startMs,
        workingMs,
        overtimeMs,
        engineOnMs,
        distanceM,
        atStart,
        ...rest
      ]): OpenDay => ({
        day,
        startMs,
        workingMs,
        overtimeMs,
        engineOnMs,
        distanceM,
        atStart: unpackTimeline(atStart),
        usage: unpackUsage(rest[0]) ?? newDayUsage(),
        // An older state had nothing that reached further back than movement.
        settledMs: rest[1] === undefined ? startMs + MAX_GAP_MS : (rest[1] ?? Infinity),
      }),
    ),
    engineOnBeforeMs: packed.engineOnBefore,
    distanceBeforeM: packed.distanceBefore,
    knewEngineBefore: packed.knewEngine === true || packed.engineOnBefore > 0,
    knewDistanceBefore: packed.knewDistance === true || packed.distanceBefore > 0,
    hasClosedDays: packed.closed,
    lateFromMs: packed.late ?? Number.POSITIVE_INFINITY,
    lastTakenMs: packed.taken,
    unseenMs: packed.unseen ?? [],
    ahead: packed.ahead && { fromMs: packed.ahead[0], toMs: packed.ahead[1] },
    // The visits are rows of their own; what is read of them is added by the runner.
    visits: { list: [], completeFrom: packed.timeline[3] },
    exceedances: packed.exceedances.map(unpackExceedance),
  };
}

function packLatest(latest: ReadonlyMap<string, Cell>): PackedTrack["latest"] {
  const groups: [number, number, number, Record<string, number>][] = [];
  for (const [name, cell] of latest) {
    const group = groups.find(
      ([fixTimeMs, seq, hash]) =>
        fixTimeMs === cell.fixTimeMs && seq === cell.seq && hash === cell.payloadHash,
    );
    if (group === undefined) {
      groups.push([cell.fixTimeMs, cell.seq, cell.payloadHash, { [name]: cell.value }]);
    } else {
      group[3][name] = cell.value;
    }
  }
  return groups;
}

function unpackLatest(groups: PackedTrack["latest"]): Map<string, Cell> {
  const latest = new Map<string, Cell>();
  for (const [fixTimeMs, seq, payloadHash, values] of groups) {
    for (const [name, value] of Object.entries(values)) {
      latest.set(name, { value, fixTimeMs, seq, payloadHash });
    }
  }
  return latest;
}

const packRank = (rank: Rank): PackedRank => [rank.fixTimeMs, rank.seq, rank.payloadHash];

function unpackRank([fixTimeMs, seq, payloadHash]: PackedRank): Rank {
  return { fixTimeMs, seq, payloadHash };
}

export const packTimeline = (state: TimelineState): PackedTimeline => [
  packNumbers(state.work, WORK_KEYS),
  packFenceFold(state.fences),
  packLimitFold(state.limits),
  state.nextOrdinal,
  packUsageState(state.usage),
];

export function unpackTimeline(packed: PackedTimeline): TimelineState {
  const [work, fences, limits, nextOrdinal, usage] = packed;
  return {
    work: unpackWork(work),
    usage: unpackUsageState(usage),
    fences: unpackFenceFold(fences),
    limits: unpackLimitFold(limits),
    nextOrdinal,
  };
}

function unpackWork(packed: PackedNumbers): WorkState {
  const work = newWorkState();
  unpackNumbers(work, WORK_KEYS, packed);
  return work;
}

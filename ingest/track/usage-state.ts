import { type MeterLedger, type PackedLedger, packLedger, unpackLedger } from "./meter-ledger.ts";
import { type PackedNumbers, packNumbers, unpackNumbers } from "./packed-numbers.ts";
import { noPendingWork, PENDING_KEYS, type PendingWork } from "./pending-work.ts";

/** What bridging remembers between two readings. Its objects are replaced, never changed in place. */
export interface UsageState {
  hours: MeterLedger | undefined;
  odometer: MeterLedger | undefined;
  /** A trip counter, read where there is no odometer. */
  trip: MeterLedger | undefined;
  pendingWork: readonly PendingWork[];
  /** The newest position; `NaN` before the first. */
  latitude: number;
  longitude: number;
  accuracyM: number;
  positionAtMs: number;
  /** Where the least distance is measured from; `NaN` before the first position. */
  baseLatitude: number;
  baseLongitude: number;
  /** Up to where engine time and work are accounted for; `NaN` before the first reading. */
  engineToMs: number;
  /** Time between the two readings before, ms; `NaN` before the second. */
  lastGapMs: number;
  /** The first reading after a silence that said nothing of the engine, which the next may do; `NaN`: none waits. */
  waitingSinceMs: number;
  /** Up to where distance is accounted for; `NaN` before the first position or odometer. */
  distanceToMs: number;
  /** Highest speed of the machine so far, km/h, and how many readings it comes from. */
  topSpeedKmh: number;
  speedReadings: number;
  /** What odometer and trip counter showed up to `engineToMs`, and when; `NaN`: none was read. */
  odometerKm: number;
  odometerAtMs: number;
  tripKm: number;
  tripAtMs: number;
  /** Time up to `engineToMs` to whose work the next position will say, ms. */
  awaitedMs: number;
  /** While a silence is open: since when positions behind it show work, and how much; `NaN` and 0: none do. */
  movedFromMs: number;
  movedMs: number;
  /** Up to when they do; `NaN`: not known. */
  movedToMs: number;
  /** Time since the engine's state, and whether it worked, was sent, in which it had no room to be another, ms. */
  engineShortMs: number;
  workShortMs: number;
}

export function newUsageState(): UsageState {
  return {
    hours: undefined,
    odometer: undefined,
    trip: undefined,
    pendingWork: [],
    latitude: Number.NaN,
    longitude: Number.NaN,
    accuracyM: Number.NaN,
    positionAtMs: Number.NaN,
    baseLatitude: Number.NaN,
    baseLongitude: Number.NaN,
    engineToMs: Number.NaN,
    lastGapMs: Number.NaN,
    waitingSinceMs: Number.NaN,
    distanceToMs: Number.NaN,
    topSpeedKmh: 0,
    speedReadings: 0,
    odometerKm: Number.NaN,
    odometerAtMs: Number.NaN,
    tripKm: Number.NaN,
    tripAtMs: Number.NaN,
    awaitedMs: 0,
    movedFromMs: Number.NaN,
    movedMs: 0,
    movedToMs: Number.NaN,
    engineShortMs: 0,
    workShortMs: 0,
  };
}

/** JSON of the state; `NaN` is null. */
export type PackedUsageState = readonly [
  hours: PackedLedger,
  odometer: PackedLedger,
  trip: PackedLedger,
  pendingWork: readonly (readonly number[])[],
  ...numbers: PackedNumbers,
];

/** In stored order. */
const NUMBER_KEYS = [
  ...(["latitude", "longitude", "accuracyM", "positionAtMs"] as const),
  ...(["baseLatitude", "baseLongitude", "engineToMs"] as const),
  ...(["lastGapMs", "waitingSinceMs", "distanceToMs", "topSpeedKmh", "speedReadings"] as const),
  // Absent from what an older program stored.
  ...(["odometerKm", "odometerAtMs", "tripKm", "tripAtMs"] as const),
  ...(["awaitedMs", "movedFromMs", "movedMs"] as const),
  ...(["engineShortMs", "workShortMs", "movedToMs"] as const),
];

export function packUsageState(state: UsageState): PackedUsageState {
  return [
    packLedger(state.hours),
    packLedger(state.odometer),
    packLedger(state.trip),
    state.pendingWork.map((work) => PENDING_KEYS.map((key) => work[key])),
    ...packNumbers(state, NUMBER_KEYS),
  ];
}

/** Absent from what an older program stored: nothing is remembered then. */
export function unpackUsageState(packed: PackedUsageState | undefined): UsageState {
  const state = newUsageState();
  if (packed === undefined) return state;
  const [hours, odometer, trip, pendingWork, ...numbers] = packed;
  state.hours = unpackLedger(hours);
  state.odometer = unpackLedger(odometer);
  state.trip = unpackLedger(trip);
  state.pendingWork = pendingWork.map((values) => {
    const work: Record<string, number> = {};
    PENDING_KEYS.forEach((key, i) => {
      work[key] = values[i] ?? 0;
    });
    return { ...noPendingWork(0), ...work };
  });
  unpackNumbers(state, NUMBER_KEYS, numbers);
  return state;
}

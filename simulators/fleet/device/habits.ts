import type { Random } from "../../randomness/random.ts";

/** Order in which a device sends what it stored while the link was away. */
type FlushOrder = "oldest_first" | "newest_first" | "shuffled";

/** What one tracker does to the truth. Drawn once per asset from the seed, and written in the truth. */
export interface DeviceHabits {
  /** Standard deviation of the position error per axis, metres. */
  readonly sigmaM: number;
  /** Correlation time of the position error, seconds. */
  readonly correlationS: number;
  /** `right`: the 68 % radius; `optimistic`: a third of it; `missing`: not sent. */
  readonly accuracy: "right" | "missing" | "optimistic";
  /** Device clock minus true time, ms. */
  readonly clockSkewMs: number;
  readonly timeFormat: "iso" | "epoch_ms";
  /** Mean time between losses of the satellites, s (0: never), and what it sends meanwhile. */
  readonly noFixEveryS: number;
  readonly noFixStyle: "silent" | "without_position";
  /** Mean time between losses of the network, s (0: never); readings are stored meanwhile. */
  readonly outageEveryS: number;
  readonly flushOrder: FlushOrder;
  /** Most readings in one message of a flush. */
  readonly flushBatch: number;
  /** Share of messages sent a second time with the same payload. */
  readonly duplicateShare: number;
  /** Readings per message in normal service; above 1 they travel as an array. */
  readonly liveBatch: number;
  /** Whether such an array is in random order. */
  readonly shuffleBatch: boolean;
  /** Share of fixes that are (0, 0) or kilometres away. */
  readonly outlierShare: number;
}

/** Which imperfections are wanted at all. */
export interface HabitLimits {
  /** Readings exactly as the truth is, one by one, in order. */
  readonly clean: boolean;
  /** Otherwise every accuracy is `missing`. */
  readonly reportsAccuracy: boolean;
  readonly outliers: boolean;
  /** Readings per second of one asset. */
  readonly rate: number;
}

/**
 * Above this many messages per second of one asset, readings share messages: real devices send no faster, and
 * each message costs a round trip.
 */
const MAX_MESSAGES_PER_S = 10;

/** Draws the habits of one device. Shares and means are chosen so that 20 devices show every habit. */
export function drawHabits(random: Random, limits: HabitLimits): DeviceHabits {
  const { clean, reportsAccuracy, outliers, rate } = limits;
  const needed = Math.max(1, Math.ceil(rate / MAX_MESSAGES_PER_S));
  // Every draw is made whatever comes of it, so that the options do not change the others.
  const batches = random.chance(0.15);
  const drawn: DeviceHabits = {
    sigmaM: round(random.uniform(0.8, 3.5), 2),
    correlationS: round(random.uniform(40, 80), 1),
    accuracy: random.pick(["right", "right", "right", "missing", "optimistic"] as const),
    clockSkewMs: random.chance(0.2) ? random.integer(-120_000, 120_000) : 0,
    timeFormat: random.pick(["iso", "epoch_ms"] as const),
    noFixEveryS: random.chance(0.5) ? Math.round(random.uniform(900, 3_600)) : 0,
    noFixStyle: random.pick(["silent", "without_position"] as const),
    outageEveryS: random.chance(0.5) ? Math.round(random.uniform(1_200, 5_400)) : 0,
    flushOrder: random.pick(["oldest_first", "newest_first", "newest_first", "shuffled"] as const),
    flushBatch: random.pick([1, 50, 200, 1_000]),
    duplicateShare: random.chance(0.3) ? 0.01 : 0,
    liveBatch: Math.max(needed, batches ? random.integer(3, 12) : 1),
    shuffleBatch: random.chance(0.7),
    outlierShare: outliers ? 0.001 : 0,
  };
  const habits: DeviceHabits = reportsAccuracy ? drawn : { ...drawn, accuracy: "missing" };
  if (!clean) return habits;
  return {
    ...habits,
    sigmaM: 0,
    accuracy: reportsAccuracy ? "right" : "missing",
    clockSkewMs: 0,
    noFixEveryS: 0,
    outageEveryS: 0,
    duplicateShare: 0,
    liveBatch: needed,
    shuffleBatch: false,
    outlierShare: 0,
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

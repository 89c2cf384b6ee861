import { isDeepStrictEqual } from "node:util";
import type { Limit } from "../../domain/equipment/maintenance.ts";
import { MINUTE_MS } from "../../domain/time.ts";

/** Longest silence of a field over which a value counts as having stayed, ms (docs/rules.md#working-time: gaps over 5 min credit nothing). */
const MAX_GAP_MS = 5 * MINUTE_MS;

/** The numbers of one reading, or of several at one fix time. */
export interface LimitSample {
  /** Fix time, ms since the Unix epoch. */
  readonly tMs: number;
  /** Values by field name; `NaN` or absent where nothing was reported. */
  readonly fields: Readonly<Record<string, number>>;
}

/** A limit that was exceeded, or is no longer. */
export interface LimitChange {
  readonly limit: Limit;
  readonly type: "exceeded" | "cleared";
  /** `exceeded`: the first sample beyond the limit; `cleared`: the first one back; ms since the Unix epoch. */
  readonly atMs: number;
  /** The field's value then; `undefined` where the plan changed, not the value. */
  readonly value: number | undefined;
  readonly cause: "level" | "plan_changed";
}

/** Samples in a row beyond a limit. */
interface LimitRun {
  readonly limit: Limit;
  readonly startMs: number;
  readonly startValue: number;
  /** Newest sample of the field. */
  lastMs: number;
  /** Whether the run has lasted long enough, and was published. */
  exceeded: boolean;
}

/** What the fold over an asset's samples remembers. Changed in place. */
export interface LimitFold {
  /** Newest sample, or newest change of the plan that was dealt with; ms since the Unix epoch. */
  clockMs: number;
  /** The runs that are not over, by limit. */
  readonly runs: Map<string, LimitRun>;
}

/** As JSON, with each limit as it was: a plan that changed meanwhile must be noticed. */
export type PackedLimitFold = readonly [
  clockMs: number,
  ...runs: (readonly [
    limit: Limit,
    startMs: number,
    startValue: number,
    lastMs: number,
    exceeded: boolean,
  ])[],
];

export const newLimitFold = (): LimitFold => ({ clockMs: 0, runs: new Map() });

export function copyLimitFold({ clockMs, runs }: LimitFold): LimitFold {
  return { clockMs, runs: new Map(Array.from(runs, ([id, run]) => [id, { ...run }])) };
}

export function packLimitFold({ clockMs, runs }: LimitFold): PackedLimitFold {
  const packed = Array.from(
    runs.values(),
    ({ limit, startMs, startValue, lastMs, exceeded }) =>
      [limit, startMs, startValue, lastMs, exceeded] as const,
  );
  return [clockMs, ...packed];
}

export function unpackLimitFold([clockMs, ...packed]: PackedLimitFold): LimitFold {
  const runs = packed.map(([limit, startMs, startValue, lastMs, exceeded]) => {
    const run: LimitRun = { limit, startMs, startValue, lastMs, exceeded };
    return [limit.id, run] as const;
  });
  return { clockMs, runs: new Map(runs) };
}

/** Ids of the limits that are exceeded. */
export const limitsExceeded = ({ runs }: LimitFold): readonly string[] =>
  [...runs.values()].filter((run) => run.exceeded).map((run) => run.limit.id);

/** What is in force for one asset. */
export interface LimitRules {
  limitsAt(atMs: number): readonly Limit[];
  /** The instants in `(fromMs, toMs]`, ascending, at which that may change. */
  changes(fromMs: number, toMs: number): readonly number[];
}

/**
 * Folds the next sample, in strictly ascending fix time (`tMs > clockMs`), after what changed of the
 * plan before it. The result depends on the sorted samples and the plans only, so that a re-run from an
 * earlier copy over the same samples ends equal.
 */
export function advanceLimits(
  fold: LimitFold,
  sample: LimitSample,
  rules: LimitRules,
  emit: (change: LimitChange) => void,
): void {
  const { tMs, fields } = sample;
  advanceLimitsTo(fold, tMs, rules, emit);
  fold.clockMs = tMs;
  const limits = rules.limitsAt(tMs);
  // Also what no change of a plan ends: the machine is of another type, or in another project.
  if (fold.runs.size > 0) endChanged(fold, tMs, limits, emit);
  for (const limit of limits) {
    const value = fields[limit.field];
    if (value === undefined || Number.isNaN(value)) continue;
    advanceLimit(fold, limit, tMs, value, emit);
  }
}

/**
 * Deals with changes of the plan up to `atMs`: what the plan no longer has, or has otherwise, ends at
 * the change. A limit that was changed starts again with the next sample.
 */
export function advanceLimitsTo(
  fold: LimitFold,
  atMs: number,
  rules: LimitRules,
  emit: (change: LimitChange) => void,
): void {
  // Nearly always: nothing is beyond its limit, so no change of the plan can end anything.
  if (fold.runs.size === 0) return;
  for (const changeMs of rules.changes(fold.clockMs, atMs)) {
    endChanged(fold, changeMs, rules.limitsAt(changeMs), emit);
    fold.clockMs = changeMs;
  }
}

function endChanged(
  { runs }: LimitFold,
  atMs: number,
  limits: readonly Limit[],
  emit: (change: LimitChange) => void,
): void {
  for (const [id, run] of runs) {
    const limit = limits.find((one) => one.id === id);
    if (isDeepStrictEqual(limit, run.limit)) continue;
    runs.delete(id);
    if (!run.exceeded) continue;
    emit({ limit: run.limit, type: "cleared", atMs, value: undefined, cause: "plan_changed" });
  }
}

function advanceLimit(
  { runs }: LimitFold,
  limit: Limit,
  tMs: number,
  value: number,
  emit: (change: LimitChange) => void,
): void {
  let run = runs.get(limit.id);
  if (run?.exceeded) {
    run.lastMs = tMs;
    if (!isBack(limit, value)) return;
    runs.delete(limit.id);
    emit({ limit, type: "cleared", atMs: tMs, value, cause: "level" });
    return;
  }
  if (!isBeyond(limit, value)) {
    runs.delete(limit.id);
    return;
  }
  if (run === undefined || tMs - run.lastMs > MAX_GAP_MS) {
    run = { limit, startMs: tMs, startValue: value, lastMs: tMs, exceeded: false };
    runs.set(limit.id, run);
  }
  run.lastMs = tMs;
  if (tMs - run.startMs < limit.forMs) return;
  run.exceeded = true;
  const { startMs: atMs, startValue } = run;
  emit({ limit, type: "exceeded", atMs, value: startValue, cause: "level" });
}

const isBeyond = ({ bound, level }: Limit, value: number): boolean =>
  bound === "above" ? value > level : value < level;

const isBack = ({ bound, clearAt }: Limit, value: number): boolean =>
  bound === "above" ? value <= clearAt : value >= clearAt;

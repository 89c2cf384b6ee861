import { depthM } from "./date-span.ts";
import { type Match, matchNearest } from "./matching.ts";
import type { RecordedCrossing } from "./recorded.ts";
import { placeAt } from "./track.ts";
import {
  noiseM,
  passagesOf,
  type TrueCrossing,
  VISIBILITIES,
  type Visibility,
} from "./true-crossings.ts";
import type { FleetTruth, TruthAsset, TruthFence } from "./truth.ts";

/**
 * Why a recorded crossing is false. `doubled`: its true crossing was recorded already, the machine did not go
 * back over the edge between the two, and noise at the edge does not explain a recorded crossing back.
 * `inferred`: it was inferred from the straight line between two fixes, and the machine went round.
 * `within_noise`: the machine was so near to the edge that noise alone may lead there. `elsewhere`: any other.
 */
const FALSE_KINDS = ["doubled", "inferred", "within_noise", "elsewhere"] as const;
export type FalseKind = (typeof FALSE_KINDS)[number];

/** A recorded crossing with its time put right by the device's clock error. */
interface TimedCrossing {
  readonly record: RecordedCrossing;
  /** True time, ms since the Unix epoch. */
  readonly atMs: number;
}

export type CrossingMatch = Match<TrueCrossing, TimedCrossing>;

export interface FalseCrossing extends TimedCrossing {
  readonly kind: FalseKind;
}

/** How recorded crossings compare with the true ones. */
export interface FleetScore {
  /** True crossings by whether they could be seen, and how many of them were recorded. */
  readonly truth: Readonly<Record<Visibility, { readonly all: number; readonly seen: number }>>;
  /** Recorded crossings, without those of a first fix or of a changed fence. */
  readonly recorded: number;
  readonly inferred: number;
  readonly falseByKind: Readonly<Record<FalseKind, number>>;
  /** Rows with the asset, fence, type and fix time of another. */
  readonly repeated: number;
  /** Share of the recorded crossings that happened. */
  readonly precision: number;
  /** Share of the clear crossings that were recorded, and of all there were. */
  readonly recall: number;
  readonly recallOfAll: number;
  /** Recorded minus true time of the clear crossings, ms. */
  readonly offMs: { readonly median: number; readonly p99: number };
  /** Machines clearly in a fence when first heard: how many, recorded so; and recorded so without being in it. */
  readonly starts: { readonly inside: number; readonly seen: number; readonly wrong: number };
  /** Records of any other cause; none is expected. */
  readonly otherCauses: number;
  readonly missed: readonly TrueCrossing[];
  readonly wrong: readonly FalseCrossing[];
}

/** Compares what was recorded with the truth, for every machine and every fence of its project. */
export function scoreFleet(truth: FleetTruth, recorded: readonly RecordedCrossing[]): FleetScore {
  const byPair = groupByPair(recorded);
  const matches: CrossingMatch[] = [];
  const missed: TrueCrossing[] = [];
  const wrong: FalseCrossing[] = [];
  const all: TrueCrossing[] = [];
  const starts = { inside: 0, seen: 0, wrong: 0 };
  for (const asset of truth.assets) {
    for (const fence of truth.fences) {
      if (fence.projectId !== asset.projectId) continue;
      const { start, crossings } = passagesOf(asset, fence);
      const records = byPair.get(pairKey(asset.id, fence.id)) ?? [];
      const pair = matchPair(crossings, timed(records, asset));
      all.push(...crossings);
      matches.push(...pair.matches);
      missed.push(...pair.missed);
      for (const one of pair.left) wrong.push({ ...one, kind: falseKind(one, pair, asset, fence) });
      const isRecorded = records.some(({ cause }) => cause === "first_fix");
      if (start === "inside") starts.inside += 1;
      if (start === "inside" && isRecorded) starts.seen += 1;
      if (start === "outside" && isRecorded) starts.wrong += 1;
    }
  }
  const crossings = recorded.filter(({ cause }) => cause === "crossing");
  const clear = matches.filter(({ expected }) => expected.visibility === "clear");
  const visible = all.filter(({ visibility }) => visibility === "clear").length;
  return {
    truth: countByVisibility(all, matches),
    recorded: crossings.length,
    inferred: crossings.filter(({ inferred }) => inferred).length,
    falseByKind: countBy(
      FALSE_KINDS,
      wrong.map(({ kind }) => kind),
    ),
    repeated: recorded.length - new Set(recorded.map(rowKey)).size,
    precision: share(matches.length, crossings.length),
    recall: share(clear.length, visible),
    recallOfAll: share(matches.length, all.length),
    offMs: quantilesOf(clear.map(({ offMs }) => offMs)),
    starts,
    otherCauses: recorded.filter(({ cause }) => cause !== "crossing" && cause !== "first_fix")
      .length,
    missed,
    wrong,
  };
}

interface MatchedPair {
  readonly crossings: readonly TrueCrossing[];
  readonly matches: readonly CrossingMatch[];
  readonly missed: readonly TrueCrossing[];
  readonly left: readonly TimedCrossing[];
  readonly records: readonly TimedCrossing[];
}

/** Clear crossings choose first: a record beside one of them is not given to a wobble at the edge. */
function matchPair(
  crossings: readonly TrueCrossing[],
  records: readonly TimedCrossing[],
): MatchedPair {
  const matches = (["entered", "exited"] as const).flatMap((type) => {
    const expected = crossings.filter((one) => one.type === type);
    return matchNearest(
      [
        expected.filter(({ visibility }) => visibility === "clear"),
        expected.filter(({ visibility }) => visibility !== "clear"),
      ],
      records.filter(({ record }) => record.type === type),
    );
  });
  const used = new Set(matches.map(({ recorded }) => recorded));
  const left = records.filter((one) => !used.has(one));
  const seen = new Set(matches.map(({ expected }) => expected));
  const missed = crossings.filter((one) => one.visibility === "clear" && !seen.has(one));
  return { crossings, matches, missed, left, records };
}

function falseKind(
  { record, atMs }: TimedCrossing,
  { crossings, matches, records }: MatchedPair,
  asset: TruthAsset,
  fence: TruthFence,
): FalseKind {
  const distanceM = Math.abs(depthM(placeAt(asset.track, atMs), fence));
  const isNoise = !record.inferred && distanceM < noiseM(asset);
  const isDoubled = matches.some(
    ({ expected: { type, fromMs, toMs }, recorded }) =>
      type === record.type &&
      atMs >= fromMs &&
      atMs <= toMs &&
      !wentBack(crossings, type, recorded.atMs, atMs) &&
      !(isNoise && isRecordedBack(records, type, recorded.atMs, atMs)),
  );
  if (isDoubled) return "doubled";
  if (record.inferred) return "inferred";
  return isNoise ? "within_noise" : "elsewhere";
}

/** Whether a crossing the other way is recorded between two times, ms. */
const isRecordedBack = (
  records: readonly TimedCrossing[],
  type: TrueCrossing["type"],
  oneMs: number,
  otherMs: number,
): boolean =>
  records.some(
    ({ record, atMs }) =>
      record.type !== type && atMs > Math.min(oneMs, otherMs) && atMs < Math.max(oneMs, otherMs),
  );

/** Whether the machine truly crossed the edge in the other direction between two times, ms. */
const wentBack = (
  crossings: readonly TrueCrossing[],
  type: TrueCrossing["type"],
  oneMs: number,
  otherMs: number,
): boolean =>
  crossings.some(
    (one) =>
      one.type !== type &&
      one.timesMs.some((tMs) => tMs > Math.min(oneMs, otherMs) && tMs < Math.max(oneMs, otherMs)),
  );

function timed(
  records: readonly RecordedCrossing[],
  { clockSkewMs }: TruthAsset,
): readonly TimedCrossing[] {
  return records
    .filter(({ cause }) => cause === "crossing")
    .map((record) => ({ record, atMs: record.atMs - clockSkewMs }));
}

const pairKey = (assetId: string, fenceId: string): string => `${assetId} ${fenceId}`;
const rowKey = ({ assetId, fenceId, type, atMs }: RecordedCrossing): string =>
  [assetId, fenceId, type, atMs].join(" ");

function groupByPair(
  recorded: readonly RecordedCrossing[],
): ReadonlyMap<string, readonly RecordedCrossing[]> {
  const groups = new Map<string, RecordedCrossing[]>();
  for (const record of recorded) {
    const key = pairKey(record.assetId, record.fenceId);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
}

function countByVisibility(
  all: readonly TrueCrossing[],
  matches: readonly CrossingMatch[],
): FleetScore["truth"] {
  const there = countBy(
    VISIBILITIES,
    all.map(({ visibility }) => visibility),
  );
  const seen = countBy(
    VISIBILITIES,
    matches.map(({ expected }) => expected.visibility),
  );
  const entries = VISIBILITIES.map((name) => [name, { all: there[name], seen: seen[name] }]);
  return Object.fromEntries(entries) as FleetScore["truth"];
}

function countBy<K extends string>(kinds: readonly K[], found: readonly K[]): Record<K, number> {
  const entries = kinds.map((kind) => [kind, found.filter((one) => one === kind).length]);
  return Object.fromEntries(entries) as Record<K, number>;
}

/** 1 of nothing: what was not asked for was not missed. */
const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

function quantilesOf(values: readonly number[]): FleetScore["offMs"] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (quantile: number) => sorted[Math.ceil(quantile * sorted.length) - 1] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Location } from "../../../domain/geodesy.ts";
import { createFrame, type Frame, type Point } from "../../../simulators/fleet/site/plane.ts";
import type { Track } from "./track.ts";

/** A fence of the run on the plane of its project. */
export interface TruthFence {
  readonly id: string;
  readonly projectId: string;
  readonly ring: readonly Point[];
}

/** One stay in a fence, true times, ms since the Unix epoch; `undefined`: it began before, or ends after, the run. */
export interface TrueVisit {
  readonly fenceId: string;
  readonly enteredMs: number | undefined;
  readonly exitedMs: number | undefined;
}

/** What is true of one machine, and what its device let be known. */
export interface TruthAsset {
  readonly id: string;
  readonly projectId: string;
  /** Standard deviation of its position error per axis, metres. */
  readonly sigmaM: number;
  /** What the service takes its accuracy for, metres: as reported, else assumed. */
  readonly accuracyM: number;
  /** Its clock minus true time, ms: recorded times are on its clock. */
  readonly clockSkewMs: number;
  /** True times of its acknowledged fixes, ascending, ms since the Unix epoch; outliers are none. */
  readonly fixTimesMs: readonly number[];
  /** True time of its first reading with a position, be it an outlier. */
  readonly firstHeardMs: number;
  readonly visits: readonly TrueVisit[];
  readonly track: Track;
}

/** truth.json as the comparison needs it. */
export interface FleetTruth {
  readonly startMs: number;
  readonly endMs: number;
  readonly fences: readonly TruthFence[];
  readonly assets: readonly TruthAsset[];
}

/** Accuracy of a fix that reports none, metres (docs/rules.md#accuracy). */
const ASSUMED_ACCURACY_M = 15;
/** The 68 % radius of a circular normal error in standard deviations of one axis (Rayleigh). */
const RADIUS_68 = 1.51;
/** Smallest accuracy that a simulated device reports, and what an optimistic one divides by. */
const REPORTED = { leastM: 0.5, optimism: 3 };

interface HeadJson {
  readonly format: string;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly projects: readonly { readonly id: string; readonly location: Location }[];
  readonly fences: readonly {
    readonly id: string;
    readonly project_id: string;
    readonly polygon: readonly (readonly [number, number])[];
  }[];
}

/** One asset of truth.json; the parts that are used. */
export interface AssetJson {
  readonly id: string;
  readonly project_id: string;
  readonly device: {
    readonly position_sigma_m: number;
    readonly accuracy: "right" | "optimistic" | "missing";
    readonly clock_skew_ms: number;
  };
  readonly sampling: { readonly first_ms: number; readonly period_ms: number };
  readonly skipped: readonly (readonly [beforeSeq: number, count: number])[];
  readonly acknowledged_seqs: readonly (readonly [first: number, last: number])[];
  readonly visits: readonly {
    readonly fence_id: string;
    readonly entered_ms?: number;
    readonly exited_ms?: number;
  }[];
  readonly deeds: readonly { readonly what: string; readonly seqs: readonly [number, number] }[];
  readonly track: readonly (readonly [second: number, latitude: number, longitude: number])[];
}

/**
 * Reads truth.json asset by asset: each has a line of its own, and the whole may be larger than memory
 * takes as one text. @throws Error when the file is of another format.
 */
export async function readTruth(path: string): Promise<FleetTruth> {
  let head: HeadJson | undefined;
  const frames = new Map<string, Frame>();
  const assets: TruthAsset[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const text = line.replace(/,$/, "");
    if (head === undefined) {
      head = JSON.parse(`${text}}`) as HeadJson;
      if (head.format !== "plumbline-fleet-truth/1") throw new Error(`unknown truth: ${path}`);
      for (const { id, location } of head.projects) frames.set(id, createFrame(location));
    } else if (text.startsWith("{")) {
      const asset = JSON.parse(text) as AssetJson;
      assets.push(readAsset(asset, frameOf(frames, asset.project_id), head.start_ms));
    }
  }
  if (head === undefined) throw new Error(`no truth in ${path}`);
  const fences = head.fences.map(({ id, project_id, polygon }) => ({
    id,
    projectId: project_id,
    ring: polygon.map(([latitude, longitude]) =>
      frameOf(frames, project_id).toPoint({ latitude, longitude }),
    ),
  }));
  return { startMs: head.start_ms, endMs: head.end_ms, fences, assets };
}

function frameOf(frames: ReadonlyMap<string, Frame>, projectId: string): Frame {
  const frame = frames.get(projectId);
  if (frame === undefined) throw new Error(`no project ${projectId} in the truth`);
  return frame;
}

/** One asset on the plane of its project. */
export function readAsset(asset: AssetJson, frame: Frame, startMs: number): TruthAsset {
  const { device } = asset;
  return {
    id: asset.id,
    projectId: asset.project_id,
    sigmaM: device.position_sigma_m,
    accuracyM: accuracyOf(device),
    clockSkewMs: device.clock_skew_ms,
    fixTimesMs: timesOf(asset, ["no_fix", "outlier"]),
    firstHeardMs: timesOf(asset, ["no_fix"])[0] ?? Number.POSITIVE_INFINITY,
    visits: asset.visits.map((visit) => ({
      fenceId: visit.fence_id,
      enteredMs: visit.entered_ms,
      exitedMs: visit.exited_ms,
    })),
    track: {
      timesMs: Float64Array.from(asset.track, ([second]) => startMs + second * 1_000),
      points: asset.track.map(([, latitude, longitude]) => frame.toPoint({ latitude, longitude })),
    },
  };
}

function accuracyOf({ accuracy, position_sigma_m: sigmaM }: AssetJson["device"]): number {
  const radiusM = Math.max(REPORTED.leastM, RADIUS_68 * sigmaM);
  if (accuracy === "missing") return ASSUMED_ACCURACY_M;
  return accuracy === "right" ? radiusM : radiusM / REPORTED.optimism;
}

/**
 * The times of the acknowledged readings, those with one of the given deeds left out. Reading `seq` was
 * taken at `first_ms + (seq + skipped before it) * period_ms`, true time.
 */
function timesOf(asset: AssetJson, without: readonly string[]): readonly number[] {
  const { sampling, skipped } = asset;
  const leftOut = new Set(
    asset.deeds
      .filter(({ what }) => without.includes(what))
      .flatMap(({ seqs: [first, last] }) => numbersFrom(first, last)),
  );
  const times: number[] = [];
  let passed = 0;
  let skippedCount = 0;
  for (const [first, last] of asset.acknowledged_seqs) {
    for (let seq = first; seq <= last; seq += 1) {
      for (let skip = skipped[passed]; skip !== undefined && skip[0] <= seq; ) {
        skippedCount += skip[1];
        passed += 1;
        skip = skipped[passed];
      }
      if (leftOut.has(seq)) continue;
      times.push(sampling.first_ms + (seq + skippedCount) * sampling.period_ms);
    }
  }
  return times;
}

const numbersFrom = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);

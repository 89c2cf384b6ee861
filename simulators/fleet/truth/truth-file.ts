import { createWriteStream } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Deed } from "../device/device.ts";
import type { DeviceHabits } from "../device/habits.ts";
import { cornerPairs, type Fence, fenceBody } from "../site/fences.ts";
import type { Visit } from "../world/crossings.ts";
import type { WorkLedger } from "../world/work-ledger.ts";
import type { ProjectPlan } from "../world/world.ts";
import type { TrackFile } from "./track-file.ts";

/** Everything that is true of one asset, and what its device made of it. */
export interface AssetTruth {
  readonly id: string;
  readonly projectId: string;
  readonly type: string;
  /** What its device speaks. */
  readonly format: string;
  readonly habits: DeviceHabits;
  /** Reading `seq` was taken at `firstMs + (seq + skipped before it) * periodMs`, true time. */
  readonly sampling: { readonly firstMs: number; readonly periodMs: number };
  readonly skipped: readonly { readonly beforeSeq: number; readonly count: number }[];
  readonly madeCount: number;
  /** Messages handed to MQTT by treatment; resends are not counted again. */
  readonly messages: Readonly<Record<string, number>>;
  /** Readings that the device dropped because its memory was full. */
  readonly droppedCount: number;
  readonly acknowledged: readonly (readonly [number, number])[];
  readonly acknowledgedCount: number;
  readonly days: ReturnType<WorkLedger["days"]>;
  readonly crossingCount: number;
  readonly visits: readonly Visit[];
  readonly deeds: readonly Deed[];
  /** `undefined` in a run without end, which keeps summaries only. */
  readonly track: TrackFile | undefined;
}

/** What is true of the whole run. */
export interface RunTruth {
  readonly seed: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly projects: readonly ProjectPlan[];
  readonly fences: readonly Fence[];
}

/** Writes `fences.json`: the bodies of POST /equipment/geofences by which the fences were created. */
export async function writeFences(
  folder: string,
  fences: readonly Fence[],
  fencesFromMs: number,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const bodies = fences.map((fence) => fenceBody(fence, fencesFromMs));
  await writeFile(join(folder, "fences.json"), `${JSON.stringify(bodies, undefined, 1)}\n`);
}

/**
 * Writes `truth.json`, one asset per line; tracks are copied from their files, so that memory stays
 * flat whatever the length of the run. Returns the path.
 */
export async function writeTruth(
  folder: string,
  run: RunTruth,
  assets: readonly AssetTruth[],
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "truth.json");
  await pipeline(Readable.from(truthText(run, assets)), createWriteStream(path));
  for (const asset of assets) asset.track?.remove();
  await rm(join(folder, ".tracks"), { recursive: true, force: true });
  return path;
}

async function* truthText(
  run: RunTruth,
  assets: readonly AssetTruth[],
): AsyncGenerator<string | Buffer> {
  const head = {
    format: "plumbline-fleet-truth/1",
    seed: run.seed,
    start_ms: run.startMs,
    end_ms: run.endMs,
    projects: run.projects.map(({ id, name, location, timeZone, shift }) => ({
      id,
      name,
      location,
      time_zone: timeZone,
      shift,
    })),
    fences: run.fences.map((fence) => ({
      id: fence.id,
      name: fence.name,
      kind: fence.kind,
      project_id: fence.projectId,
      alert_on: fence.alertOn,
      polygon: cornerPairs(fence),
    })),
    track_columns: ["seconds_since_start", "latitude", "longitude"],
  };
  yield `${JSON.stringify(head).slice(0, -1)},\n"assets":[\n`;
  for (const [i, asset] of assets.entries()) {
    yield `${i === 0 ? "" : ",\n"}${assetText(asset)}`;
    if (asset.track !== undefined) {
      yield ',"track":[';
      yield* asset.track.read();
      yield "]";
    }
    yield "}";
  }
  yield "\n]}\n";
}

/** The asset's object without its closing brace. */
function assetText(asset: AssetTruth): string {
  const { habits } = asset;
  const value = {
    id: asset.id,
    project_id: asset.projectId,
    type: asset.type,
    device: {
      format: asset.format,
      position_sigma_m: habits.sigmaM,
      position_correlation_s: habits.correlationS,
      accuracy: habits.accuracy,
      clock_skew_ms: habits.clockSkewMs,
      time_format: habits.timeFormat,
      no_fix_every_s: habits.noFixEveryS,
      no_fix_style: habits.noFixStyle,
      outage_every_s: habits.outageEveryS,
      flush_order: habits.flushOrder,
      flush_batch: habits.flushBatch,
      duplicate_share: habits.duplicateShare,
      live_batch: habits.liveBatch,
      shuffle_batch: habits.shuffleBatch,
      outlier_share: habits.outlierShare,
    },
    sampling: { first_ms: asset.sampling.firstMs, period_ms: asset.sampling.periodMs },
    skipped: asset.skipped.map(({ beforeSeq, count }) => [beforeSeq, count]),
    readings: {
      made: asset.madeCount,
      dropped: asset.droppedCount,
      acknowledged: asset.acknowledgedCount,
    },
    messages: asset.messages,
    acknowledged_seqs: asset.acknowledged,
    days: asset.days.map(({ day, workingS, overtimeS, engineOnS }) => ({
      day,
      working_s: workingS,
      overtime_s: overtimeS,
      engine_on_s: engineOnS,
    })),
    crossings: asset.crossingCount,
    visits: asset.visits.map(({ fenceId, enteredMs, exitedMs }) => ({
      fence_id: fenceId,
      ...(enteredMs !== undefined && { entered_ms: enteredMs }),
      ...(exitedMs !== undefined && { exited_ms: exitedMs }),
    })),
    deeds: asset.deeds.map(({ what, fromSeq, toSeq, fromMs, toMs }) => ({
      what,
      seqs: [fromSeq, toSeq],
      from_ms: Math.round(fromMs),
      to_ms: Math.round(toMs),
    })),
  };
  return JSON.stringify(value).slice(0, -1);
}

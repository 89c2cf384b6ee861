import { basename, join } from "node:path";
import { createLocalEngine } from "../../processing/engine/local.ts";
import type { SurveyResult } from "../../processing/engine/port/engine.ts";
import { createStageStores } from "../../processing/engine/run/stage-stores.ts";
import { type GateFinding, GateRefusal } from "../../processing/gates/gates.ts";
import { imageFilesOf } from "../../processing/images/files/folder-files.ts";
import type { SurveyImage } from "../../processing/photogrammetry/camera/survey-image.ts";
import type {
  FailedPair,
  VerifiedPair,
} from "../../processing/photogrammetry/matching/verified-pair.ts";
import type { Orientation } from "../../processing/photogrammetry/orient/block/orientation.ts";
import type { WorkerPool } from "../../processing/pool/pool.ts";
import type { SurveyBench } from "./run-survey.ts";
import type { SurveySet } from "./survey-sets.ts";

/** A survey that the local engine was given, and what its tasks found meanwhile. */
export interface RecordedSurvey {
  /** What refused; `undefined`: there is a result. */
  readonly refusal: GateRefusal | undefined;
  /** Warnings of the result, or what refused. */
  readonly findings: readonly GateFinding[];
  readonly result: SurveyResult | undefined;
  readonly images: readonly SurveyImage[];
  /** Keypoints of each image. */
  readonly keypoints: readonly number[];
  readonly pairs: readonly (VerifiedPair | FailedPair)[];
  readonly orientation: Orientation | undefined;
  /** Tiles of the surface that were begun. */
  readonly tiles: number;
  readonly seconds: number;
}

/** Runs the local engine over images of a set, of which `pick` chooses by index. */
export async function recordSurvey(
  bench: SurveyBench,
  set: SurveySet,
  pick: (index: number) => boolean = () => true,
): Promise<RecordedSurvey> {
  const names = new Set(set.images.filter((_, i) => pick(i)).map((path) => basename(path)));
  const files = (await imageFilesOf(set.folder)).filter(({ name }) => names.has(name));
  const images: SurveyImage[] = [];
  const keypoints: number[] = [];
  const pairs: (VerifiedPair | FailedPair)[] = [];
  let orientation: Orientation | undefined;
  let tiles = 0;
  const run: WorkerPool["run"] = async (task, input, signal) => {
    const { name } = task;
    if (name === "match-tile") tiles += 1;
    const output = await bench.pool.run(task, input, signal);
    if (name === "read-image") images.push(output as SurveyImage);
    if (name === "find-keypoints") keypoints.push((output as { readonly count: number }).count);
    if (name === "match-pairs") pairs.push(...(output as (VerifiedPair | FailedPair)[]));
    if (name === "orient") orientation = output as Orientation;
    return output;
  };
  const { threads, memoryBytes, roomBytes } = bench.pool;
  const pool: WorkerPool = {
    ...{ threads, memoryBytes, roomBytes, running: 0, waiting: 0, usedBytes: 0, run },
    hold: (bytes, signal) => bench.pool.hold(bytes, signal),
    close: () => bench.pool.close(),
  };
  const engine = createLocalEngine({ pool, stages: createStageStores() });
  const startedMs = performance.now();
  let result: SurveyResult | undefined;
  let refusal: GateRefusal | undefined;
  try {
    // Finished stages of another case would hide tasks from the record.
    const workDir = join(bench.dir, `stages-${basename(set.folder)}-${names.size}`);
    result = await bench.run(files, { engine, input: { workDir } });
  } catch (error) {
    if (!(error instanceof GateRefusal)) throw error;
    refusal = error;
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const findings = refusal === undefined ? (result?.findings ?? []) : [refusal.finding];
  return { refusal, findings, result, images, keypoints, pairs, orientation, tiles, seconds };
}

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalEngine } from "../../processing/engine/local.ts";
import type {
  SurveyEngine,
  SurveyInput,
  SurveyProgress,
  SurveyResult,
} from "../../processing/engine/port/engine.ts";
import { createStageStores } from "../../processing/engine/run/stage-stores.ts";
import { imageFilesOf } from "../../processing/images/files/folder-files.ts";
import type { ImageFile } from "../../processing/images/files/image-file.ts";
import { ThreadPool, type WorkerPool } from "../../processing/pool/pool.ts";

/** Enough for 36 images of 1200 px. */
const MEMORY_BYTES = 1.2e9;

/** A pool, a folder for stages and one for products; all gone after `close`. */
export interface SurveyBench {
  readonly pool: WorkerPool;
  readonly dir: string;
  /** Runs an engine, the local one if none is given, over the images of a folder or these. */
  run(
    images: string | readonly ImageFile[],
    options?: {
      readonly profile?: Partial<SurveyInput["profile"]>;
      readonly engine?: SurveyEngine;
      readonly input?: Partial<SurveyInput>;
      readonly signal?: AbortSignal;
      readonly onProgress?: (progress: SurveyProgress) => void;
    },
  ): Promise<SurveyResult>;
  close(): Promise<void>;
}

/** @param threads of the pool, and its memory, bytes */
export async function openSurveyBench(
  threads = 2,
  memoryBytes = MEMORY_BYTES,
): Promise<SurveyBench> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-survey-"));
  const pool = new ThreadPool({ threads, memoryBytes });
  const local = createLocalEngine({ pool, stages: createStageStores() });
  return {
    pool,
    dir,
    async run(images, { profile, engine = local, input, signal, onProgress } = {}) {
      return await engine.process(
        {
          name: "check",
          images: typeof images === "string" ? await imageFilesOf(images) : images,
          profile: {
            ...{ workingWidthPx: 1_200, dsmCellGsd: 4, orthoCellGsd: 2, maxKeypoints: 2_000 },
            surfaceWidthPx: profile?.workingWidthPx ?? 1_200,
            ...profile,
          },
          controlPoints: [],
          scaleBars: [],
          workDir: join(dir, "stages"),
          outDir: join(dir, `out-${randomBytes(4).toString("hex")}`),
          ...input,
        },
        {
          signal: signal ?? new AbortController().signal,
          onProgress: onProgress ?? (() => undefined),
        },
      );
    },
    async close() {
      await pool.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

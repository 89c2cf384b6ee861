import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { JobId } from "../domain/ids.ts";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import { createDownloader } from "../outbound/downloader.ts";
import { createResolver } from "../outbound/resolve-host.ts";
import { pruneStages } from "../processing/engine/run/prune-stages.ts";
import type { SurveyEngines } from "../processing/engine/survey-engines.ts";
import { openEngineThread } from "../processing/engine/thread/engine-thread.ts";
import { deleteExpiredFiles } from "../processing/expired-files.ts";
import { type ImageFolder, openImageFolder } from "../processing/images/files/image-folder.ts";
import { createImageResolver, type ImageResolver } from "../processing/images/resolve-images.ts";
import {
  createTaskMetrics,
  registerJobMetrics,
  registerProcessingMetrics,
} from "../processing/metrics.ts";
import { defaultMemoryBytes } from "../processing/pool/memory-budget.ts";
import type { JobHandlers } from "../processing/queue/job-handler.ts";
import { JobRunner } from "../processing/queue/runner.ts";
import { sweepProducts } from "../processing/survey/sweep-products.ts";
import type { DiskSpace } from "../storage/disk/disk-space.ts";
import type { Files } from "../storage/open.ts";
import type { FileStore } from "../storage/ports/files.ts";
import type { RecordStore } from "../storage/ports/record-store.ts";
import { imageAddressRules } from "./image-address-rules.ts";
import type { Start } from "./process/common.ts";

/** Records that handlers of jobs read and write. */
type JobRecordStores = Pick<
  RecordStore,
  | "projects"
  | "stockpiles"
  | "workZones"
  | "schedules"
  | "captures"
  | "progressReports"
  | "siteCameras"
>;

/** What handlers of jobs work with. */
export interface JobTools extends JobRecordStores {
  /** Also runs tasks of a handler's own. */
  readonly engines: SurveyEngines;
  readonly images: ImageResolver;
  /** Where fetched images are kept. */
  readonly folder: ImageFolder;
  /** Takes what jobs leave behind. */
  readonly files: FileStore;
  /** Admits the files of jobs on this machine. */
  readonly disk: DiskSpace;
  /** Folder of finished stages, kept over restarts. */
  readonly workDir: string;
}

/** Handlers of this process by kind of job. */
export type CreateJobHandlers = (tools: JobTools) => JobHandlers;

/**
 * Days that a fetched image is kept after its last use: the next survey of a month is adjusted together
 * with this one's images. More days take more disk.
 */
const KEEP_IMAGES_DAYS = 35;
const SWEEP_EVERY_MS = HOUR_MS;
const MIB = 1024 ** 2;

/**
 * Starts the engines, and the runner of jobs on them. `undefined` with `WORKERS=0`: this process works on no
 * jobs. Ended in the order runner, engines: what runs goes back to the queue.
 */
export async function startProcessing(
  { settings, log, closers, metrics, disk }: Start,
  {
    records,
    files,
    onJobEnded,
  }: {
    readonly records: RecordStore;
    readonly files: Files;
    /** Called after every attempt at a job has ended. Never waits. */
    readonly onJobEnded?: (id: JobId) => void;
  },
  createHandlers: CreateJobHandlers,
): Promise<JobRunner | undefined> {
  registerJobMetrics(metrics, records.jobs);
  const threads = settings.workers ?? availableParallelism();
  if (threads === 0) return undefined;
  const { workerMemoryMib } = settings;
  const { nodeodmUrl: url, nodeodmToken: token } = settings;
  const workDir = join(settings.dataDir, "processing");
  const stagesDir = join(workDir, "stages");
  const engines = openEngineThread({
    threads,
    disk: {
      dir: settings.dataDir,
      minFreeBytes: settings.minFreeDiskBytes,
      marginBytes: settings.diskMarginBytes,
      promises: disk.promises,
      stagesDir,
    },
    memoryBytes: workerMemoryMib === undefined ? defaultMemoryBytes() : workerMemoryMib * MIB,
    nodeOdm: url === undefined ? undefined : { url, token },
    onTask: createTaskMetrics(metrics),
  });
  closers.push(() => engines.close());
  const folder = await openImageFolder(join(workDir, "images"), disk);
  const retentionMs = settings.retentionDays * DAY_MS;
  const sweep = async () => {
    const nowMs = Date.now();
    await folder.sweep(nowMs - KEEP_IMAGES_DAYS * DAY_MS);
    await sweepProducts(join(workDir, "products"), nowMs - DAY_MS);
    await deleteExpiredFiles(files.store, { retentionMs }, nowMs);
  };
  closers.push(hourly(sweep, (error) => log.warn({ err: error }, "old images and products stay")));
  const images = createImageResolver({
    folder,
    files,
    downloader: createDownloader({
      rules: imageAddressRules(settings),
      resolve: createResolver(),
    }),
  });
  const runner = new JobRunner({
    jobs: records.jobs,
    handlers: createHandlers({
      engines,
      images,
      folder,
      files: files.store,
      ...jobRecords(records),
      disk,
      workDir: stagesDir,
    }),
    // A process that comes back is another one: it must not take its old attempts for its own.
    runner: `${process.pid}-${randomBytes(6).toString("hex")}`,
    concurrency: settings.jobsAtOnce,
    isAlone: settings.databaseUrl === undefined,
    log,
    ...(onJobEnded === undefined ? {} : { onEnded: onJobEnded }),
  });
  closers.push(() => runner.stop());
  disk.addCache((freeBytes) => pruneStages(stagesDir, { freeBytes }));
  // What a running job has fetched must not be deleted as a cache.
  disk.addCache((freeBytes) => folder.evict(freeBytes, runner.oldestStartMs ?? Date.now()));
  registerProcessingMetrics(metrics, { pool: engines, runner });
  return runner;
}

/** The members that jobs use, and no others. */
function jobRecords(records: RecordStore): JobRecordStores {
  const { projects, stockpiles, workZones, schedules } = records;
  const { captures, progressReports, siteCameras } = records;
  return { projects, stockpiles, workZones, schedules, captures, progressReports, siteCameras };
}

/** Runs `work` now and then every hour, and yields what ends that. */
function hourly(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  const begin = () => void work().catch(onError);
  const timer = setInterval(begin, SWEEP_EVERY_MS);
  begin();
  return () => clearInterval(timer);
}

import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { JobId, ProjectId, StockpileId } from "../../domain/ids.ts";
import type { StockpileMeasurement } from "../../domain/sites/measurement.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import { createStageStores } from "../../processing/engine/run/stage-stores.ts";
import { createSurveyEngines } from "../../processing/engine/survey-engines.ts";
import { openImageFolder } from "../../processing/images/files/image-folder.ts";
import { createMeasureJob } from "../../processing/measurement/measure-job.ts";
import { measureJob } from "../../processing/measurement/measure-request.ts";
import { ThreadPool } from "../../processing/pool/pool.ts";
import { BOUNDLESS_DISK } from "../../storage/disk/disk-space.ts";
import { openLocalFiles } from "../../storage/files/local.ts";
import { createFileUrlSigner } from "../../storage/files/signed-url.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { Job } from "../../storage/ports/platform/jobs.ts";
import { openMemoryRecords } from "./memory-records.ts";
import { sampleStockpile } from "./sample-stockpile.ts";
import type { SurveySet } from "./survey-sets.ts";

/** Enough for 36 images of 1200 px, twice. */
const MEMORY_BYTES = 1.2e9;

/** Measures stockpiles from images on this machine's disk, all but queue and HTTP as in the service. */
export interface MeasureBench {
  /** Gone after `close`. */
  readonly dir: string;
  readonly files: FileStore;
  /** Registers a stockpile; its footprint counts as confirmed where it has one. */
  add(id: string, stockpile?: Partial<Stockpile>): Promise<void>;
  find(id: string): Promise<Stockpile>;
  /** Measures a stockpile from images, or one GeoTIFF, by path; yields the seconds that it took as well. */
  measure(
    id: string,
    paths: readonly string[],
  ): Promise<{ readonly measurement: StockpileMeasurement; readonly seconds: number }>;
  close(): Promise<void>;
}

export async function openMeasureBench(threads = 2): Promise<MeasureBench> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-measure-"));
  const pool = new ThreadPool({ threads, memoryBytes: MEMORY_BYTES });
  const folder = await openImageFolder(join(dir, "images"));
  const files = await openLocalFiles({
    dir: join(dir, "files"),
    baseUrl: () => "http://localhost",
    signer: createFileUrlSigner(new Uint8Array(32)),
  });
  const records = openMemoryRecords();
  const handler = createMeasureJob({
    engines: createSurveyEngines({ pool, stages: createStageStores(), nodeOdm: undefined }),
    images: {
      async resolve(entries) {
        return await Promise.all(
          entries.map(async (path) => {
            const kept = await folder.keep((sink) =>
              pipeline(createReadStream(path), sink, { end: false }),
            );
            const name = path.split("/").at(-1) ?? path;
            return { value: { path: kept.path, sha256: kept.sha256, name } };
          }),
        );
      },
    },
    folder,
    files,
    stockpiles: records.stockpiles,
    disk: BOUNDLESS_DISK,
    workDir: join(dir, "stages"),
  });
  await records.projects.insert({
    id: "prj_1" as ProjectId,
    name: "Quarry",
    location: { latitude: 52.5, longitude: 13.4 },
    time_zone: "UTC",
    shift: { start: "00:00", end: "24:00" },
    created_at: "2026-03-01T00:00:00.000Z",
  } as Parameters<typeof records.projects.insert>[0]);
  const find = async (id: string): Promise<Stockpile> => {
    const found = await records.stockpiles.find(id as StockpileId);
    if (found === undefined) throw new Error(`no stockpile ${id}`);
    return found;
  };
  let jobs = 0;
  return {
    dir,
    files,
    find,
    async add(id, stockpile = {}) {
      await records.stockpiles.insert(
        sampleStockpile({
          id: id as StockpileId,
          footprint_state: stockpile.footprint === undefined ? "none" : "confirmed",
          current_volume_m3: 0,
          ...stockpile,
        }),
      );
    },
    async measure(id, paths) {
      const request = { images: [...paths], requestedAtMs: Date.now() };
      jobs += 1;
      const job = {
        ...measureJob(await find(id), request),
        id: `job_${jobs}` as JobId,
        attempts: 1,
      } as unknown as Job;
      const startedMs = performance.now();
      const result = await handler(job, {
        signal: new AbortController().signal,
        progress: () => undefined,
      });
      const seconds = (performance.now() - startedMs) / 1_000;
      return { measurement: result as StockpileMeasurement, seconds };
    },
    async close() {
      await pool.close();
      await files.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Closed footprints of a simulated site's piles, by id. */
export function pileFootprints({ truth }: SurveySet) {
  return truth.piles.map(({ id, outlineLonLat }) => {
    const [first] = outlineLonLat;
    return { id, footprint: first === undefined ? [] : [...outlineLonLat, first] };
  });
}

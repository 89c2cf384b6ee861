import { DomainError } from "../../domain/errors.ts";
import type { MeasurementFiles, StockpileMeasurement } from "../../domain/sites/measurement.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { Job } from "../../storage/ports/platform/jobs.ts";
import type { StockpileRecords } from "../../storage/ports/sites/stockpiles.ts";
import type { SurveyProducts } from "../engine/port/engine.ts";
import { BASIS_NAME } from "../epoch/survey-basis.ts";
import { storeWithExports } from "../survey/store-products.ts";
import {
  type MeasurementHistory,
  measuredStockpile,
  type NewMeasurement,
} from "./measured-stockpile.ts";
import type { MeasuredSurface } from "./surface/measure-surface.ts";

/**
 * Measurements that are read at once to find the place of a new one among them. More reads rows that are not
 * needed, fewer reads more often where many are newer.
 */
const PAGE = 50;

/** One attempt's measurement, before anything of it is stored. */
export interface MeasuredJob
  extends Pick<
    NewMeasurement,
    | "measuredAtMs"
    | "gsdM"
    | "georeferencing"
    | "vertical_datum"
    | "images"
    | "image_uses"
    | "warnings"
  > {
  readonly job: Job;
  /** As it was when the attempt began. */
  readonly stockpile: Stockpile;
  readonly surface: MeasuredSurface;
  /** File that footprints which are drawn later are measured from. */
  readonly basis: Uint8Array;
  readonly products: SurveyProducts;
  readonly signal: AbortSignal;
}

/**
 * Stores files under `stockpiles/{stockpile}/{job}/{attempt}/`, then measurement, stockpile and events in
 * one transaction. What another attempt at the job stored stays, and this one's files go; files that
 * attempts left whose processes were killed go as well.
 * @throws DomainError `TASK_FAILED` when footprint or base were changed meanwhile: another attempt measures
 * with the new ones; `STOCKPILE_NOT_FOUND`; `STORE_UNAVAILABLE`
 */
export async function recordMeasurement(
  {
    files: store,
    stockpiles,
  }: { readonly files: FileStore; readonly stockpiles: StockpileRecords },
  measured: MeasuredJob,
): Promise<StockpileMeasurement> {
  const { job, stockpile, surface, signal } = measured;
  const jobFolder = `stockpiles/${stockpile.id}/${job.id}`;
  const history = await measurementHistory(stockpiles, stockpile, measured.measuredAtMs);
  const files = await storeFiles(store, `${jobFolder}/${job.attempts}`, measured);
  let stored: StockpileMeasurement;
  try {
    signal.throwIfAborted();
    stored = await stockpiles.addMeasurement(stockpile.id, job.id, (before) => {
      if (!isSameTask(before, stockpile)) {
        throw new DomainError("TASK_FAILED", "the stockpile was changed while it was measured");
      }
      return measuredStockpile(before, {
        ...measured,
        jobId: job.id,
        recordedAtMs: Date.now(),
        figures: surface.figures,
        files,
        history,
      });
    });
  } catch (error) {
    // With the store unavailable it is not known whether the measurement is there and needs them.
    const isUnsure = error instanceof DomainError && error.code === "STORE_UNAVAILABLE";
    if (!isUnsure) await deleteAllBut(store, `${jobFolder}/${job.attempts}/`, new Set());
    throw error;
  }
  const { exports, ...own } = stored.files;
  const kept = new Set<string | undefined>(Object.values({ ...own, ...exports }));
  await deleteAllBut(store, `${jobFolder}/`, kept);
  return stored;
}

async function storeFiles(
  store: FileStore,
  folder: string,
  { surface, basis, products, signal }: MeasuredJob,
): Promise<MeasurementFiles> {
  const { pictures, profile, epoch } = surface;
  const png = (name: string, bytes: Uint8Array) => ({ name: `${name}.png`, bytes });
  const { keys, exports } = await storeWithExports(
    store,
    folder,
    {
      surface: products.dsm,
      orthomosaic: products.orthomosaic,
      model3d: products.model3d,
      hillshade: png("hillshade", pictures.hillshade),
      heights: png("heights", pictures.heights),
      change: pictures.change && png("change", pictures.change),
      profile: { name: "profile.json", bytes: Buffer.from(JSON.stringify(profile)) },
      surveyReport: products.reportJson,
      surveyReportHtml: products.reportHtml,
      epoch: { name: "epoch.bin", bytes: epoch },
      basis: { name: BASIS_NAME, bytes: basis },
    },
    products.exports,
    signal,
  );
  return { ...keys, exports };
}

/** Whether a measurement of `then` is one of `now`: a datum is dropped with each change of footprint or base. */
function isSameTask(now: Stockpile, then: Stockpile): boolean {
  const taskOf = ({ footprint, base, datum }: Stockpile) =>
    JSON.stringify([footprint ?? null, base, datum ?? null]);
  return taskOf(now) === taskOf(then);
}

/** Never throws: the measurement is stored, or not, whatever stays behind. */
async function deleteAllBut(
  store: FileStore,
  prefix: string,
  kept: ReadonlySet<string | undefined>,
): Promise<void> {
  try {
    for await (const { key } of store.list(prefix)) if (!kept.has(key)) await store.delete(key);
  } catch {
    // The files lie there unused.
  }
}

/** The measurements beside one that was measured at `atMs` (ms since the Unix epoch). */
async function measurementHistory(
  records: StockpileRecords,
  { id, volume_basis: basis, measurement_id: currentId }: Stockpile,
  atMs: number,
): Promise<MeasurementHistory> {
  const current =
    basis === "measured" && currentId !== undefined
      ? await records.findMeasurement(id, currentId)
      : undefined;
  let later: MeasurementHistory["later"];
  for (let offset = 0; ; offset += PAGE) {
    const { measurements } = await records.measurements(id, { limit: PAGE, offset });
    for (const measurement of measurements) {
      if (Date.parse(measurement.measured_at) <= atMs) {
        return { current, earlier: measurement, later };
      }
      later = measurement;
    }
    if (measurements.length < PAGE) return { current, earlier: undefined, later };
  }
}

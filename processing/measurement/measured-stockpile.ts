import { DomainError } from "../../domain/errors.ts";
import type { JobId } from "../../domain/ids.ts";
import { SIGMAS_95, type StockpileMeasurement } from "../../domain/sites/measurement.ts";
import type { Stockpile, VolumeBasis } from "../../domain/sites/stockpile.ts";
import type { MeasuredStockpile } from "../../storage/ports/sites/stockpiles.ts";
import { rounded } from "../numeric/rounding.ts";
import { accuracyNote, accuracyText } from "../volume/accuracy-text.ts";
import { changeUncertainty } from "../volume/volume-uncertainty.ts";
import { measurementIdOf } from "./measurement-id.ts";
import { stockpileEvents } from "./stockpile-events.ts";
import type { SurfaceFigures } from "./surface/measure-volume.ts";
import { belowBase, litres, volumeFigures } from "./volume-figures.ts";

/** The measurements of a stockpile that a new one is compared with. */
export interface MeasurementHistory {
  /** The one whose volume is the stockpile's; `undefined`: a person declared it. */
  readonly current: StockpileMeasurement | undefined;
  /** The newest that was measured no later than the new one, and the oldest of the later ones. */
  readonly earlier: StockpileMeasurement | undefined;
  readonly later: StockpileMeasurement | undefined;
}

/** All fields of a measurement but those of its stockpile. */
export interface NewMeasurement
  extends Pick<
    StockpileMeasurement,
    "georeferencing" | "vertical_datum" | "images" | "image_uses" | "warnings" | "files"
  > {
  readonly jobId: JobId;
  readonly measuredAtMs: number;
  readonly recordedAtMs: number;
  /** Of the photographs; of a given surface, its cell. */
  readonly gsdM: number;
  readonly figures: SurfaceFigures;
  readonly history: MeasurementHistory;
}

const OTHER_OUTLINE =
  "The footprint or the base was changed since the previous measurement: the change compares two " +
  "outlines, and whether it is significant is not known.";

/**
 * A new measurement and the stockpile after it. The published volume is never below zero: no heap holds less
 * than nothing, and cut and fill show how far the surface lies below the base. A measurement older than the
 * known one changes only the datum that it may have made; its previous volume is the one before it in time.
 */
export function measuredStockpile(before: Stockpile, made: NewMeasurement): MeasuredStockpile {
  const { figures, history } = made;
  const density = before.density_t_per_m3;
  const measuredAt = new Date(made.measuredAtMs).toISOString();
  const recordedAt = new Date(made.recordedAtMs).toISOString();
  const isCurrent = made.measuredAtMs >= knownSinceMs(before);
  const previous = isCurrent ? latestVolume(before, history) : volumeUntilThen(before, history);
  const volumeM3 = litres(Math.max(0, figures.netM3));
  const changeM3 = litres(volumeM3 - previous.volumeM3);
  const sigmaM3 = litres(figures.uncertainty.sigmaM3);
  // Without a datum the footprint or the base was changed: the change says what that made, too.
  const isOtherOutline = previous.measurement !== undefined && before.datum === undefined;
  const comparable = isOtherOutline ? undefined : previous.measurement;
  const change = comparable && changeUncertainty(figures.uncertainty, comparable);
  const change95 = change && litres(SIGMAS_95 * change.sigmaM3);
  const measurement: StockpileMeasurement = {
    id: measurementIdOf(made.jobId),
    stockpile_id: before.id,
    project_id: before.project_id,
    job_id: made.jobId,
    measured_at: measuredAt,
    recorded_at: recordedAt,
    previous_volume_m3: previous.volumeM3,
    current_volume_m3: volumeM3,
    change_m3: changeM3,
    change_basis: previous.basis,
    previous_measurement_id: previous.measurement?.id,
    is_current: isCurrent,
    accuracy: accuracyText(volumeM3, sigmaM3),
    accuracy_note: accuracyNote(figures.uncertainty),
    change_95_m3: change95,
    significant: change95 === undefined ? undefined : Math.abs(changeM3) > change95,
    ...volumeFigures(figures),
    footprint_state: figures.isProposed ? "proposed" : before.footprint_state,
    alignment: figures.alignment,
    georeferencing: made.georeferencing,
    ...(made.vertical_datum && { vertical_datum: made.vertical_datum }),
    gsd_cm: rounded(100 * made.gsdM, 2),
    cell_m: rounded(figures.datum.grid.cellM, 4),
    density_t_per_m3: density,
    tonnes: density && rounded(volumeM3 * density, 3),
    images: made.images,
    ...(made.image_uses && { image_uses: made.image_uses }),
    warnings: [
      ...made.warnings,
      ...(isOtherOutline ? [OTHER_OUTLINE] : []),
      ...(litres(figures.netM3) < 0 ? [belowBase(figures)] : []),
    ],
    files: made.files,
  };
  const placed: Stockpile = {
    ...before,
    footprint: figures.footprint,
    footprint_state: measurement.footprint_state,
    datum: figures.datum,
    updated_at: recordedAt,
  };
  const stockpile: Stockpile = !isCurrent
    ? placed
    : {
        ...placed,
        current_volume_m3: volumeM3,
        current_sigma_m3: sigmaM3,
        volume_basis: "measured",
        measurement_id: measurement.id,
        last_measured: measuredAt,
      };
  return { stockpile, measurement, events: stockpileEvents(before, measurement) };
}

/**
 * Since when the stockpile's volume is known, ms since the Unix epoch. A volume that was declared with the
 * stockpile and without a time of its own has no measurement time: images of any date replace it.
 */
function knownSinceMs(stockpile: Stockpile): number {
  const { volume_basis, last_measured, created_at } = stockpile;
  const isUnknown =
    volume_basis === "none" || (volume_basis === "declared" && last_measured === created_at);
  return isUnknown ? Number.NEGATIVE_INFINITY : Date.parse(last_measured);
}

interface PreviousVolume {
  readonly volumeM3: number;
  readonly basis: VolumeBasis;
  /** `undefined`: a person declared it. */
  readonly measurement: StockpileMeasurement | undefined;
}

function latestVolume(before: Stockpile, { current }: MeasurementHistory): PreviousVolume {
  const isMeasured = before.volume_basis === "measured";
  if (isMeasured && current?.id !== before.measurement_id) {
    throw new DomainError("TASK_FAILED", "the stockpile was measured anew meanwhile");
  }
  const { current_volume_m3: volumeM3, volume_basis: basis } = before;
  return { volumeM3, basis, measurement: isMeasured ? current : undefined };
}

/** Of a survey that came late: what was measured before it, else what was declared until the next one. */
function volumeUntilThen(
  before: Stockpile,
  { earlier, later }: MeasurementHistory,
): PreviousVolume {
  if (earlier !== undefined) {
    return { volumeM3: earlier.current_volume_m3, basis: "measured", measurement: earlier };
  }
  const { previous_volume_m3: volumeM3, change_basis: basis = "declared" } = later ?? {
    previous_volume_m3: before.current_volume_m3,
    change_basis: before.volume_basis,
  };
  return { volumeM3, basis, measurement: undefined };
}

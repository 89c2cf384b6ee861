import type { NoEstimate, ZoneEstimate } from "../../../../domain/sites/capture.ts";
import { rounded } from "../../../numeric/rounding.ts";
import type { ZoneInput } from "../input/flight-input.ts";
import { type Detection, levelOfDetection } from "./detection.ts";
import { estimateArea } from "./estimate-area.ts";
import { estimateLevels } from "./estimate-levels.ts";
import { estimateVolume } from "./estimate-volume.ts";
import type { SeenZone } from "./metric-estimate.ts";
import { detectionOf, observedShare, type ZoneSight } from "./zone-sight.ts";
import { type PlannedWork, plannedWork } from "./zone-sums.ts";

/**
 * Less of a zone than this says nothing of the whole of it: of a simulated terrace with trucks and trees on it,
 * flights that showed 56 to 66 % were off by 3 to 33 points. Higher leaves busy zones without figures.
 */
const LEAST_OBSERVED = 0.75;
/**
 * Mean planned lift in levels of detection, at least (docs/progress-method.md#surfaces, thin layers): what it
 * may be off by is a fifth of it. Higher leaves more zones without figures, lower makes figures of noise.
 */
const LEAST_LIFT_LODS = 5;
/**
 * The same of the area metric: below it the bands of built and unbuilt meet, and they cannot be distinguished.
 */
const LEAST_AREA_LODS = 2;

const METHODS = {
  fill: "dsm_volume",
  cut: "dsm_volume",
  area: "dsm_area",
  height: "dsm_height",
} as const;

/** An estimate without a progress of the zone, with the reason. */
export function noEstimate(
  zone: Pick<ZoneInput, "id" | "metric">,
  why: NoEstimate,
  notes: readonly string[],
  change: Partial<Pick<ZoneEstimate, "observed_fraction" | "figures">> = {},
): ZoneEstimate {
  return {
    zone_id: zone.id,
    method: METHODS[zone.metric.kind],
    raw_progress: undefined,
    interval_95: undefined,
    observed_fraction: 0,
    is_at_design: false,
    no_estimate: why,
    notes,
    figures: {},
    ...change,
  };
}

/**
 * Progress of a zone by what a flight saw of it (docs/progress-method.md#surfaces), or why there is none. The percent and its
 * interval are of the part that was seen; the unseen part is taken to be like it, and widens the interval.
 */
export function estimateZone(zone: ZoneInput, sight: ZoneSight): ZoneEstimate {
  const { metric } = zone;
  const detection = detectionOf(sight, metric);
  const planned = plannedWork(sight.cells);
  const observed = observedShare(sight);
  const figures = commonFigures(sight, detection, planned);
  const part = { observed_fraction: rounded(observed || 0, 4), figures };
  if (Number.isNaN(observed)) {
    return noEstimate(zone, "no_surface", ["The design does not reach into the zone."], part);
  }
  if (observed < LEAST_OBSERVED) {
    const seen = `The flight and the baseline show ${Math.round(100 * observed)} % of the zone`;
    return noEstimate(
      zone,
      "not_observed",
      [`${seen}; at least ${100 * LEAST_OBSERVED} % are needed.`],
      part,
    );
  }
  const lods = metric.kind === "area" ? LEAST_AREA_LODS : LEAST_LIFT_LODS;
  const noticeableM = noticeableLiftM(metric, sight, detection, planned);
  if (!(planned.meanLiftM >= lods * noticeableM)) {
    return noEstimate(zone, "dsm_not_suitable", [thinText(planned, noticeableM, lods)], part);
  }
  const seen: SeenZone = { ...sight, detection, planned, observed };
  const made =
    metric.kind === "height"
      ? estimateLevels(metric.levels, zone.earlierLevels, seen)
      : metric.kind === "area"
        ? estimateArea(seen)
        : estimateVolume(seen);
  return {
    zone_id: zone.id,
    method: METHODS[metric.kind],
    ...made,
    observed_fraction: rounded(observed, 4),
    notes: [...made.notes, ...unseenText(observed)],
    figures: { ...figures, ...made.figures },
  };
}

/**
 * What the mean planned lift of a zone is held against, metres. Of a volume the level of detection of its cells
 * together with what all of them may be off by at once, which no number of cells averages out; assumed errors
 * of cells are those of the whole already. Levels of buildings have a tolerance above that.
 */
function noticeableLiftM(
  { kind }: ZoneInput["metric"],
  { errors }: ZoneSight,
  { lodM, toleranceM }: Detection,
  { areaM2 }: PlannedWork,
): number {
  if (kind === "area") return toleranceM;
  const { cellSigmaM, designSigmaM, source } = errors;
  const isShared = kind !== "height" && source !== "assumed";
  const sharedM = isShared ? errors.meanSigmaM(areaM2) : 0;
  return Math.max(
    lodM,
    levelOfDetection(cellSigmaM, sharedM),
    levelOfDetection(designSigmaM, sharedM),
  );
}

function commonFigures(
  { errors, cells }: ZoneSight,
  detection: Detection,
  planned: PlannedWork,
): ZoneEstimate["figures"] {
  return {
    lod_m: rounded(detection.lodM, 4),
    tolerance_m: rounded(detection.toleranceM, 4),
    bias_m: rounded(errors.biasM, 4) + 0,
    sigma_bias_m: rounded(errors.meanSigmaM(planned.areaM2), 4),
    sigma_cell_m: rounded(errors.cellSigmaM, 4),
    sigma_design_m: rounded(errors.designSigmaM, 4),
    sigma_source: errors.source,
    stable_cells: errors.stableCells,
    cell_m: rounded(cells.frame.cellM, 4),
    planned_area_m2: rounded(planned.areaM2, 2),
    planned_volume_m3: rounded(planned.volumeM3, 2),
    mean_lift_m: rounded(planned.meanLiftM, 3),
  };
}

/** More than this, metres, and it is the flights' own height that is not known: it decides only the advice. */
const UNPLACED_M = 1;

function thinText({ meanLiftM }: PlannedWork, noticeableM: number, lods: number): string {
  if (meanLiftM === 0) return "Design and baseline do not differ by 5 cm anywhere in the zone.";
  const lift = `The planned lift of ${meanLiftM.toFixed(2)} m in the mean is less than ${lods} times`;
  const advice =
    noticeableM > UNPLACED_M
      ? "Consumer GPS does not tie the flights to given heights: fly with RTK or control points, or give the design above a baseline that a flight took."
      : "Measure the zone by area, by images, or by a person's word.";
  return `${lift} what this flight can measure (${noticeableM.toFixed(3)} m). ${advice}`;
}

/** Shares from here on are the whole zone for people. */
const NEARLY_ALL = 0.995;

function unseenText(observed: number): readonly string[] {
  if (observed >= NEARLY_ALL) return [];
  return [
    `${Math.round(100 * (1 - observed))} % of the zone was not seen: it is taken to be like the rest, and the interval is wider for it.`,
  ];
}

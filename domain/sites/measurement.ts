import type { Ring } from "../geometry/geofence.ts";
import type { VerticalDatum } from "../geometry/vertical-datum.ts";
import type { JobId, MeasurementId, ProjectId, StockpileId } from "../ids.ts";
import type { ImageUse } from "./image-use.ts";
import type { BaseMethod, FootprintState, VolumeBasis } from "./stockpile.ts";
import type { SurveyExports } from "./survey-exports.ts";

/** What fixes the scale and the place of a measured surface. */
export const GEOREFERENCINGS = ["gps", "rtk", "control_points", "scale_bars", "given"] as const;
export type Georeferencing = (typeof GEOREFERENCINGS)[number];

/**
 * How a measurement was brought onto the frame of the earlier ones. `first`: it makes that frame.
 * `joint_adjustment`: oriented together with an earlier epoch's images. `stable_ground`: its surface was
 * fitted to the earlier one where nothing changed. `georeferenced`: both are placed by RTK or control.
 */
export const ALIGNMENTS = ["first", "joint_adjustment", "stable_ground", "georeferenced"] as const;
export type Alignment = (typeof ALIGNMENTS)[number];

/** Terms of the uncertainty of a volume (docs/photogrammetry.md#uncertainty-of-a-volume). */
export const UNCERTAINTY_TERMS = [
  "scale",
  "focal",
  "base",
  "dome",
  "noise",
  "gaps",
  "alignment",
] as const;
export type UncertaintyTerm = (typeof UNCERTAINTY_TERMS)[number];

/** Standard deviations on either side of a value that hold 95 % of a normal distribution. */
export const SIGMAS_95 = 1.96;

/** One standard deviation by term, cubic metres. */
export type UncertaintyTerms = Readonly<Record<UncertaintyTerm, number>>;

/** What became of an image of a measurement. */
export interface MeasuredImage extends Pick<ImageUse, "name" | "use" | "reason"> {
  /**
   * Key of the uploaded image, which its sender proved by a signed address; absent: it came from elsewhere, could not be
   * read, or is of before it was kept.
   */
  readonly stored_key?: string;
}

/** Products of a measurement, by key of the file store. */
export interface MeasurementFiles {
  /** Surface on the survey's own grid, GeoTIFF. */
  readonly surface: string;
  readonly orthomosaic: string | undefined;
  readonly model3d: string | undefined;
  /** PNG pictures of the stockpile on the grid that all epochs share, footprint drawn in. */
  readonly hillshade: string;
  readonly heights: string;
  /** Change since the previous measurement; `undefined`: it was the first. */
  readonly change: string | undefined;
  /** JSON: section through the pile along its longest axis (see processing/measurement). */
  readonly profile: string;
  /** Report of the survey (JSON and HTML), as the engine wrote it. */
  readonly surveyReport: string;
  readonly surveyReportHtml: string;
  /** Surface on the shared grid, and the epoch's cameras: for the next epoch, not for clients. */
  readonly epoch: string;
  /** What volumes of the survey are computed from, for footprints drawn later; absent: measured before it was kept. */
  readonly basis?: string;
  /** Of the survey, for other programs; absent: measured before they were kept. */
  readonly exports?: SurveyExports;
}

/**
 * A volume as it was measured once; never changed afterwards. Volumes are cubic metres with three decimals,
 * uncertainties one standard deviation unless their name says 95.
 */
export interface StockpileMeasurement {
  readonly id: MeasurementId;
  readonly stockpile_id: StockpileId;
  readonly project_id: ProjectId;
  /** The job that made it. */
  readonly job_id: JobId;
  /** Newest time of capture among the images, else when it was asked for; ISO 8601, UTC. */
  readonly measured_at: string;
  readonly recorded_at: string;
  /** The stockpile's volume until then, from whatever source, and this one less that one, exactly. */
  readonly previous_volume_m3: number;
  readonly current_volume_m3: number;
  readonly change_m3: number;
  /**
   * The source of the volume before; `none`: there was none, so that it counts from 0. Absent: measured before it
   * was kept.
   */
  readonly change_basis?: VolumeBasis;
  readonly previous_measurement_id: MeasurementId | undefined;
  /** Whether it became the stockpile's volume: an older survey that came late does not. */
  readonly is_current: boolean;
  /** Such as "98.6%": 100 less the relative uncertainty (95 %), at least "0.0%". */
  readonly accuracy: string;
  /** In words: what the uncertainty comes from, and what would lower it. */
  readonly accuracy_note: string;
  readonly sigma_m3: number;
  readonly uncertainty_95_m3: number;
  readonly uncertainty_terms: UncertaintyTerms;
  /**
   * Of `change_m3`; `undefined`: the previous volume was declared, which has none, or is of another
   * footprint or base.
   */
  readonly change_95_m3: number | undefined;
  /** Whether the change is beyond its uncertainty; `undefined` as above. */
  readonly significant: boolean | undefined;
  /** Volume above and below the base; the volume is cut less fill. */
  readonly cut_m3: number;
  readonly fill_m3: number;
  readonly area_m2: number;
  readonly max_height_m: number;
  /** Cut less fill, also where that is below 0 and the volume is given as 0; absent: measured before it was kept. */
  readonly net_m3?: number;
  /**
   * What the surface rounds off of top and toe, with the sign of `net_m3`; volume, net, cut and fill have it, the maps
   * of the surface do not. Absent: nothing that could be told from noise.
   */
  readonly rounded_off_m3?: number;
  /** A footprint around the toe, where the heap goes on outside of its own; absent: it does not. */
  readonly toe_footprint?: Ring;
  /** Share of the footprint with a height, and of that what was interpolated, 0 to 1. */
  readonly coverage: number;
  readonly interpolated: number;
  readonly base: {
    readonly method: BaseMethod;
    /** Spread of the ground about it, metres; 0 = given. */
    readonly nmad_m: number;
    /** Measured with this epoch, or kept from the first. */
    readonly from: "this_epoch" | "first_epoch" | "given";
  };
  readonly footprint_state: FootprintState;
  readonly alignment: Alignment;
  readonly georeferencing: Georeferencing;
  /** What the surface's heights count from; absent: measured before it was kept. */
  readonly vertical_datum?: VerticalDatum;
  /** Ground sample distance of the photographs as they were taken; of a given surface, its cell. */
  readonly gsd_cm: number;
  /** Edge of a cell of the shared grid, metres. */
  readonly cell_m: number;
  readonly density_t_per_m3: number | undefined;
  readonly tonnes: number | undefined;
  readonly images: {
    readonly given: number;
    readonly oriented: number | undefined;
    /** What is wrong with each that was left out, in words that name it. */
    readonly refused: readonly string[];
  };
  /** Every image with what became of it; absent: a surface was given, or measured before it was kept. */
  readonly image_uses?: readonly MeasuredImage[];
  /** Warnings of the gates, in words. */
  readonly warnings: readonly string[];
  readonly files: MeasurementFiles;
}

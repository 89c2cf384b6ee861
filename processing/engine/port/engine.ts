import type { SurveyExports } from "../../../domain/sites/survey-exports.ts";
import type { GateFinding } from "../../gates/gates.ts";
import type { SurveyOrigin } from "../../geometry/enu.ts";
import type { Vector3 } from "../../geometry/rotation.ts";
import type { ElevationGrid, OrthoGrid } from "../../grid/elevation-grid.ts";
import type { ImageFile } from "../../images/files/image-file.ts";
import type { SurveyImage } from "../../photogrammetry/camera/survey-image.ts";
import type { GivenHeights } from "../../photogrammetry/products/map/height-system.ts";
import type { SurveyResolution } from "../../photogrammetry/reconstruction/photo-pixels.ts";
import type { Reconstruction } from "../../photogrammetry/reconstruction/reconstruction.ts";

/** How much work a survey is worth. */
export interface SurveyProfile {
  /** Longer edge of the images as keypoints are found and cameras oriented in them, pixels: the working size. */
  readonly workingWidthPx: number;
  /** The same as surface and orthophoto are made from them; Infinity: as they were taken. */
  readonly surfaceWidthPx: number;
  /** Cell of the surface in ground sample distances of the images at `surfaceWidthPx`. */
  readonly dsmCellGsd: number;
  /** Cell of the orthophoto in the same. */
  readonly orthoCellGsd: number;
  /** Keypoints of an image at most. */
  readonly maxKeypoints: number;
}

/** A point with known coordinates, and where images show it. */
export interface ControlPoint {
  readonly name: string;
  readonly latDeg: number;
  readonly lonDeg: number;
  readonly heightM: number;
  readonly sigmaM: { readonly horizontal: number; readonly vertical: number };
  /** Held back: measures the result and does not shape it. */
  readonly isCheck: boolean;
  /** Pixels of the full-size image. */
  readonly marks: readonly { readonly image: string; readonly u: number; readonly v: number }[];
}

/** A distance on site that was measured between two marked points. */
export interface ScaleBar {
  readonly lengthM: number;
  readonly sigmaM: number;
  readonly ends: readonly [ScaleBarEnd, ScaleBarEnd];
}
export interface ScaleBarEnd {
  readonly marks: readonly { readonly image: string; readonly u: number; readonly v: number }[];
}

export interface SurveyInput {
  /** Name for people, on the report. */
  readonly name: string;
  readonly images: readonly ImageFile[];
  readonly profile: SurveyProfile;
  /**
   * Images of an earlier survey of the same site, in that survey's order. They are oriented along, so that
   * the two share frame and scale (`SurveyResult.companions`). They are in no surface, orthophoto, count or
   * gate. Useless ones are left out silently; only the local engine reads them.
   */
  readonly companions?: readonly ImageFile[];
  readonly controlPoints: readonly ControlPoint[];
  /** Control points are those of a larger flight: marks in images that are not in this survey do not count. */
  readonly isControlSubset?: boolean | undefined;
  readonly scaleBars: readonly ScaleBar[];
  /** Coordinate system of the maps: an EPSG code; absent: the UTM zone of the place. */
  readonly outputCrs?: string | undefined;
  /**
   * File name of a geoid grid in the operator's folder: heights of products are reduced by it where they are
   * above the ellipsoid; absent: they stay so.
   */
  readonly geoidGrid?: string | undefined;
  /**
   * Whether point cloud, terrain and contours are made beside the cameras: a few percent of the CPU of a survey
   * at the quick profile. Absent: not.
   */
  readonly exports?: boolean | undefined;
  /** Distance of contour lines in height, metres; absent: chosen from the relief. */
  readonly contourIntervalM?: number | undefined;
  /** Folder for finished stages: what is there under the right name is not computed again. */
  readonly workDir: string;
  /** Folder for the products; made when missing, files of a survey in it are replaced. */
  readonly outDir: string;
}

/** Files that a survey leaves behind, by path on this machine. */
export interface SurveyProducts {
  readonly dsm: string;
  /** `undefined` where a given survey has no orthophoto. */
  readonly orthomosaic?: string;
  readonly orthomosaicPreview?: string;
  readonly hillshade: string;
  readonly model3d: string;
  readonly reportJson: string;
  readonly reportHtml: string;
  /** Point cloud, terrain, contours and cameras for other programs. */
  readonly exports: SurveyExports;
}

/** Where an image of an earlier survey was taken from, in the frame of this one. */
export interface CompanionCamera {
  readonly sha256: string;
  /** ENU at the survey's origin, metres. */
  readonly centre: Vector3;
}

/** Time that one stage of a survey took here; next to nothing where it was known. */
export interface StageTime {
  readonly stage: string;
  readonly seconds: number;
}

export interface SurveyResult {
  readonly engine: "local" | "precomputed" | "nodeodm";
  /** All images that could be read; cameras of the reconstruction point into them. */
  readonly images: readonly SurveyImage[];
  /** What is wrong with each image that could not be read, in words that name it. */
  readonly refused: readonly string[];
  readonly origin: SurveyOrigin;
  /** In pixels of the photographs; `undefined` where the engine does not report it (a given surface). */
  readonly reconstruction: Reconstruction | undefined;
  /** `undefined` where the engine does not report it. */
  readonly resolution?: SurveyResolution;
  readonly dsm: ElevationGrid;
  /** What a given surface's heights were rounded to, metres; absent or 0: not so that it matters. */
  readonly stepM?: number;
  /** What a given surface says its heights count from; absent: nothing. */
  readonly heightDatum?: GivenHeights | undefined;
  /** Geoid grid that heights of the products are reduced by; absent: none. */
  readonly geoid?: string | undefined;
  readonly ortho: OrthoGrid | undefined;
  /**
   * Cameras of `SurveyInput.companions`, four or more; `undefined`: none were given, or the two flights
   * could not be oriented together.
   */
  readonly companions?: readonly CompanionCamera[];
  /** Warnings; a gate that refuses is thrown. */
  readonly findings: readonly GateFinding[];
  /** In the order of the stages. Not in the report, which is the same however often work was interrupted. */
  readonly timings: readonly StageTime[];
  readonly products: SurveyProducts;
}

/** Reported while work goes on. */
export interface SurveyProgress {
  readonly stage: string;
  /** Of the whole job, 0 to 100, never falling. */
  readonly percent: number;
}

/** What goes along with a survey while it is worked on. */
export interface SurveyOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SurveyProgress) => void;
}

/** Turns images into a surface. Implementations: `local.ts`, `precomputed.ts`, `nodeodm.ts`. */
export interface SurveyEngine {
  readonly name: SurveyResult["engine"];
  /**
   * Works until it has a surface. May be called again after a crash with the same input and `workDir`:
   * it goes on where it was, and ends with the same bytes.
   * @throws GateRefusal when the images cannot give an honest result; `AbortError` when `signal` fires.
   */
  process(input: SurveyInput, options: SurveyOptions): Promise<SurveyResult>;
}

import { extname } from "node:path";
import type { Georeferencing } from "../../domain/sites/measurement.ts";
import type { SurveyResult } from "../engine/port/engine.ts";
import { withShared } from "../engine/run/shared-memory.ts";
import type { SurveyOrigin } from "../geometry/enu.ts";
import type { Vector3 } from "../geometry/rotation.ts";
import type { ElevationGrid } from "../grid/elevation-grid.ts";
import type { ImageFile } from "../images/files/image-file.ts";
import type { ImageKind } from "../images/files/image-kind.ts";
import { planSurface } from "../photogrammetry/dense/surface-plan.ts";
import { heldBy } from "../photogrammetry/reconstruction/held-by.ts";
import type { Reconstruction } from "../photogrammetry/reconstruction/reconstruction.ts";

/** What a measurement takes from a survey; the surface lies on shared memory. */
export interface SurveyFacts {
  readonly origin: SurveyOrigin;
  readonly dsm: ElevationGrid;
  /** What holds place and level; where only positions without RTK do, "scale_bars" if the scale follows bars. */
  readonly georeferencing: Georeferencing;
  /**
   * Ground sample distance of the images as the surface was matched in them, metres: its noise depends on
   * that. The surface's cell where the engine does not report it.
   */
  readonly gsdM: number;
  /** Of the photographs, metres; absent where the engine does not report it. */
  readonly photoGsdM?: number;
  /** What a given surface's heights were rounded to, metres; absent or 0: not so that it matters. */
  readonly stepM?: number;
  /** `undefined` where the engine does not report it. */
  readonly block: SurveyBlockFacts | undefined;
  /** Where the images were taken: centres in the survey's frame, metres. */
  readonly cameras: readonly SurveyCamera[];
}

export interface SurveyCamera {
  readonly sha256: string;
  /** `undefined`: an image of an earlier epoch that was oriented along. */
  readonly kind: ImageKind | undefined;
  readonly centre: Vector3;
}

/** The part of a reconstruction that volumes depend on. */
export interface SurveyBlockFacts extends Pick<Reconstruction, "cameras" | "lenses" | "summary"> {
  /** Height of cells without one, ENU metres. */
  readonly groundM: number;
}

/** @param files of the survey's images */
export function surveyFacts(result: SurveyResult, files: readonly ImageFile[]): SurveyFacts {
  const { origin, dsm, images, reconstruction, resolution, stepM = 0 } = result;
  const georeferencing = georeferencingOf(result);
  const surface = { origin, dsm: withShared(dsm), georeferencing };
  if (reconstruction === undefined || resolution === undefined) {
    return { ...surface, gsdM: dsm.cellM, stepM, block: undefined, cameras: [] };
  }
  const { cameras, lenses, summary } = reconstruction;
  const { groundM } = planSurface(reconstruction);
  const { matchedGsdM: gsdM, photoGsdM } = resolution;
  const kinds = new Map(files.map(({ sha256, path }) => [sha256, kindOf(path)]));
  const own = cameras.flatMap(({ image, pose }) => {
    const sha256 = images[image]?.sha256 ?? "";
    return [{ sha256, kind: kinds.get(sha256), centre: pose.centre }];
  });
  const earlier = (result.companions ?? []).map((one) => ({ ...one, kind: undefined }));
  const block = { cameras, lenses, summary, groundM };
  return { ...surface, gsdM, photoGsdM, block, cameras: [...own, ...earlier] };
}

/** Images in the folder have the ending of their kind. */
export const kindOf = (path: string): ImageKind => extname(path).slice(1) as ImageKind;

function georeferencingOf({ engine, reconstruction, images }: SurveyResult): Georeferencing {
  if (engine === "precomputed") return "given";
  if (reconstruction !== undefined) {
    const { summary } = reconstruction;
    return heldBy(summary) ?? (summary.scaleFrom === "scale_bars" ? "scale_bars" : "gps");
  }
  // The adjustment of another program was not checked: one position without RTK may have moved it.
  const isRtk = images.length > 0 && images.every(({ position }) => position?.isRtk === true);
  return isRtk ? "rtk" : "gps";
}

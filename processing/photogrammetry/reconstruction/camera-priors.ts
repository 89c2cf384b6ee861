import type { EnuFrame } from "../../geometry/enu.ts";
import type { Vector3 } from "../../geometry/rotation.ts";
import type { CameraPrior } from "../camera/camera-prior.ts";
import { rotationFromGimbal } from "../camera/gimbal-rotation.ts";
import type { LensPriors } from "../camera/lens-priors.ts";
import type { PositionTags, SurveyImage } from "../camera/survey-image.ts";

/** Standard deviations of consumer GPS, metres: horizontal, vertical. Prototype, docs/photogrammetry.md#stages. */
const GPS_SIGMA_M = { horizontal: 1.5, vertical: 2.5 } as const;
/** Of a fixed RTK solution that does not state its own; makers state 1 cm + 1 ppm, 1.5 cm + 1 ppm. */
const RTK_SIGMA_M = { horizontal: 0.02, vertical: 0.03 } as const;
/** No receiver is trusted beyond this: shutter lag and lever arm remain; prototype. */
const RTK_FLOOR_M = 0.01;
/** Nor one without a fixed solution beyond this; chosen. */
const FLOAT_FLOOR_M = 0.3;
/** Of a height that no tag gives; chosen: any flight below 120 m above ground is within it. */
const UNKNOWN_HEIGHT_SIGMA_M = 100;
/** Of each attitude angle by gimbal tags: docs/photogrammetry.md#stages, 3.5 degrees. */
const ATTITUDE_SIGMA_RAD = (3.5 * Math.PI) / 180;
/** The same without tags, for callers that put in a rotation found otherwise; prototype. */
const UNKNOWN_ATTITUDE_SIGMA_RAD = 0.25;

/**
 * What the tags give of each image's camera, in the order of `images`. Heights come from one source for the
 * whole survey, because those of two sources differ by up to 100 m (docs/photogrammetry.md#traps-of-real-images): the altitude
 * where any image has one, else the barometer's height above take-off.
 */
export function cameraPriors(
  images: readonly SurveyImage[],
  { lensOfImage }: LensPriors,
  frame: EnuFrame,
): readonly CameraPrior[] {
  const heightOf = heights(images);
  return images.map(({ position, gimbal, capturedAtMs }, i) => {
    const heightM = heightOf[i];
    return {
      lens: lensOfImage[i] ?? -1,
      centre:
        position === undefined
          ? undefined
          : frame.toEnu({ ...position, heightM: heightM ?? frame.origin.heightM }),
      centreSigmaM: centreSigma(position, heightM !== undefined),
      isRtk: position?.isRtk ?? false,
      ...(capturedAtMs === undefined ? {} : { takenAtMs: capturedAtMs }),
      rotation: gimbal === undefined ? undefined : rotationFromGimbal(gimbal),
      rotationSigmaRad: gimbal === undefined ? UNKNOWN_ATTITUDE_SIGMA_RAD : ATTITUDE_SIGMA_RAD,
    };
  });
}

function heights(images: readonly SurveyImage[]): readonly (number | undefined)[] {
  const hasAltitudes = images.some(({ position }) => position?.altitudeM !== undefined);
  if (hasAltitudes) return images.map(({ position }) => position?.altitudeM);
  return images.map(({ relativeAltitudeM }) => relativeAltitudeM);
}

function centreSigma(position: PositionTags | undefined, hasHeight: boolean): Vector3 {
  const standard = position?.isRtk ? RTK_SIGMA_M : GPS_SIGMA_M;
  const stated = position?.sigmaM ?? standard;
  const floor = position?.isRtk ? RTK_FLOOR_M : FLOAT_FLOOR_M;
  const horizontal = Math.max(floor, stated.horizontal);
  const vertical = hasHeight ? Math.max(floor, stated.vertical) : UNKNOWN_HEIGHT_SIGMA_M;
  return [horizontal, horizontal, vertical];
}

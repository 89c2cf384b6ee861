import type { FocalTags } from "../../photogrammetry/camera/survey-image.ts";
import { firstNumber, type TagGroup, type TagGroups } from "./tag-groups.ts";

/** Millimetres of FocalPlaneResolutionUnit (EXIF 2.3: 2 inch, 3 cm; 4 mm and 5 um by some makers). */
const MM_BY_UNIT: Readonly<Record<number, number>> = { 2: 25.4, 3: 10, 4: 1, 5: 0.001 };
/** fx, fy, cx, cy, k1, k2, p1, p2, k3. */
const DEWARP_VALUES = 9;

/** What the tags say of the focal length of an image that is `widthPx` wide. */
export function readFocal(groups: TagGroups, widthPx: number): FocalTags {
  const { exif, "drone-dji": dji } = groups;
  return {
    focalLengthMm: positive(firstNumber(exif, "FocalLength")),
    focal35Mm: positive(firstNumber(exif, "FocalLengthIn35mmFormat", "FocalLengthIn35mmFilm")),
    focalPlanePxPerMm: focalPlane(exif, widthPx),
    dewarp: dewarpOf(dji?.["DewarpData"]),
    isUndistorted: firstNumber(dji, "DewarpFlag") === 1,
  };
}

/** Zero is what cameras write that do not know. */
const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;

/** The tag is about the size that the camera took; the file may have been made smaller since. */
function focalPlane(exif: TagGroup | undefined, widthPx: number): number | undefined {
  const perUnit = positive(firstNumber(exif, "FocalPlaneXResolution"));
  const mmPerUnit = MM_BY_UNIT[firstNumber(exif, "FocalPlaneResolutionUnit") ?? 2];
  if (perUnit === undefined || mmPerUnit === undefined) return undefined;
  const takenPx = positive(firstNumber(exif, "ExifImageWidth", "PixelXDimension")) ?? widthPx;
  return (perUnit / mmPerUnit) * (widthPx / takenPx);
}

/** DJI's factory calibration: a date, a semicolon, and nine numbers. */
function dewarpOf(value: unknown): readonly number[] | undefined {
  if (typeof value !== "string") return undefined;
  const numbers = (value.split(";")[1] ?? "").split(",").map(Number);
  return numbers.length === DEWARP_VALUES && numbers.every(Number.isFinite) ? numbers : undefined;
}

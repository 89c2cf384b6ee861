import type { PositionTags } from "../../photogrammetry/camera/survey-image.ts";
import { firstNumber, numberOf, type TagGroup, type TagGroups } from "./tag-groups.ts";

/** DJI's RtkFlag of a fixed solution; 34 is float, 16 single. */
const DJI_RTK_FIXED = 50;
/**
 * Stated standard deviation up to which a position without a flag counts as fixed, metres, between the two: a
 * fixed solution has 0.01 to 0.03, a float one 0.2 and more.
 */
const FIXED_SIGMA_M = 0.1;

/** Where the camera was, by the maker's own tags where there are any (more digits), else by EXIF. */
export function readPosition(groups: TagGroups): PositionTags | undefined {
  const dji = groups["drone-dji"];
  // Some models misspell it.
  const own = {
    latDeg: firstNumber(dji, "GpsLatitude", "Latitude"),
    lonDeg: firstNumber(dji, "GpsLongitude", "GpsLongtitude", "Longitude"),
  };
  const place = placeOf(own) ?? placeOf(exifPlace(groups["gps"]));
  if (place === undefined) return undefined;
  const sigmaM = djiSigma(dji) ?? cameraSigma(groups["Camera"]);
  const flag = firstNumber(dji, "RtkFlag");
  const isRtk =
    flag === undefined
      ? sigmaM !== undefined && sigmaM.horizontal <= FIXED_SIGMA_M
      : flag === DJI_RTK_FIXED;
  return {
    ...place,
    altitudeM: firstNumber(dji, "AbsoluteAltitude") ?? exifAltitude(groups["gps"]),
    sigmaM,
    isRtk,
  };
}

interface Place {
  readonly latDeg: number;
  readonly lonDeg: number;
}

/** A place on earth; 0, 0 is what receivers write that know none. */
function placeOf({
  latDeg,
  lonDeg,
}: {
  readonly latDeg: number | undefined;
  readonly lonDeg: number | undefined;
}): Place | undefined {
  if (latDeg === undefined || lonDeg === undefined) return undefined;
  if (Math.abs(latDeg) > 90 || Math.abs(lonDeg) > 180) return undefined;
  return latDeg === 0 && lonDeg === 0 ? undefined : { latDeg, lonDeg };
}

/** Degrees, minutes and seconds with the hemisphere beside (EXIF 2.3, section 4.6.6). */
function exifPlace(gps: TagGroup | undefined) {
  return {
    latDeg: sexagesimal(gps?.["GPSLatitude"], gps?.["GPSLatitudeRef"], "S"),
    lonDeg: sexagesimal(gps?.["GPSLongitude"], gps?.["GPSLongitudeRef"], "W"),
  };
}

function sexagesimal(parts: unknown, hemisphere: unknown, negative: string): number | undefined {
  if (!Array.isArray(parts)) return undefined;
  const [degrees, minutes = 0, seconds = 0] = parts.map(numberOf);
  if (degrees === undefined) return undefined;
  const sign = String(hemisphere).trim().toUpperCase().startsWith(negative) ? -1 : 1;
  return sign * (degrees + minutes / 60 + seconds / 3_600);
}

/** GPSAltitudeRef 1: below the reference. */
function exifAltitude(gps: TagGroup | undefined): number | undefined {
  const altitude = firstNumber(gps, "GPSAltitude");
  if (altitude === undefined) return undefined;
  return numberOf(gps?.["GPSAltitudeRef"]) === 1 ? -altitude : altitude;
}

function djiSigma(dji: TagGroup | undefined): PositionTags["sigmaM"] {
  const east = firstNumber(dji, "RtkStdLon");
  const north = firstNumber(dji, "RtkStdLat");
  const up = firstNumber(dji, "RtkStdHgt");
  if (east === undefined || north === undefined || up === undefined) return undefined;
  return sigmaOf(Math.max(east, north), up);
}

/** senseFly, Parrot and Pix4D: `Camera:GPSXYAccuracy`, metres. */
function cameraSigma(camera: TagGroup | undefined): PositionTags["sigmaM"] {
  const horizontal = firstNumber(camera, "GPSXYAccuracy");
  const vertical = firstNumber(camera, "GPSZAccuracy");
  if (horizontal === undefined || vertical === undefined) return undefined;
  return sigmaOf(horizontal, vertical);
}

/** Zero is what receivers without RTK write. */
function sigmaOf(horizontal: number, vertical: number): PositionTags["sigmaM"] {
  return horizontal > 0 && vertical > 0 ? { horizontal, vertical } : undefined;
}

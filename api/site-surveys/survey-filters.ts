import { Type } from "typebox";
import type { SurveyId } from "../../domain/ids.ts";
import type { GeodeticExtent } from "../../processing/engine/raster/surface-extent.ts";
import type { SurveyPlace } from "../../storage/ports/sites/surveys.ts";
import { invalidParameter } from "../validation/validation.ts";

/** The query parameter `bbox`; read by {@link readBox}. */
export const BboxParameter = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      "Only surveys whose bounds meet it: west,south,east,north in degrees (WGS 84). Surveys without bounds are left out",
  }),
);

/** @throws ParameterError naming the range */
export function readBox(text: string | undefined): GeodeticExtent | undefined {
  if (text === undefined) return undefined;
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [westDeg = Number.NaN, southDeg = Number.NaN, eastDeg = Number.NaN, northDeg = Number.NaN] =
    numbers;
  const isBox =
    numbers.length === 4 &&
    westDeg >= -180 &&
    westDeg <= eastDeg &&
    eastDeg <= 180 &&
    southDeg >= -90 &&
    southDeg <= northDeg &&
    northDeg <= 90;
  if (isBox) return { westDeg, southDeg, eastDeg, northDeg };
  throw invalidParameter(
    "bbox",
    "must be west,south,east,north: longitudes from -180 to 180 and latitudes from -90 to 90, west and south first",
  );
}

export const meets = (a: GeodeticExtent, b: GeodeticExtent): boolean =>
  a.westDeg <= b.eastDeg &&
  a.eastDeg >= b.westDeg &&
  a.southDeg <= b.northDeg &&
  a.northDeg >= b.southDeg;

/** A cursor: time and id of the last survey that was looked at. */
export const SURVEY_CURSOR = "^\\d{1,15}\\.[A-Za-z0-9_-]{1,64}$";

export const cursorOf = ({ capturedMs, id }: SurveyPlace): string => `${capturedMs}.${id}`;

/** The place that a cursor names, which has the form of {@link SURVEY_CURSOR}. */
export function readCursor(cursor: string | undefined): SurveyPlace | undefined {
  if (cursor === undefined) return undefined;
  const dot = cursor.indexOf(".");
  return { capturedMs: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) as SurveyId };
}

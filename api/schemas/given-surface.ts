import { SURFACE_HEIGHT_M } from "../../domain/geometry/surface-height.ts";
import { HEIGHT_UNITS, type HeightUnit } from "../../domain/geometry/vertical-datum.ts";
import { imageKeyParts } from "../../processing/images/files/image-key.ts";
import type { Files } from "../../storage/open.ts";
import { invalidParameter } from "../validation/validation.ts";
import { kindOf } from "./kind-of.ts";

/** Where surfaces are found by their addresses, and kept. */
export interface SurfaceFiles extends Pick<Files, "keyOf"> {
  readonly store: Pick<Files["store"], "stat" | "get" | "put">;
}

/**
 * A height that a body gives as `parameter`, metres; `use` says what it is required for.
 * @throws ParameterError naming the range.
 */
export function readSurfaceHeight(heightM: unknown, parameter: string, use: string): number {
  const { min, max } = SURFACE_HEIGHT_M;
  const range = `metres, ${min} to ${max}`;
  if (heightM === undefined) throw invalidParameter(parameter, `is required ${use}: ${range}`);
  // JSON can say -0, and the stores need not keep it.
  if (typeof heightM === "number" && heightM >= min && heightM <= max) return heightM + 0;
  const given = typeof heightM === "number" ? String(heightM) : kindOf(heightM);
  throw invalidParameter(parameter, `must be a number of ${range}, not ${given}`);
}

/**
 * The unit of a surface's heights that a body or a query gives as `parameter`; `undefined`: none.
 * @throws ParameterError naming the units.
 */
export function readHeightUnit(unit: unknown, parameter: string): HeightUnit | undefined {
  if (unit === undefined) return undefined;
  const known = HEIGHT_UNITS.find((one) => one === unit);
  if (known !== undefined) return known;
  throw invalidParameter(parameter, `must be one of ${HEIGHT_UNITS.join(", ")}`);
}

/**
 * The key of the file that an address of ours leads to.
 * @throws ParameterError for any other address.
 */
export function surfaceKey(
  url: string,
  parameter: string,
  files: SurfaceFiles | undefined,
): string {
  const key = files?.keyOf(url);
  if (key !== undefined) return key;
  throw invalidParameter(
    parameter,
    "must be an address that POST /progress/images gave, and that has not expired",
  );
}

/**
 * SHA-256 of the TIFF that was uploaded under this key; `owner` says whose own surfaces may be named, too.
 * @throws ParameterError for the key of another file.
 */
export function uploadedTiff(key: string, parameter: string, owner: string): string {
  const upload = imageKeyParts(key);
  if (upload?.kind === "tif") return upload.sha256;
  throw invalidParameter(
    parameter,
    `must be the address of a TIFF file that was uploaded, or of a surface of this ${owner}`,
  );
}

/** For an address whose file was removed since. */
export const surfaceIsGone = (parameter: string): Error =>
  invalidParameter(parameter, "leads to a file that is not there any more");

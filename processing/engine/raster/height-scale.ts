import { HEIGHT_UNIT_M, type HeightUnit } from "../../../domain/geometry/vertical-datum.ts";
import { heightUnitM } from "./height-unit.ts";
import type { Raster } from "./open-raster.ts";
import { refusedRaster } from "./refused-raster.ts";

/** Height in metres = value in the file * `scale` + `offset`. */
export interface HeightScale {
  readonly scale: number;
  readonly offset: number;
  /** Whether the file, or its provider, names the unit of its heights. */
  readonly isUnitStated: boolean;
}

/** Bits of a value; pictures have 8, and 8 bits of heights are 256 steps. */
const LEAST_BITS = 16;

/**
 * How the values of a raster's only band become metres: GDAL's scale and offset, then the unit of heights.
 * @param heightUnit what the provider of the raster states; absent: nothing
 * @throws DomainError `IMAGE_REFUSED` for more than one band, for pictures, and for units of heights that
 * are not known or contradict each other
 */
export async function heightScale(
  { image, system }: Raster,
  heightUnit?: HeightUnit,
): Promise<HeightScale> {
  const samples = image.getSamplesPerPixel();
  if (samples !== 1) throw refusedRaster(`has ${samples} bands; a surface has one`);
  const bits = image.getBitsPerSample(0);
  if (bits < LEAST_BITS) {
    throw refusedRaster(
      `holds ${bits} bits a cell, so a picture; a surface has heights of 16 bits or more`,
    );
  }
  const metadata = await image.getGDALMetadata(0);
  const { unitM, isStated } = heightUnitM(
    ...([image.getGeoKeys(), system.unitM, metadata?.["UNITTYPE"]] as const),
    heightUnit && HEIGHT_UNIT_M[heightUnit],
  );
  return {
    // A scale of 0 means that none was set.
    scale: (numberOr(metadata?.["SCALE"], 1) || 1) * unitM,
    offset: numberOr(metadata?.["OFFSET"], 0) * unitM,
    isUnitStated: isStated,
  };
}

function numberOr(value: unknown, fallback: number): number {
  const number = Number(value ?? fallback);
  return Number.isFinite(number) ? number : fallback;
}

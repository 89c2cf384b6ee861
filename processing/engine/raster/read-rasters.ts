import type { OrthoGrid } from "../../grid/elevation-grid.ts";
import { type GivenSurface, readElevation, readOrtho, type SurfaceChoice } from "./read-surface.ts";

/** GeoTIFFs of one survey, by path on this machine. */
export interface GivenRasters extends SurfaceChoice {
  readonly dsm: string;
  readonly orthophoto: string | undefined;
}

/** The same in one ENU frame. */
export interface ReadRasters extends GivenSurface {
  readonly ortho: OrthoGrid | undefined;
}

/** @throws DomainError `IMAGE_REFUSED` for rasters of another kind. */
export async function readRasters(given: GivenRasters): Promise<ReadRasters> {
  const { dsm, orthophoto } = given;
  const surface = await readElevation(dsm, given);
  const ortho =
    orthophoto === undefined
      ? undefined
      : await readOrtho(orthophoto, surface.origin, surface.extent);
  return { ...surface, ortho };
}

import type { OrthoGrid } from "../../photogrammetry/elevation-grid.ts";
import { type GivenSurface, readElevation, readOrtho } from "./read-surface.ts";
import type { GeodeticExtent } from "./surface-extent.ts";

/** GeoTIFFs of one survey, by path on this machine. */
export interface GivenRasters {
  readonly dsm: string;
  readonly orthophoto: string | undefined;
  /** What is read of them; absent: all. */
  readonly extent?: GeodeticExtent;
}

/** The same in one ENU frame. */
export interface ReadRasters extends GivenSurface {
  readonly ortho: OrthoGrid | undefined;
}

/** @throws DomainError `IMAGE_REFUSED` for rasters of another kind. */
export async function readRasters({ dsm, orthophoto, extent }: GivenRasters): Promise<ReadRasters> {
  const surface = await readElevation(dsm, extent);
  const ortho =
    orthophoto === undefined ? undefined : await readOrtho(orthophoto, surface.origin, extent);
  return { ...surface, ortho };
}

import { camerasJson } from "../../photogrammetry/products/cameras/cameras-json.ts";
import { colmapModel } from "../../photogrammetry/products/cameras/colmap.ts";
import { opensfmFiles } from "../../photogrammetry/products/cameras/opensfm.ts";
import { pointColours } from "../../photogrammetry/products/cameras/point-colours.ts";
import type { ExportFiles } from "./export-files.ts";
import { type ProductInput, surfaceMap } from "./product-input.ts";

/** Poses and calibration for other programs; empty where no camera is known. */
export function cameraFiles(input: ProductInput): ExportFiles {
  const { reconstruction, images, ortho } = input;
  if (reconstruction === undefined) return {};
  const colours = pointColours(reconstruction.points, ortho);
  const colmap = colmapModel(reconstruction, images, colours);
  const opensfm = opensfmFiles(reconstruction, images, colours);
  return {
    cameras: Buffer.from(camerasJson(reconstruction, images, surfaceMap(input))),
    opensfm_reconstruction: Buffer.from(opensfm.reconstruction),
    opensfm_shots: Buffer.from(opensfm.shots),
    colmap_cameras: Buffer.from(colmap.cameras),
    colmap_images: Buffer.from(colmap.images),
    colmap_points: Buffer.from(colmap.points),
  };
}

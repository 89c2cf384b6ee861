import type { SurveyExport } from "../../../domain/sites/survey-exports.ts";
import { writeCog } from "../../photogrammetry/products/cog/write-cog.ts";
import { contourTexts } from "../../photogrammetry/products/contours/contour-files.ts";
import { heightSystem } from "../../photogrammetry/products/map/height-system.ts";
import { mapWkt } from "../../photogrammetry/products/map/map-wkt.ts";
import { classesOnMap } from "../../photogrammetry/products/point-cloud/point-raster.ts";
import { writeCopc } from "../../photogrammetry/products/point-cloud/write-copc.ts";
import { elevationOnMap, orthoOnMap } from "../../photogrammetry/products/resample-products.ts";
import { type Terrain, terrainOf } from "../../photogrammetry/products/terrain/terrain.ts";
import { type ExportInput, type ProductInput, surfaceMap } from "./product-input.ts";

export type ExportFiles = { readonly [Name in SurveyExport]?: Uint8Array };

/** Points of a cloud at most: above, every second or third cell of the surface has one. */
const MOST_POINTS = 5_000_000;

/** Exports of a survey's surface for other programs: point cloud, terrain and contours. */
export function exportFiles(input: ExportInput): ExportFiles {
  const terrain = terrainOf(input.dsm);
  const map = surfaceMap(input);
  const bare = elevationOnMap(terrain, map);
  const contours = contourTexts(bare, map, input.origin, input.contourIntervalM);
  const { width, height } = map.frame;
  const dtm = writeCog({ kind: "elevation", width, height, values: bare }, map.frame, {
    items: {
      SOFTWARE: "Plumbline",
      ENGINE: input.engine,
      HEIGHTS: heightSystem(input),
      GROUND:
        "cloth simulation; piles are ground, buildings and machines are filled in from around",
    },
    bands: ["height"],
    unit: "m",
  });
  const cloud = pointCloud(input, terrain);
  return {
    ...(cloud === undefined ? {} : { point_cloud: cloud }),
    dtm,
    contours_geojson: Buffer.from(contours.geojson),
    contours_dxf: Buffer.from(contours.dxf),
  };
}

function pointCloud(input: ProductInput, terrain: Terrain): Uint8Array | undefined {
  const { dsm, ortho } = input;
  const thinning = Math.ceil(Math.sqrt((dsm.width * dsm.height) / MOST_POINTS));
  const map = surfaceMap(input, dsm.cellM * Math.max(1, thinning));
  return writeCopc(
    {
      frame: map.frame,
      heightM: elevationOnMap(dsm, map),
      rgba: ortho && orthoOnMap(ortho, map),
      classes: classesOnMap(dsm, terrain.isGround, map),
    },
    mapWkt(map.frame),
  );
}

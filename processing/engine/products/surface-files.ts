import { encodePng } from "../../images/pixels/encode.ts";
import { writeCog } from "../../photogrammetry/products/cog/write-cog.ts";
import { heightSystem } from "../../photogrammetry/products/map/height-system.ts";
import { elevationOnMap } from "../../photogrammetry/products/resample-products.ts";
import { hillshadePicture } from "../../pictures/map-pictures.ts";
import { type ProductInput, surfaceMap } from "./product-input.ts";

export interface SurfaceFiles {
  readonly dsm: Uint8Array;
  readonly hillshade: Uint8Array;
}

/** The surface as a Cloud Optimized GeoTIFF, and its relief as a PNG. */
export async function surfaceFiles(input: ProductInput): Promise<SurfaceFiles> {
  const { dsm, engine } = input;
  const map = surfaceMap(input);
  const { width, height } = map.frame;
  const cog = writeCog(
    { kind: "elevation", width, height, values: elevationOnMap(dsm, map) },
    map.frame,
    {
      items: {
        SOFTWARE: "Plumbline",
        ENGINE: engine,
        HEIGHTS: heightSystem(input),
      },
      bands: ["height"],
      unit: "m",
    },
  );
  return { dsm: cog, hillshade: await encodePng(hillshadePicture(dsm)) };
}

import { encodeJpeg } from "../../images/pixels/encode.ts";
import { writeCog } from "../../photogrammetry/products/cog/write-cog.ts";
import { mapGrid } from "../../photogrammetry/products/map/map-grid.ts";
import { orthoOnMap } from "../../photogrammetry/products/resample-products.ts";
import { orthoPicture } from "../../pictures/map-pictures.ts";
import { middleHeightM, type ProductInput, productMap } from "./product-input.ts";

/** Empty where the engine made no orthophoto. */
export interface OrthoFiles {
  readonly orthomosaic?: Uint8Array;
  readonly orthomosaicPreview?: Uint8Array;
}

/** The orthophoto as a Cloud Optimized GeoTIFF, and a JPEG of it. */
export async function orthoFiles(input: ProductInput): Promise<OrthoFiles> {
  const { ortho, origin, dsm, engine } = input;
  if (ortho === undefined) return {};
  const { projection } = productMap(input.outputCrs, origin);
  const map = mapGrid(origin, ortho, middleHeightM(dsm), ortho.cellM, projection);
  const { width, height } = map.frame;
  const orthomosaic = writeCog(
    { kind: "colour", width, height, values: orthoOnMap(ortho, map) },
    map.frame,
    {
      items: { SOFTWARE: "Plumbline", ENGINE: engine },
      bands: ["red", "green", "blue", "alpha"],
      unit: undefined,
    },
  );
  return { orthomosaic, orthomosaicPreview: await encodeJpeg(orthoPicture(ortho)) };
}

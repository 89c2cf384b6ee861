import { encodeJpeg } from "../../images/pixels/encode.ts";
import { texturePicture } from "../../photogrammetry/products/fill-unseen.ts";
import { MAX_TEXTURE_PX, writeGlb } from "../../photogrammetry/products/write-glb.ts";
import type { ProductInput } from "./product-input.ts";

export interface ModelFiles {
  readonly model3d: Uint8Array;
}

/** The surface as a GLB, the orthophoto as its texture. */
export async function modelFiles({ dsm, ortho, origin }: ProductInput): Promise<ModelFiles> {
  const texture = ortho && {
    jpeg: await encodeJpeg(texturePicture(ortho, MAX_TEXTURE_PX)),
    frame: ortho,
  };
  return { model3d: await writeGlb(dsm, origin, texture) };
}

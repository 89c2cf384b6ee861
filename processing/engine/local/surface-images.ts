import type { WorkingImage } from "../../images/pixels/working-image.ts";
import { scaleIntrinsics } from "../../photogrammetry/camera/camera.ts";
import { workingSize } from "../../photogrammetry/camera/working-size.ts";
import type { Reconstruction } from "../../photogrammetry/reconstruction/reconstruction.ts";
import type { SurveyBlock } from "./survey-block.ts";

/** Oriented images at the size that surface and orthophoto are made from. */
export interface SurfaceImages {
  /** By camera. */
  readonly files: readonly WorkingImage[];
  /** With lenses for those sizes; its observations are not. */
  readonly reconstruction: Reconstruction;
}

/**
 * The oriented images of a block with their longer edge at `surfaceWidthPx`, or as they were taken where they are
 * smaller. Their lenses keep the working size's ratio of edges, which is rounded to whole pixels: an image may be a
 * pixel higher or lower here than as it was taken, so that the lens fits it as it fitted the working size.
 */
export function surfaceImages(
  { images, files }: Pick<SurveyBlock, "images" | "files">,
  reconstruction: Reconstruction,
  surfaceWidthPx: number,
): SurfaceImages {
  const { cameras } = reconstruction;
  const lenses = reconstruction.lenses.map((lens, i) => {
    const image = images[cameras.find((camera) => camera.lens === i)?.image ?? -1];
    return image === undefined
      ? lens
      : scaleIntrinsics(lens, workingSize(image, surfaceWidthPx).widthPx);
  });
  return {
    files: cameras.map(({ image, lens }) => {
      const [file, size] = [files[image], lenses[lens]];
      if (file === undefined || size === undefined) throw new RangeError(`no image ${image}`);
      return { ...file, widthPx: size.widthPx, heightPx: size.heightPx };
    }),
    reconstruction: { ...reconstruction, lenses },
  };
}

import { scaleIntrinsics } from "../camera/camera.ts";
import type { OrientedCamera, Reconstruction } from "./reconstruction.ts";

/** How finely the images of a survey were worked on. */
export interface SurveyResolution {
  /** Pixels of the photographs for one pixel of the size that tie points were measured at. */
  readonly photoPx: number;
  /** Ground sample distance of the photographs below the middle of the flight, metres. */
  readonly photoGsdM: number;
  /** The same of the images at the size that the surface was matched at, metres. */
  readonly matchedGsdM: number;
}

/** Size of a photograph as it was taken, pixels. */
export interface PhotoSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * A reconstruction in pixels of the photographs. One rule holds for pixels: stages up to the adjustment and
 * their thresholds count in pixels of the working size; whatever leaves the engine (result, report, findings)
 * counts in pixels of the photographs, so that a profile with a coarser working size states no smaller errors.
 * @param photos by `OrientedCamera.image`; images of one lens have one size
 */
export function inPhotoPixels(
  reconstruction: Reconstruction,
  photos: readonly PhotoSize[],
): Reconstruction {
  const { cameras, lenses, observations, summary } = reconstruction;
  const scaled = lenses.map((lens, i) => {
    const camera = cameras.find((one) => one.lens === i);
    const photo = photos[camera?.image ?? -1];
    if (photo === undefined) return { lens, scale: 1 };
    const { widthPx, heightPx } = photo;
    return { lens: { ...scaleIntrinsics(lens, widthPx), heightPx }, scale: widthPx / lens.widthPx };
  });
  const scaleOf = ({ lens }: Pick<OrientedCamera, "lens">) => scaled[lens]?.scale ?? 1;
  // A mark may be in an image that was not oriented.
  const scaleAt = (image: number) =>
    scaleOf(cameras.find((camera) => camera.image === image) ?? { lens: 0 });
  const u = observations.u.slice();
  const v = observations.v.slice();
  for (const [i, camera] of observations.camera.entries()) {
    const scale = scaleOf(cameras[camera] ?? { lens: -1 });
    // The corner of the image stays where it is, half a pixel beside the middle of pixel 0.
    u[i] = ((u[i] ?? 0) + 0.5) * scale - 0.5;
    v[i] = ((v[i] ?? 0) + 0.5) * scale - 0.5;
  }
  return {
    ...reconstruction,
    lenses: scaled.map(({ lens }) => lens),
    cameras: cameras.map((camera) => ({ ...camera, rmsPx: camera.rmsPx * scaleOf(camera) })),
    observations: { ...observations, u, v },
    summary: {
      ...summary,
      rmsPx: summary.rmsPx * photoPx(reconstruction, photos),
      control: summary.control && {
        ...summary.control,
        points: summary.control.points.map((point) => ({
          ...point,
          marks: point.marks.map((mark) => ({ ...mark, offPx: mark.offPx * scaleAt(mark.image) })),
        })),
      },
    },
  };
}

/**
 * Pixels of the photographs for one pixel of the working size, without unit: root mean square over the
 * observations, so that it takes the rms of the whole block from one to the other. 1 without observations.
 */
export function photoPx(
  { cameras, lenses }: Pick<Reconstruction, "cameras" | "lenses">,
  photos: readonly Pick<PhotoSize, "widthPx">[],
): number {
  let photoSum = 0;
  let workingSum = 0;
  for (const { image, lens, observations, rmsPx } of cameras) {
    const scale = (photos[image]?.widthPx ?? 1) / (lenses[lens]?.widthPx ?? 1);
    const squares = observations * rmsPx ** 2;
    photoSum += squares * scale ** 2;
    workingSum += squares;
  }
  return workingSum > 0 ? Math.sqrt(photoSum / workingSum) : 1;
}

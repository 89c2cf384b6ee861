import { DomainError } from "../../../../domain/errors.ts";
import { rotate, type Vector3 } from "../../../geometry/rotation.ts";
import { type Intrinsics, scaleIntrinsics } from "../../camera/camera.ts";
import type { SurveyImage } from "../../camera/survey-image.ts";
import type { OrientedCamera, Reconstruction } from "../../reconstruction/reconstruction.ts";

/** A lens in pixels of the photographs themselves, not of the size that they were worked on at. */
export interface PhotoLens {
  readonly lens: Intrinsics;
  /** Pixels of the photograph for one pixel of the working size. */
  readonly scale: number;
}

/** One oriented photograph. */
export interface PhotoCamera {
  readonly image: SurveyImage;
  readonly camera: OrientedCamera;
  /** Index into {@link PhotoCameras.lenses}. */
  readonly lens: number;
  /** The origin of the survey's ENU frame in the camera's frame, metres: `-R centre`. */
  readonly translation: Vector3;
}

/** Lenses and cameras in the form of other programs. */
export interface PhotoCameras {
  readonly lenses: readonly PhotoLens[];
  /** In the order of the reconstruction's cameras. */
  readonly cameras: readonly PhotoCamera[];
}

/** Lenses by the size of the photographs: one that took photographs of two sizes is there twice. */
export function photoCameras(
  reconstruction: Reconstruction,
  images: readonly SurveyImage[],
): PhotoCameras {
  const lenses: PhotoLens[] = [];
  const byKey = new Map<string, number>();
  const cameras = reconstruction.cameras.map((camera): PhotoCamera => {
    const image = images[camera.image];
    const working = reconstruction.lenses[camera.lens];
    if (image === undefined || working === undefined) {
      throw new DomainError("TASK_FAILED", "a camera without an image or a lens");
    }
    const key = `${camera.lens}:${image.widthPx}:${image.heightPx}`;
    const lens = byKey.get(key) ?? lenses.length;
    if (lens === lenses.length) {
      byKey.set(key, lens);
      lenses.push({
        lens: { ...scaleIntrinsics(working, image.widthPx), heightPx: image.heightPx },
        scale: image.widthPx / working.widthPx,
      });
    }
    const { rotation, centre } = camera.pose;
    const [x, y, z] = rotate(rotation, centre);
    return { image, camera, lens, translation: [-x, -y, -z] };
  });
  return { lenses, cameras };
}

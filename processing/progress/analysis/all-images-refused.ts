import { DomainError } from "../../../domain/errors.ts";
import type { CaptureImage } from "../../../domain/sites/capture.ts";

/** Thrown when no image of a capture can be used; names every one with its reason. */
export class AllImagesRefused extends DomainError {
  readonly images: readonly CaptureImage[];

  constructor(images: readonly CaptureImage[]) {
    const [first] = images;
    super("IMAGES_UNUSABLE", `no image could be used: ${first?.reason ?? "there is none"}`);
    this.images = images;
  }
}

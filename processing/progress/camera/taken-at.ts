import type { Capture } from "../../../domain/sites/capture.ts";
import type { SurveyImage } from "../../photogrammetry/camera/survey-image.ts";

type Taken = Pick<SurveyImage, "capturedAtMs">;

/** When the images of a capture were taken. */
export interface CaptureTimes {
  /** One image, ms since the Unix epoch. */
  of(image: Taken): number;
  /** The capture: the newest of its images. */
  capture(images: readonly Taken[]): number;
}

/**
 * By `flight_metadata.taken_at` or `flown_at`, else by the image's EXIF, else when the capture arrived; never
 * later than that: a camera's clock may run ahead.
 */
export function captureTimes(
  capture: Pick<Capture, "flight_metadata" | "created_at">,
): CaptureTimes {
  const receivedMs = Date.parse(capture.created_at);
  const { taken_at: takenAt, flown_at: flownAt } = capture.flight_metadata ?? {};
  const stated = [takenAt, flownAt]
    .map((text) => (typeof text === "string" ? Date.parse(text) : Number.NaN))
    .find((ms) => !Number.isNaN(ms));
  const of = ({ capturedAtMs }: Taken): number =>
    Math.min(receivedMs, stated ?? capturedAtMs ?? receivedMs);
  return {
    of,
    capture: (images) =>
      images.length === 0 ? of({ capturedAtMs: undefined }) : Math.max(...images.map(of)),
  };
}

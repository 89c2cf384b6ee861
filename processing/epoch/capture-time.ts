import type { SurveyImage } from "../photogrammetry/survey-image.ts";

/**
 * When a stockpile was as it was measured, ms since the Unix epoch: the newest time of capture, or when
 * the measurement was asked for where no image tells one. Never later than that: a camera's clock runs
 * ahead, or is local time east of Greenwich without its zone.
 */
export function measuredAtMs(
  images: readonly Pick<SurveyImage, "capturedAtMs">[],
  requestedAtMs: number,
): number {
  const times = images.flatMap(({ capturedAtMs }) => capturedAtMs ?? []);
  return times.length === 0 ? requestedAtMs : Math.min(requestedAtMs, Math.max(...times));
}

import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";

/**
 * Time of the measured state of a place, ms since the Unix epoch: as a person says, else the newest time of
 * capture, or the time of the request where no image has one. Never later than the request: a camera's clock may
 * run ahead, or be local time east of Greenwich without its zone.
 */
export function measuredAtMs(
  images: readonly Pick<SurveyImage, "capturedAtMs">[],
  requestedAtMs: number,
  flownAtMs?: number,
): number {
  const times =
    flownAtMs === undefined
      ? images.flatMap(({ capturedAtMs }) => capturedAtMs ?? [])
      : [flownAtMs];
  return times.length === 0 ? requestedAtMs : Math.min(requestedAtMs, Math.max(...times));
}

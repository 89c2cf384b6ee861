import type { CaptureImage } from "../../../domain/capture.ts";
import type { ImageFile, SurveyResult } from "../../engine/engine.ts";
import type { ImageOutcome } from "../../images/image-outcome.ts";
import { AllImagesRefused } from "../all-images-refused.ts";
import { shownUrl } from "../shown-url.ts";

/** The images of a flight as files of this machine, and what became of each so far. */
export interface FlightImages {
  /** Those that could be had, in the order of the request. */
  readonly files: readonly ImageFile[];
  /** Why each of the others could not. */
  readonly refused: readonly string[];
  /** What became of the images, one for each entry: by what the survey says, where there is one. */
  outcomes(survey: Pick<SurveyResult, "images" | "refused" | "reconstruction">): CaptureImage[];
  /** The same where the survey was refused as a whole: none is used, for that reason or its own. */
  unused(reason: string): CaptureImage[];
  /** The same where the only image was a surface. */
  given(): CaptureImage[];
}

/** @throws AllImagesRefused when none could be had */
export function flightImages(
  entries: readonly string[],
  fetched: readonly ImageOutcome<ImageFile>[],
): FlightImages {
  const fileOf = entries.map((_, i) => {
    const outcome = fetched[i];
    return outcome !== undefined && "value" in outcome ? outcome.value : undefined;
  });
  const reasonOf = (i: number): string => {
    const outcome = fetched[i];
    return outcome !== undefined && "refused" in outcome ? outcome.refused : "was not fetched";
  };
  const rejected = (entry: string, reason: string): CaptureImage => ({
    url: shownUrl(entry),
    status: "rejected",
    reason,
  });
  const files = fileOf.filter((file) => file !== undefined);
  if (files.length === 0) {
    throw new AllImagesRefused(entries.map((entry, i) => rejected(entry, reasonOf(i))));
  }
  return {
    files,
    refused: fileOf.flatMap((file, i) => (file === undefined ? [reasonOf(i)] : [])),
    unused: (reason) =>
      entries.map((entry, i) =>
        fileOf[i] === undefined
          ? rejected(entry, reasonOf(i))
          : { url: shownUrl(entry), status: "not_used", reason },
      ),
    given: () => entries.map((entry) => ({ url: shownUrl(entry), status: "used" })),
    outcomes({ images, refused, reconstruction }) {
      const read = new Map(images.map((image) => [image.sha256, image]));
      const oriented = reconstruction && new Set(reconstruction.cameras.map(({ image }) => image));
      const first = new Map<string, number>();
      return entries.map((entry, i): CaptureImage => {
        const file = fileOf[i];
        if (file === undefined) return rejected(entry, reasonOf(i));
        const image = read.get(file.sha256);
        if (image === undefined) {
          const words = refused.find((text) => text.startsWith(`${file.name} `));
          return rejected(entry, words ?? `${file.name} could not be read`);
        }
        const url = shownUrl(entry);
        const taken =
          image.capturedAtMs === undefined
            ? {}
            : { taken_at: new Date(image.capturedAtMs).toISOString() };
        const before = first.get(file.sha256);
        if (before !== undefined) {
          return { url, status: "not_used", reason: `is image ${before + 1} once more`, ...taken };
        }
        first.set(file.sha256, i);
        return oriented === undefined || oriented.has(images.indexOf(image))
          ? { url, status: "used", ...taken }
          : { url, status: "not_used", reason: NOT_ORIENTED, ...taken };
      });
    },
  };
}

const NOT_ORIENTED = "does not fit together with the others: too little overlap, or too blurred";

/** Of images that were sent beside a surface that was there already. */
export const besideSurface = (entries: readonly string[]): CaptureImage[] =>
  entries.map((entry) => ({
    url: shownUrl(entry),
    status: "not_used",
    reason: "the flight's surface was given as dsm_url",
  }));

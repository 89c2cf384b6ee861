import type { CaptureImage } from "../../../domain/sites/capture.ts";
import type { ImageUse } from "../../../domain/sites/image-use.ts";
import type { SurveyResult } from "../../engine/port/engine.ts";
import type { ImageFile } from "../../images/files/image-file.ts";
import type { ImageOutcome } from "../../images/image-outcome.ts";
import { imageUses } from "../../photogrammetry/reconstruction/image-uses.ts";
import { AllImagesRefused } from "../analysis/all-images-refused.ts";
import { shownUrl, storedAs } from "../analysis/shown-url.ts";

/** The images of a flight as files of this machine, and what became of each so far. */
export interface FlightImages {
  /** Those that could be had, in the order of the request. */
  readonly files: readonly ImageFile[];
  /** Why each of the others could not. */
  readonly refused: readonly string[];
  /** What became of the images, one for each entry: by what the survey says, where there is one. */
  outcomes(
    survey: Pick<SurveyResult, "images" | "refused" | "reconstruction" | "findings">,
  ): CaptureImage[];
  /** The same where the survey was refused as a whole: none is used, for that reason or its own. */
  unused(reason: string, uses: readonly ImageUse[]): CaptureImage[];
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
    unused: (reason, uses) =>
      entries.map((entry, i) => {
        const file = fileOf[i];
        if (file === undefined) return rejected(entry, reasonOf(i));
        const own = uses.find(({ sha256, name }) => sha256 === file.sha256 && name === file.name);
        const unread = uses.find(
          ({ use, name, reason: why }) =>
            use === "unreadable" && (name === file.name || why?.startsWith(`${file.name} `)),
        );
        if (own === undefined && unread?.reason !== undefined) {
          return rejected(entry, unread.reason);
        }
        const isNamed = own?.reason !== undefined && own.use !== "not_reached";
        const words = isNamed ? `${reason}; the image ${own.reason}` : reason;
        const read = own === undefined ? {} : storedAs(file);
        return { url: shownUrl(entry), ...read, status: "not_used", reason: words };
      }),
    given: () => entries.map((entry) => ({ url: shownUrl(entry), status: "used" })),
    outcomes({ images, refused, reconstruction, findings }) {
      const uses = imageUses(images, refused, findings, reconstruction);
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
        const shown = { url: shownUrl(entry), ...storedAs(file) };
        const taken =
          image.capturedAtMs === undefined
            ? {}
            : { taken_at: new Date(image.capturedAtMs).toISOString() };
        const before = first.get(file.sha256);
        if (before !== undefined) {
          const reason = `is image ${before + 1} once more`;
          return { ...shown, status: "not_used", reason, ...taken };
        }
        first.set(file.sha256, i);
        const at = images.indexOf(image);
        return oriented === undefined || oriented.has(at)
          ? { ...shown, status: "used", ...taken }
          : { ...shown, status: "not_used", reason: reasonFor(uses[at]), ...taken };
      });
    },
  };
}

const NOT_ORIENTED = "does not fit together with the others: too little overlap, or too blurred";

/** Why an image that was read is in no model. */
const reasonFor = (use: ImageUse | undefined): string =>
  use?.use === "not_oriented" ? NOT_ORIENTED : (use?.reason ?? NOT_ORIENTED);

/** Of images that were sent beside a surface that was there already. */
export const besideSurface = (entries: readonly string[]): CaptureImage[] =>
  entries.map((entry) => ({
    url: shownUrl(entry),
    status: "not_used",
    reason: "the flight's surface was given as dsm_url",
  }));

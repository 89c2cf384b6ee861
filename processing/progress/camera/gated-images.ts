import type { CaptureImage } from "../../../domain/sites/capture.ts";
import { findDuplicates } from "../../images/duplicates.ts";
import type { ImageFile } from "../../images/files/image-file.ts";
import { readImages } from "../../images/read-images.ts";
import type { ImageQuality, SurveyImage } from "../../photogrammetry/camera/survey-image.ts";
import { shownUrl } from "../analysis/shown-url.ts";
import type { CameraTools } from "./camera-tools.ts";
import { type PlaceHints, placeHints } from "./place-hints.ts";

/**
 * What an image must have to be analysed: far below good pictures, so that the registration decides what can be
 * used. Measured on simulated sites (simulators/camera-site): sharpness 180 and more, in fog 104, at night 53,
 * most of it noise; brightness 80 to 190, at night 2 to 8. Stricter, usable dusk and haze are refused; laxer,
 * the registration is tried on pictures that show nothing.
 */
const IMAGE_GATE = {
  /** Variance of the Laplacian, squared grey levels. */
  sharpness: 6,
  /** Mean grey level, 0 to 255. */
  brightness: 20,
  /** Share of drowned, or of burnt-out, pixels at most. */
  underexposed: 0.7,
  overexposed: 0.6,
} as const;

/** An image that passed the gate. */
export interface GatedImage {
  readonly file: ImageFile;
  readonly image: SurveyImage;
  readonly hints: PlaceHints;
}

/** One entry of a capture: an image to analyse, or why there is none. */
export type GatedEntry = { readonly url: string } & (
  | { readonly passed: GatedImage }
  | { readonly rejected: string }
);

export const rejectedImage = (url: string, reason: string): CaptureImage => ({
  url,
  status: "rejected",
  reason,
});

/**
 * Fetches the images of a capture, reads them and checks them by the gate; of near-equal ones the first
 * stays. One result for each entry, in their order. `onDone` gets the share that is done, 0 to 1.
 * @throws what `signal` fires with; DomainError `STORE_UNAVAILABLE`.
 */
export async function gateImages(
  { pool, images }: Pick<CameraTools, "pool" | "images">,
  entries: readonly string[],
  { signal, onDone }: { readonly signal: AbortSignal; readonly onDone: (share: number) => void },
): Promise<readonly GatedEntry[]> {
  const hints = entries.map(placeHints);
  const fetched = await images.resolve(
    hints.map(({ entry }) => entry),
    { signal, onFetched: (done) => onDone(done / entries.length / 2) },
  );
  const files = fetched.flatMap((one) => ("value" in one ? [one.value] : []));
  const read = await readImages(pool, files, {
    signal,
    onRead: (done) => onDone(0.5 + done / Math.max(1, files.length) / 2),
  });
  const gated = entries.map((entry, i): GatedEntry => {
    const url = shownUrl(entry);
    const file = fetched[i];
    if (file === undefined || !("value" in file)) {
      return { url, rejected: file?.refused ?? "was not fetched" };
    }
    const outcome = read[files.indexOf(file.value)];
    if (outcome === undefined || !("value" in outcome)) {
      return { url, rejected: outcome?.refused ?? "was not read" };
    }
    const problem = gateProblem(outcome.value.quality);
    const { name } = file.value;
    return problem === undefined
      ? {
          url,
          passed: { file: file.value, image: outcome.value, hints: hints[i] ?? placeHints("") },
        }
      : { url, rejected: `${name} ${problem}` };
  });
  return withoutCopies(gated);
}

/** A picture that is the same but for its camera or zone hint is not a copy: it was named for another one. */
function withoutCopies(gated: readonly GatedEntry[]): readonly GatedEntry[] {
  const passed = gated.flatMap((one, i) => ("passed" in one ? [{ i, ...one.passed }] : []));
  const copyOf = new Map<number, string>();
  const placeOf = ({ hints }: GatedImage): string => `${hints.camera ?? ""} ${hints.zone ?? ""}`;
  for (const place of new Set(passed.map(placeOf))) {
    const group = passed.filter((one) => placeOf(one) === place);
    for (const { index, of } of findDuplicates(group.map(({ image }) => image))) {
      const [copy, first] = [group[index], group[of]];
      if (copy !== undefined) copyOf.set(copy.i, first?.file.name ?? "another one");
    }
  }
  return gated.map((one, i) => {
    const first = copyOf.get(i);
    if (first === undefined || !("passed" in one)) return one;
    return { url: one.url, rejected: `${one.passed.file.name} shows what ${first} shows already` };
  });
}

/** Why an image is refused, in words that follow its name; `undefined`: it is not. */
function gateProblem(quality: ImageQuality): string | undefined {
  const { sharpness, brightness, underexposed, overexposed } = quality;
  if (brightness < IMAGE_GATE.brightness || underexposed > IMAGE_GATE.underexposed) {
    return `is too dark: mean grey level ${brightness.toFixed(0)} of 255 (${IMAGE_GATE.brightness} or more), ${share(underexposed)} of it black`;
  }
  if (overexposed > IMAGE_GATE.overexposed) {
    return `is overexposed: ${share(overexposed)} of it is white (${share(IMAGE_GATE.overexposed)} at most)`;
  }
  if (sharpness < IMAGE_GATE.sharpness) {
    return `is blurred or shows nothing: sharpness ${sharpness.toFixed(1)} (variance of the Laplacian; ${IMAGE_GATE.sharpness} or more)`;
  }
  return undefined;
}

const share = (value: number): string => `${Math.round(100 * value)} %`;

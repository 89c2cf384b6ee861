import { SimulatorError } from "../../command-line/simulator-error.ts";

/** Faults of single images: how many of them, or which, can be said. */
export const IMAGE_FAULTS = {
  rotated: "pixels turned by 180 degrees by a viewer, tags kept",
  orientation: "wrong EXIF Orientation (6), pixels as they were",
  blurred: "shaken: blur of 1 % of the width",
  stretched: "drawn out or pressed in height by up to 10 %, as by a careless export",
  "lens-cap": "black but for the sensor's noise",
  duplicate: "a copy of the image before it, pixels and tags",
  "no-gps": "no position",
  "no-gimbal": "no gimbal angles",
  "no-focal": "no focal length",
  "wrong-focal": "focal length a fifth too short, as in cropped or zoomed images",
  "no-tags": "no EXIF and no XMP at all",
  "wrong-gps": "position off by 60 to 120 m",
  "wrong-gimbal": "gimbal yaw off by 60 to 180 degrees",
  "mixed-cameras": "taken by a second camera: other model, lens and size",
} as const;

/** Faults of a whole survey. */
export const SURVEY_FAULTS = {
  blank: "fresh snow over an empty site: nothing to match",
  "half-block": "only the strips of one half were flown, and half of the circle",
} as const;

export type ImageFault = keyof typeof IMAGE_FAULTS;
export type SurveyFault = keyof typeof SURVEY_FAULTS;

/** One fault as asked for. */
export type FaultRequest =
  | { readonly fault: SurveyFault }
  | {
      readonly fault: ImageFault;
      /** All images, this many (drawn by the seed), or exactly these (from 0). */
      readonly images: "all" | { readonly count: number } | { readonly indices: readonly number[] };
    };

function isImageFault(name: string): name is ImageFault {
  return Object.hasOwn(IMAGE_FAULTS, name);
}
function isSurveyFault(name: string): name is SurveyFault {
  return Object.hasOwn(SURVEY_FAULTS, name);
}

/**
 * Reads `--faults`: names with commas between; a fault of single images takes `=3` (three of them),
 * `=#4` or `=#4-9` (these, from 0), or nothing (all).
 * @throws SimulatorError naming the part that is wrong and what is allowed.
 */
export function parseFaults(text: string, imageCount: number): FaultRequest[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => parseFault(part, imageCount));
}

function parseFault(part: string, imageCount: number): FaultRequest {
  const [name = "", amount] = part.split("=", 2);
  if (isSurveyFault(name)) {
    if (amount === undefined) return { fault: name };
    throw new SimulatorError(
      `--faults "${part}": ${name} concerns the whole survey and takes no "="`,
    );
  }
  if (!isImageFault(name)) {
    const names = [...Object.keys(IMAGE_FAULTS), ...Object.keys(SURVEY_FAULTS)].join(", ");
    throw new SimulatorError(
      `--faults "${part}": there is no fault "${name}"; there are: ${names}`,
    );
  }
  if (amount === undefined) return { fault: name, images: "all" };
  const [, first, last = first] = /^#(\d+)(?:-(\d+))?$/.exec(amount) ?? [];
  if (first !== undefined) {
    const [from, to] = [Number(first), Number(last)];
    if (from > to || to >= imageCount) {
      throw new SimulatorError(
        `--faults "${part}": images are #0 to #${imageCount - 1}, the lower one first`,
      );
    }
    const indices = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    return { fault: name, images: { indices } };
  }
  const count = /^\d+$/.test(amount) ? Number(amount) : Number.NaN;
  if (!(count >= 1 && count <= imageCount)) {
    throw new SimulatorError(
      `--faults "${part}": "${amount}" is neither a number of images from 1 to ${imageCount} nor #first-last`,
    );
  }
  return { fault: name, images: { count } };
}

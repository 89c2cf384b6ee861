import type { ImagePoint } from "../../../../domain/sites/site-camera.ts";
import { decodeView, type ViewFile } from "./decode-view.ts";
import { lastingWeights } from "./outline.ts";
import { prepareReference, type Reference } from "./register-view.ts";
import { frameLuminance } from "./view-frame.ts";

export interface ReadReferenceInput {
  readonly file: ViewFile;
  /** Of the zones, which change: what is compared lies outside. */
  readonly outlines: readonly (readonly ImagePoint[])[];
}

/** A reference view as images are compared with it. */
export interface ReferenceView {
  readonly reference: Reference;
  readonly luminance: Float32Array;
}

/** For tasks. @throws DomainError `IMAGE_REFUSED`. */
export async function readReference({
  file,
  outlines,
}: ReadReferenceInput): Promise<ReferenceView> {
  const { pixels } = await decodeView(file);
  const luminance = frameLuminance(pixels);
  return { reference: prepareReference(luminance, lastingWeights(outlines)), luminance };
}

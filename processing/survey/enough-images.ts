import { LIMITS } from "../gates/gate-thresholds.ts";
import { GateRefusal } from "../gates/gates.ts";
import type { FetchedImages } from "./fetch-images.ts";

/** Images that one refusal lists at most. Enough to see what is wrong with all; more only lengthens the refusal. */
const MOST_LISTED = 5;

/**
 * Refuses photographs of which too few could be had, in words that say why each was not. Where none is
 * missing, a single file may be a surface, and the gates of the survey count the rest.
 * @throws GateRefusal TOO_FEW_IMAGES
 */
export function requireEnoughImages({ files, refused }: FetchedImages): void {
  if (refused.length === 0 || files.length >= LIMITS.fewestImages) return;
  const listed = refused.slice(0, MOST_LISTED).join("; ");
  const more = refused.length > MOST_LISTED ? `; and ${refused.length - MOST_LISTED} more` : "";
  throw new GateRefusal({
    gate: "TOO_FEW_IMAGES",
    severity: "reject",
    value: files.length,
    threshold: LIMITS.fewestImages,
    unit: "images",
    advice: `Put right what could not be had: ${listed}${more}.`,
    images: [],
  });
}

import type { ImageUse } from "../../../domain/sites/image-use.ts";
import type { GateFinding, GateName } from "../../gates/gates.ts";
import type { SurveyImage } from "../camera/survey-image.ts";
import type { Reconstruction } from "./reconstruction.ts";

/** Gates that name the images which they leave out. */
const BY_GATE: Partial<Record<GateName, readonly [use: ImageUse["use"], reason: string]>> = {
  DUPLICATE_IMAGES: ["duplicate", "is the same picture as one before it"],
  LENS_CAP: ["one_tone", "shows one tone only"],
  LOW_SHARPNESS: ["blurred", "is blurred"],
  DISCONNECTED: ["unmatched", "shares no ground with the main part of the survey"],
  NO_OVERLAP: ["unmatched", "shares too little ground with the others"],
};

/**
 * What became of each image: those that were read in their order, then those that were not.
 * @param refused what is wrong with each image that could not be read, in words that begin with its name
 * @param outcome outcome of the survey: cameras, or the gate that refused it; `undefined`: the engine does
 *   not say which images it used
 */
export function imageUses(
  images: readonly SurveyImage[],
  refused: readonly string[],
  findings: readonly GateFinding[],
  outcome: Pick<Reconstruction, "cameras"> | { readonly refusedBy: GateName } | undefined,
): readonly ImageUse[] {
  const cameras = outcome !== undefined && "cameras" in outcome ? outcome.cameras : [];
  const oriented = new Set(cameras.map(({ image }) => image));
  const seen = new Set<string>();
  const read = images.map(({ name, sha256 }, i): ImageUse => {
    const isRepeated = seen.has(sha256);
    seen.add(sha256);
    const of = (use: ImageUse["use"], reason?: string) => ({ name, sha256, use, reason });
    if (oriented.has(i)) return of("used");
    for (const finding of findings) {
      const known = BY_GATE[finding.gate];
      if (known === undefined || !finding.images.includes(name)) continue;
      // Two files may have one name: the first of equal ones is not a copy.
      if (known[0] === "duplicate" && !isRepeated && isFirstOfName(images, i)) continue;
      return of(...known);
    }
    if (outcome === undefined) return of("used");
    if ("refusedBy" in outcome) {
      return of("not_reached", `the survey was refused: ${outcome.refusedBy}`);
    }
    return of("not_oriented", "does not fit together with the others");
  });
  const unread = refused.map((reason): ImageUse => {
    const name = reason.split(" ", 1)[0] ?? reason;
    return { name, sha256: undefined, use: "unreadable", reason };
  });
  return [...read, ...unread];
}

/** Whether other images have the same name, and this is the first of them. */
function isFirstOfName(images: readonly SurveyImage[], i: number): boolean {
  const name = images[i]?.name;
  const same = images.filter((image) => image.name === name);
  return same.length > 1 && same[0] === images[i];
}

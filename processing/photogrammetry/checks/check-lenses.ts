import { LIMITS } from "../../gates/gate-thresholds.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { lensPriors } from "../camera/lens-priors.ts";
import type { SurveyImage } from "../camera/survey-image.ts";

export interface LensCheck {
  readonly findings: readonly GateFinding[];
  /** Indices of images without a known focal length. */
  readonly leftOut: readonly number[];
}

/** The size at which lenses are distinguished does not matter: they differ by their tags. */
const ANY_WIDTH_PX = 1_000;

/** Gates NO_FOCAL and MIXED_CAMERAS. */
export function checkLenses(images: readonly SurveyImage[]): LensCheck {
  const { lensOfImage, missing } = lensPriors(images, ANY_WIDTH_PX);
  const findings: GateFinding[] = [];
  const known = images.length - missing.length;
  if (missing.length > 0) {
    const tooFew = known < LIMITS.fewestImages;
    findings.push({
      gate: "NO_FOCAL",
      severity: tooFew ? "reject" : "warn",
      value: known,
      threshold: tooFew ? LIMITS.fewestImages : images.length,
      unit: "images with a focal length",
      advice:
        "Send the original files: messengers and editors remove the focal length from images.",
      images: [...missing],
    });
  }
  const counts = new Map<number, number>();
  for (const lens of lensOfImage) if (lens >= 0) counts.set(lens, (counts.get(lens) ?? 0) + 1);
  if (counts.size > 1) {
    const [main] = [...counts].sort(([a, m], [b, n]) => n - m || a - b)[0] ?? [0];
    findings.push({
      gate: "MIXED_CAMERAS",
      severity: "warn",
      value: counts.size,
      threshold: 1,
      unit: "lenses",
      advice:
        "The images come from several cameras or zoom settings; each is calibrated for itself, which " +
        "a few images cannot do well. Fly a survey with one camera and without zoom.",
      images: images.flatMap(({ name }, i) => {
        const lens = lensOfImage[i] ?? -1;
        return lens >= 0 && lens !== main ? [name] : [];
      }),
    });
  }
  const leftOut = lensOfImage.flatMap((lens, i) => (lens < 0 ? [i] : []));
  return { findings, leftOut };
}

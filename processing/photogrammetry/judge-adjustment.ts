import { LIMITS } from "./gate-thresholds.ts";
import type { GateFinding } from "./gates.ts";
import type { Reconstruction } from "./reconstruction.ts";
import { asPercent, rounded } from "./rounding.ts";

/** What the tag vote found, by names of images. */
export interface TagVerdict {
  /** Rotated by half a turn against their gimbal tags. */
  readonly flipped: readonly string[];
  /** Tags that contradict the pixels in another way; they were not used. */
  readonly conflicting: readonly string[];
}

/**
 * Gates TAG_CONFLICT, BA_FAILED, F_RUNAWAY, GPS_INCONSISTENT and SCALE_UNCERTAIN.
 * @param names of the images, by their index in the survey
 */
export function judgeAdjustment(
  { summary, cameras, lenses }: Reconstruction,
  names: readonly string[],
  tags: TagVerdict,
): readonly GateFinding[] {
  const findings: GateFinding[] = [];
  const contradicted = [...tags.flipped, ...tags.conflicting];
  if (contradicted.length > 0) {
    findings.push({
      gate: "TAG_CONFLICT",
      severity: "warn",
      value: contradicted.length,
      threshold: 0,
      unit: "images",
      advice:
        "The gimbal tags of these images contradict their pixels (rotated in a viewer?); the pixels " +
        "were believed. Send the original files.",
      images: contradicted,
    });
  }
  if (summary.rmsPx > LIMITS.rmsPx || summary.droppedTracks > LIMITS.droppedTracks) {
    const isRms = summary.rmsPx > LIMITS.rmsPx;
    findings.push({
      gate: "BA_FAILED",
      severity: "reject",
      value: isRms ? rounded(summary.rmsPx, 2) : asPercent(summary.droppedTracks),
      threshold: isRms ? LIMITS.rmsPx : asPercent(LIMITS.droppedTracks),
      unit: isRms ? "px" : "% of the tie points dropped",
      advice:
        "The images do not fit together into one model: look for gaps in the flight, moving " +
        "objects, wrong tags or another lens.",
      images: isRms ? worstImages(cameras, names) : [],
    });
  }
  for (const [i, { relativeChange }] of summary.focal.entries()) {
    if (Math.abs(relativeChange) <= LIMITS.focalChange) continue;
    findings.push({
      gate: "F_RUNAWAY",
      severity: "reject",
      value: asPercent(relativeChange),
      threshold: asPercent(LIMITS.focalChange),
      unit: "% of the focal length",
      advice:
        "The adjusted focal length is far from the one in the files: add oblique images, or check " +
        "whether the images were cropped or zoomed.",
      images:
        lenses.length === 1
          ? []
          : cameras.filter(({ lens }) => lens === i).map(({ image }) => names[image] ?? ""),
    });
  }
  const gps = summary.gpsResidualM;
  if (gps !== undefined && gps.horizontal > LIMITS.gpsDoubtfulM) {
    const isWrong = gps.horizontal > LIMITS.gpsWrongM;
    findings.push({
      gate: "GPS_INCONSISTENT",
      severity: isWrong ? "reject" : "warn",
      value: rounded(gps.horizontal, 1),
      threshold: isWrong ? LIMITS.gpsWrongM : LIMITS.gpsDoubtfulM,
      unit: "m",
      advice:
        "The positions in the files contradict each other, so that scale and volumes are of low " +
        "accuracy: use ground control points or a measured distance.",
      images: farthestImages(cameras, names),
    });
  }
  // Volume goes with the cube of the scale.
  const volumeSigma = 3 * summary.scaleSigma;
  if (volumeSigma > LIMITS.volumeSigma) {
    findings.push({
      gate: "SCALE_UNCERTAIN",
      severity: "warn",
      value: asPercent(volumeSigma),
      threshold: asPercent(LIMITS.volumeSigma),
      unit: "% of a volume (1 sigma)",
      advice:
        "Volumes are indicative: RTK, ground control points or a measured distance would fix it.",
      images: [],
    });
  }
  return findings;
}

type Cameras = Reconstruction["cameras"];
/** Names in a finding: enough to go and look, not the whole survey. Chosen. */
const MOST_NAMES = 10;

function worstImages(cameras: Cameras, names: readonly string[]): readonly string[] {
  return [...cameras]
    .sort((a, b) => b.rmsPx - a.rmsPx)
    .slice(0, MOST_NAMES)
    .map(({ image }) => names[image] ?? "");
}

function farthestImages(cameras: Cameras, names: readonly string[]): readonly string[] {
  const distance = ({ gpsResidualM }: Cameras[number]) => Math.hypot(...(gpsResidualM ?? [0]));
  return [...cameras]
    .sort((a, b) => distance(b) - distance(a))
    .slice(0, MOST_NAMES)
    .map(({ image }) => names[image] ?? "");
}

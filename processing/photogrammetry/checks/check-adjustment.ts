import { LIMITS } from "../../gates/gate-thresholds.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { asPercent, rounded } from "../../numeric/rounding.ts";
import { photoPx } from "../reconstruction/photo-pixels.ts";
import type { Reconstruction } from "../reconstruction/reconstruction.ts";
import { checkControl } from "./check-control.ts";
import { checkLevel } from "./check-level.ts";

/** What the tag vote found, by names of images. */
export interface TagConflicts {
  /** Rotated by half a turn against their gimbal tags. */
  readonly flipped: readonly string[];
  /** Tags that contradict the pixels in another way; they were not used. */
  readonly conflicting: readonly string[];
}

/**
 * Gates TAG_CONFLICT, GPS_INCONSISTENT, those of check-control.ts, HEIGHTS_INCONSISTENT, MODEL_TILTED, BA_FAILED, NOT_CONVERGED, F_RUNAWAY, SCALE_UNCERTAIN and
 * SCALE_CONTRADICTED, in the order in which one explains the next: false tags bend the block, and a bent block any lens.
 * @param reconstruction in pixels of the working size, as the limits are; findings count in those of the photographs
 * @param names of the images, by their index in the survey; `fullWidthPx`: of their files
 */
export function checkAdjustment(
  reconstruction: Reconstruction,
  names: readonly string[],
  tags: TagConflicts,
  fullWidthPx: readonly number[] = [],
): readonly GateFinding[] {
  const after = [
    ...checkPositions(reconstruction, names),
    ...checkControl(reconstruction, names, fullWidthPx),
    ...checkLevel(reconstruction.summary),
    ...checkFit(reconstruction, names, fullWidthPx),
    ...checkConvergence(reconstruction),
    ...checkLenses(reconstruction, names),
    ...checkScale(reconstruction),
  ];
  const isRefused = after.some(({ severity }) => severity === "reject");
  return [...checkTags(tags, names.length, isRefused), ...after];
}

/** @param isRefused whether the block came out bad: then false tags of many images are why */
function checkTags(
  { flipped, conflicting }: TagConflicts,
  imageCount: number,
  isRefused: boolean,
): readonly GateFinding[] {
  const contradicted = [...flipped, ...conflicting];
  if (contradicted.length === 0) return [];
  const isCause = isRefused && contradicted.length > LIMITS.conflictingTags * imageCount;
  return [
    {
      gate: "TAG_CONFLICT",
      severity: isCause ? "reject" : "warn",
      value: contradicted.length,
      threshold: isCause ? Math.floor(LIMITS.conflictingTags * imageCount) : 0,
      unit: "images",
      advice: isCause
        ? "The gimbal tags contradict the pixels of so many images that no model comes of them: send " +
          "the original files, or remove the gimbal tags."
        : "The gimbal tags of these images contradict their pixels (rotated in a viewer?); the " +
          "pixels were believed. Send the original files.",
      images: contradicted,
    },
  ];
}

function checkPositions(
  { summary, cameras }: Reconstruction,
  names: readonly string[],
): readonly GateFinding[] {
  const { gpsResidualM: gps, isHeldByControl } = summary;
  if (gps === undefined) return [];
  const gate = "GPS_INCONSISTENT";
  const isWrong = gps.horizontal > LIMITS.gpsWrongM;
  if (isWrong || gps.horizontal > LIMITS.gpsDoubtfulM) {
    return [
      {
        gate,
        severity: isWrong && !isHeldByControl ? "reject" : "warn",
        value: rounded(gps.horizontal, 1),
        threshold: isWrong ? LIMITS.gpsWrongM : LIMITS.gpsDoubtfulM,
        unit: "m of scatter between positions by tags and by pixels",
        advice: isHeldByControl
          ? "The positions in the files contradict each other or the control points; the control points placed " +
            "the model. Check their coordinates, or send the original files."
          : "The positions in the files contradict each other, so that scale and volumes are of low " +
            "accuracy: use ground control points or a measured distance.",
        images: farthestImages(cameras, names),
      },
    ];
  }
  const placed = cameras.filter(({ gpsResidualM }) => gpsResidualM !== undefined).length;
  const far = cameras.filter((camera) => distanceM(camera) > LIMITS.gpsWrongM);
  if (far.length === 0) return [];
  const images = far.map(({ image }) => names[image] ?? "");
  const fitting = placed - far.length;
  const isRefused = fitting < LIMITS.positionedShare * placed && !isHeldByControl;
  return [
    isRefused
      ? {
          gate,
          severity: "reject",
          value: asPercent(fitting / placed),
          threshold: asPercent(LIMITS.positionedShare),
          unit: "% of the positions fit together",
          advice: "The positions of these images are false: send the original files.",
          images,
        }
      : {
          gate,
          severity: "warn",
          value: rounded(Math.max(...far.map(distanceM)), 1),
          threshold: LIMITS.gpsWrongM,
          unit: "m from where the other images put it",
          advice: "The positions of these images are false; the other images placed them.",
          images,
        },
  ];
}

function checkFit(
  reconstruction: Reconstruction,
  names: readonly string[],
  fullWidthPx: readonly number[],
): readonly GateFinding[] {
  const { summary, cameras } = reconstruction;
  if (summary.rmsPx <= LIMITS.rmsPx && summary.droppedTracks <= LIMITS.droppedTracks) return [];
  const isRms = summary.rmsPx > LIMITS.rmsPx;
  const photos = fullWidthPx.map((widthPx) => ({ widthPx }));
  const scale = photos.length === 0 ? 1 : photoPx(reconstruction, photos);
  return [
    {
      gate: "BA_FAILED",
      severity: "reject",
      value: isRms ? rounded(summary.rmsPx * scale, 2) : asPercent(summary.droppedTracks),
      threshold: isRms ? rounded(LIMITS.rmsPx * scale, 2) : asPercent(LIMITS.droppedTracks),
      unit: isRms
        ? "px of the photographs between tie points and model"
        : "% of the tie points dropped",
      advice:
        "The images do not fit together into one model: look for gaps in the flight, moving " +
        "objects, wrong tags or another lens.",
      images: isRms ? worstImages(cameras, names) : [],
    },
  ];
}

function checkConvergence({ summary: { convergence } }: Reconstruction): readonly GateFinding[] {
  if (convergence.isConverged) return [];
  return [
    {
      gate: "NOT_CONVERGED",
      severity: "warn",
      value: rounded(convergence.stepSigmas, 3),
      threshold: LIMITS.stepSigmas,
      unit: "standard deviations in the last step of the adjustment",
      advice:
        "The adjustment was ended before it came to rest, so scale, focal length and volumes may be " +
        "off by more than stated: add oblique images or ground control points, and look for images " +
        "with wrong tags.",
      images: [],
    },
  ];
}

/** A compact's tag may be wrong; only pictures from several heights between control points can correct it. */
function isSettledByControl(
  placedBy: Reconstruction["summary"]["placedBy"],
  change: number,
  sigma: number,
): boolean {
  return (
    placedBy === "control_points" &&
    Math.abs(change) <= LIMITS.focalChangeByControl &&
    sigma <= LIMITS.focalSigmaByControl
  );
}

function checkLenses(
  { summary, cameras, lenses }: Reconstruction,
  names: readonly string[],
): readonly GateFinding[] {
  return summary.focal.flatMap(({ relativeChange, relativeSigma }, i) =>
    Math.abs(relativeChange) <= LIMITS.focalChange
      ? []
      : [
          {
            gate: "F_RUNAWAY",
            severity: isSettledByControl(summary.placedBy, relativeChange, relativeSigma)
              ? "warn"
              : "reject",
            value: asPercent(relativeChange),
            threshold: asPercent(LIMITS.focalChange),
            unit: "% off the focal length of the files",
            advice:
              "The adjusted focal length is far from the one in the files: add oblique images, or " +
              "check whether the images were cropped or zoomed.",
            images:
              lenses.length === 1
                ? []
                : cameras.filter(({ lens }) => lens === i).map(({ image }) => names[image] ?? ""),
          } as const,
        ],
  );
}

function checkScale({ summary }: Reconstruction): readonly GateFinding[] {
  return [...checkScaleSigma(summary), ...checkScaleMisfit(summary)];
}

function checkScaleMisfit({
  scaleByPositions: scale,
}: Reconstruction["summary"]): readonly GateFinding[] {
  if (scale === undefined) return [];
  const limit = LIMITS.scaleMisfit * scale.sigma;
  if (Math.abs(scale.misfit) <= limit) return [];
  return [
    {
      gate: "SCALE_CONTRADICTED",
      severity: "warn",
      value: asPercent(scale.misfit),
      threshold: asPercent(limit),
      unit: "% between the scale of the model and that of the positions",
      advice:
        "The model and the positions in the files differ in scale by more than the positions' " +
        "scatter explains; volumes differ by three times as much. Check control points, measured " +
        "distances and their units, or send the original files.",
      images: [],
    },
  ];
}

function checkScaleSigma(summary: Reconstruction["summary"]): readonly GateFinding[] {
  // Volume goes with the cube of the scale.
  const volumeSigma = 3 * summary.scaleSigma;
  if (volumeSigma <= LIMITS.volumeSigma) return [];
  return [
    {
      gate: "SCALE_UNCERTAIN",
      severity: "warn",
      value: asPercent(volumeSigma),
      threshold: asPercent(LIMITS.volumeSigma),
      unit: "% of a volume (1 sigma)",
      advice:
        "Volumes are indicative: RTK, ground control points or a measured distance would fix it.",
      images: [],
    },
  ];
}

type Cameras = Reconstruction["cameras"];
/**
 * Names in a finding: enough to find the images, not the whole survey. Fewer may not lead to all images that
 * matter, more lists the whole survey.
 */
const MOST_NAMES = 10;

function worstImages(cameras: Cameras, names: readonly string[]): readonly string[] {
  return [...cameras]
    .sort((a, b) => b.rmsPx - a.rmsPx)
    .slice(0, MOST_NAMES)
    .map(({ image }) => names[image] ?? "");
}

function farthestImages(cameras: Cameras, names: readonly string[]): readonly string[] {
  return [...cameras]
    .sort((a, b) => distanceM(b) - distanceM(a))
    .slice(0, MOST_NAMES)
    .map(({ image }) => names[image] ?? "");
}

/** Horizontal, from the position by tags; 0 without one. */
function distanceM({ gpsResidualM }: Cameras[number]): number {
  return Math.hypot(gpsResidualM?.[0] ?? 0, gpsResidualM?.[1] ?? 0);
}

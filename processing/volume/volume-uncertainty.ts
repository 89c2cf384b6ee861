import type {
  Alignment,
  StockpileMeasurement,
  UncertaintyTerms,
} from "../../domain/sites/measurement.ts";
import type { PlanPolygon } from "../grid/polygon-weights.ts";
import type { AdjustmentSummary } from "../photogrammetry/reconstruction/reconstruction.ts";
import type { BaseSurface } from "./base/base-surface.ts";
import type { FilledFootprint } from "./footprint/fill-footprint.ts";
import { wallSmear } from "./footprint/wall-smear.ts";
import { gapUncertainty } from "./gap-uncertainty.ts";
import { heightNoise } from "./height-noise.ts";
import type { VolumeAbove } from "./volume-above.ts";

/** What the uncertainty of a volume is computed from. */
export interface UncertaintyInput {
  readonly volume: VolumeAbove;
  readonly base: BaseSurface;
  /** The surface that was measured, its gaps filled. */
  readonly filled: FilledFootprint;
  readonly polygon: PlanPolygon;
  /** Whether somebody else made the surface, for words alone; absent: it was made here. */
  readonly isGiven?: boolean;
  /** What of the heap the footprint leaves out, cubic metres; `undefined`: nothing. */
  readonly outsideM3?: number | undefined;
  /** Ground sample distance of the working size, metres; of a given surface its cell. */
  readonly gsdM: number;
  /** What the volume changes by at half the resolution, cubic metres; `undefined`: not known. */
  readonly resolutionM3?: number | undefined;
  /** What a given surface's heights were rounded to, metres; absent or 0: not so that it matters. */
  readonly stepM?: number | undefined;
  /** `undefined`: how the surface was made is not known. */
  readonly adjustment:
    | Pick<
        AdjustmentSummary,
        "focal" | "nadirShare" | "scaleFrom" | "isHeldByControl" | "isHeldByRtk" | "tiltSigmaRad"
      >
    | undefined;
  /**
   * One standard deviation of the scale, without unit: the adjustment's, or that of the first epoch where
   * this one was brought to its scale. `undefined`: not known.
   */
  readonly scaleSigma: number | undefined;
  /** How well the surface is aligned to the frame of the base; both 0 in the epoch that made it. */
  readonly alignment: {
    readonly kind: Alignment;
    /** One standard deviation, in height and by axis in plan, metres. */
    readonly heightSigmaM: number;
    readonly planSigmaM: number;
  };
}

/** How far a volume may be off: one standard deviation, cubic metres, and what it comes from. */
export interface VolumeUncertainty {
  readonly terms: UncertaintyTerms;
  /** Root of the sum of the terms' squares: they have nothing to do with each other. */
  readonly sigmaM3: number;
  readonly volumeM3: number;
  readonly alignment: Alignment;
  /** Whether the heap goes on outside of the footprint. */
  readonly isInside: boolean;
  /** Whether the surface was made by somebody else. */
  readonly isGiven: boolean;
  /** What fixes the scale; `undefined`: not known. */
  readonly scaleFrom: AdjustmentSummary["scaleFrom"] | undefined;
  /** Share of images that look straight down, 0 to 1; `undefined`: not known. */
  readonly nadirShare: number | undefined;
}

/** Scale of a surface of unknown source: what GPS alone leaves (docs/photogrammetry.md#real-flights). */
const ASSUMED_SCALE = 0.01;
/**
 * Sample distances in a cell of a surface whose making is not known: programs take 1 to 4. Less widens the
 * interval, more narrows it.
 */
const ASSUMED_CELL_GSD = 2;
/**
 * Least relative sigma of a focal length: lenses are not exact polynomials. The adjustment's own figure holds
 * without inflation: in 20 simulated surveys, 8 of them looking straight down, the focal length was off by 0.2 to
 * 1.1 of it, and volumes with it. Larger widens every interval, smaller believes a camera model too much.
 */
const FOCAL_FLOOR = 0.002;
/** Where the adjustment gives none: with obliques, and all looking down (docs/photogrammetry.md#uncertainty-of-a-volume). */
const FOCAL_OBLIQUE = 0.005;
const FOCAL_NADIR = 0.02;
/**
 * Mean height that a dome leaves under a pile, metres a metre of the pile's radius: of 118 circles of r = 8 m
 * at Brighton Beach (images that look down, flown at 40 m) 68 % differ by 1.8 cm at most from another
 * program's cloud (test/e2e/survey/brighton-beach.ts), over the root of two, for it is the error of two surfaces.
 * docs/photogrammetry.md#real-flights had 3 cm there, and as much more at 12 m as the circles were wider.
 */
const DOME = 0.018 / 8 / Math.SQRT2;
/**
 * Share of it that is left where obliques, RTK or control points hold the block. Simulated surveys show none of
 * it, straight down or not: real lenses are less even. More widens the interval of blocks that are held, less
 * trusts every lens.
 */
const DOME_HELD = 1 / 3;
/**
 * Share of oblique images from which on they count as such; 4 of 18 did. Higher withholds from flights with a few
 * what these give, lower credits two stray images with it.
 */
const OBLIQUE_SHARE = 0.1;

/**
 * Mean height error of a base below a whole pile, in spreads of the ground around it by sectors: of what is as wide as
 * a pile half is taken to go on below it. In simulated surveys with RTK or control points all of it made the half
 * width 3.0 and 4.5 times the rms error, half of it 2.1 and 3.5 (docs/decisions/055). More widens every interval.
 */
const UNEVEN_SHARE = 0.5;

/**
 * How far a volume may be off, term by term (docs/photogrammetry.md#uncertainty-of-a-volume). Of 121 piles of 37 simulated surveys (480
 * to 1,200 px, RTK and GPS, with obliques and without) 118 lay within their 95 %; rms of error over sigma
 * 0.89 with RTK and obliques, 0.61 with GPS, whose scale is stated for receivers that drift more.
 */
export function volumeUncertainty(input: UncertaintyInput): VolumeUncertainty {
  const { volume, base, filled, polygon, gsdM, adjustment, alignment } = input;
  const volumeM3 = Math.abs(volume.netM3);
  const { areaM2 } = volume;
  const isMatched = adjustment !== undefined;
  const terms: UncertaintyTerms = {
    // A volume goes with the third power of a length.
    scale: 3 * (input.scaleSigma ?? ASSUMED_SCALE) * volumeM3,
    // Relief goes with the focal length where positions hold the plan.
    focal: focalSigma(adjustment) * volumeM3,
    // What a footprint leaves out counts as one standard deviation, so that 95 % hold the heap to its toe and
    // the footprint as it was drawn.
    base: Math.hypot(areaM2 * Math.hypot(unevenM(base), tiltM(input)), input.outsideM3 ?? 0),
    dome: areaM2 * domeM(adjustment, areaM2),
    noise: Math.hypot(
      heightNoise(filled.surface, polygon, {
        gsdM: isMatched ? gsdM : undefined,
        areaM2,
        resolutionM3: input.resolutionM3,
      }),
      // Even within a step, and the same for all level ground: it does not average out.
      (areaM2 * (input.stepM ?? 0)) / Math.sqrt(12),
      wallSmear(filled.surface, polygon, isMatched ? gsdM : gsdM / ASSUMED_CELL_GSD),
    ),
    gaps: gapUncertainty(filled, polygon, volume),
    alignment:
      areaM2 * Math.hypot(alignment.heightSigmaM, slopeOf(base, polygon) * alignment.planSigmaM),
  };
  return {
    terms,
    sigmaM3: Math.hypot(...Object.values(terms)),
    volumeM3: volume.netM3,
    alignment: alignment.kind,
    isInside: input.outsideM3 !== undefined,
    isGiven: input.isGiven === true,
    scaleFrom: adjustment?.scaleFrom,
    nadirShare: adjustment?.nadirShare,
  };
}

/** A base of loose heights is off as it says; one through the ground by what that hides. */
function unevenM({ kind, unevenM: spread }: BaseSurface): number {
  return kind === "plane" || kind === "tin" ? UNEVEN_SHARE * spread : spread;
}

/** Relative, one standard deviation, of the lens that is least sure. */
function focalSigma(adjustment: UncertaintyInput["adjustment"]): number {
  // A given surface: its focal length is part of what its scale is not known to.
  if (adjustment === undefined) return 0;
  const assumed = hasObliques(adjustment) ? FOCAL_OBLIQUE : FOCAL_NADIR;
  const sigmas = adjustment.focal.map(({ relativeSigma }) =>
    Number.isFinite(relativeSigma) ? Math.max(FOCAL_FLOOR, relativeSigma) : assumed,
  );
  return sigmas.length === 0 ? assumed : Math.max(...sigmas);
}

/**
 * Mean height error from the tilt of the model, metres. A base that the pile stands on tilts with it: what is
 * left is the slope that the polygon's edge gets, on which the pile's own height lies. A level base stays,
 * and the model turns about its origin, which is where its images were taken.
 */
function tiltM({ volume, base, polygon, adjustment }: UncertaintyInput): number {
  const tilt = adjustment?.tiltSigmaRad ?? 0;
  if (!Number.isFinite(tilt)) return 0;
  const heightM = Math.abs(volume.netM3) / volume.areaM2;
  if (base.kind !== "level") return heightM * tilt * Math.hypot(tilt, slopeOf(base, polygon));
  const [x, y] = [0, 1].map(
    (axis) => polygon.reduce((sum, place) => sum + (place[axis] ?? 0), 0) / polygon.length,
  );
  return tilt * Math.hypot(x ?? 0, y ?? 0);
}

/** Mean height error from a dome, metres. Bars, or one or two control points, give a scale and hold no dome. */
function domeM(adjustment: UncertaintyInput["adjustment"], areaM2: number): number {
  const isHeld =
    adjustment !== undefined &&
    (hasObliques(adjustment) || adjustment.isHeldByRtk || adjustment.isHeldByControl);
  return (isHeld ? DOME_HELD : 1) * DOME * Math.sqrt(areaM2 / Math.PI);
}

function hasObliques({ nadirShare }: Pick<AdjustmentSummary, "nadirShare">): boolean {
  return nadirShare <= 1 - OBLIQUE_SHARE;
}

/** Steepness of a base across its footprint, metres a metre: between the ends of the polygon's box. */
function slopeOf(base: BaseSurface, polygon: PlanPolygon): number {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [south, north] = [Math.min(...ys), Math.max(...ys)];
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const across = (base.heightAt(east, y) - base.heightAt(west, y)) / (east - west);
  const along = (base.heightAt(x, north) - base.heightAt(x, south)) / (north - south);
  // A surveyed base may not know the ends of the box.
  return Math.hypot(Number.isFinite(across) ? across : 0, Number.isFinite(along) ? along : 0);
}

/** What the change since an earlier measurement is computed from. */
export type EarlierVolume = Pick<
  StockpileMeasurement,
  "current_volume_m3" | "sigma_m3" | "uncertainty_terms"
>;

/**
 * How far the change between two measurements of a footprint may be off: one standard deviation, cubic
 * metres. What both share cancels: the base, unless the later one made a new frame; of epochs that were
 * adjusted jointly also scale, focal length and dome, but for the material that was moved.
 */
export function changeUncertainty(
  current: VolumeUncertainty,
  previous: EarlierVolume,
): { readonly sigmaM3: number } {
  if (current.alignment === "first") {
    return { sigmaM3: Math.hypot(current.sigmaM3, previous.sigma_m3) };
  }
  const { terms } = current;
  const earlier = previous.uncertainty_terms;
  const own = [terms.noise, terms.gaps, terms.alignment, earlier.noise, earlier.gaps];
  if (current.alignment !== "joint_adjustment") {
    const apart = [terms.scale, terms.focal, terms.dome, earlier.scale, earlier.focal];
    return { sigmaM3: Math.hypot(...own, ...apart, earlier.dome, earlier.alignment) };
  }
  const volumeM3 = Math.abs(current.volumeM3);
  const changeM3 = Math.abs(current.volumeM3 - previous.current_volume_m3);
  // Of an emptied place the terms say nothing per cubic metre: the earlier ones then do.
  const moved =
    volumeM3 >= previous.current_volume_m3
      ? [terms.scale, terms.focal, terms.dome].map((term) => (term * changeM3) / volumeM3)
      : [earlier.scale, earlier.focal, earlier.dome].map(
          (term) => (term * changeM3) / previous.current_volume_m3,
        );
  return { sigmaM3: Math.hypot(...own, ...moved.map((term) => term || 0)) };
}

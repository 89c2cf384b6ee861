import type { UncertaintyTerm } from "../../domain/sites/measurement.ts";
import { SIGMAS_95, UNCERTAINTY_TERMS } from "../../domain/sites/measurement.ts";
import type { VolumeUncertainty } from "./volume-uncertainty.ts";

/** Relative uncertainty (95 %) from which on a volume only indicates (docs/photogrammetry.md#quality-gates: 10 % at 1 sigma). */
const INDICATIVE = 0.2;
/**
 * Advice is not worth giving below this share of the interval. Lower gives advice that changes nothing, higher
 * keeps advice back that would help a little.
 */
const WORTH_IT = 0.1;

/**
 * Such as "98.6%": 100 % less the relative uncertainty (95 %) of a volume, at least "0.0%"; of no volume
 * nothing is known relative to it.
 */
export function accuracyText(volumeM3: number, sigmaM3: number): string {
  const relative = (SIGMAS_95 * sigmaM3) / Math.abs(volumeM3);
  const percent = Number.isFinite(relative) ? Math.max(0, 100 * (1 - relative)) : 0;
  return `${percent.toFixed(1)}%`;
}

/**
 * An uncertainty in words, such as "523.3 m3 +-34.7 m3 (95 %, +-6.6 %): mostly the scale from GPS; RTK, control
 * points or a measured scale bar would reduce it to about +-14.6 m3".
 */
export function accuracyNote(uncertainty: VolumeUncertainty): string {
  const { terms, sigmaM3, volumeM3 } = uncertainty;
  const rangeM3 = SIGMAS_95 * sigmaM3;
  const relative = rangeM3 / Math.abs(volumeM3);
  const percent = Number.isFinite(relative) ? `, +-${(100 * relative).toFixed(1)} %` : "";
  const indicative = relative > INDICATIVE ? " Indicative only." : "";
  const range = `${volumeM3.toFixed(1)} m3 +-${rangeM3.toFixed(1)} m3 (95 %${percent})`;
  const largest = UNCERTAINTY_TERMS.reduce((most, term) =>
    terms[term] > terms[most] ? term : most,
  );
  if (terms[largest] === 0) return `${range}.`;
  const { source, remedy, left } = describe(largest, uncertainty);
  const leftM3 =
    SIGMAS_95 * Math.sqrt(Math.max(0, sigmaM3 ** 2 - terms[largest] ** 2 * (1 - left ** 2)));
  const lowered =
    remedy !== undefined && leftM3 < (1 - WORTH_IT) * rangeM3
      ? `; ${remedy} would reduce it to about +-${leftM3.toFixed(1)} m3`
      : "";
  return `${range}: mostly ${source}${lowered}.${indicative}`;
}

/** Where a term comes from, what would lower it, and the share of the term that this leaves. */
interface Source {
  readonly source: string;
  readonly remedy: string | undefined;
  readonly left: number;
}

function describe(term: UncertaintyTerm, uncertainty: VolumeUncertainty): Source {
  const { scaleFrom, nadirShare, isInside } = uncertainty;
  if (term === "base" && isInside) {
    return {
      source: "a footprint that leaves out the foot of its heap",
      remedy: "a footprint around the toe",
      left: 0,
    };
  }
  if (uncertainty.isGiven) return describeGiven(term);
  switch (term) {
    case "scale":
      if (scaleFrom === "gps" || scaleFrom === undefined) {
        const source =
          scaleFrom === "gps" ? "the scale from GPS" : "a scale that nobody vouches for";
        // RTK has a hundredth of it (docs/photogrammetry.md#simulated-flights: 0.01 for 0.51 %).
        return { source, remedy: "RTK, control points or a measured scale bar", left: 0.02 };
      }
      return { source: "the scale", remedy: "control points farther apart", left: 0.5 };
    case "focal":
      return {
        source: "the focal length",
        // Sigmas of 0.2 % with obliques, 1.3 to 1.7 % without, of simulated surveys of 14 to 42 images.
        remedy: nadirShare !== undefined && nadirShare > 0.9 ? "some oblique images" : undefined,
        left: 0.15,
      };
    case "base":
      return {
        source: "uneven ground around the pile, and so below it",
        remedy: "a survey of the empty place as the base",
        left: 0,
      };
    case "dome":
      return { source: "bending of the whole block", remedy: "some oblique images", left: 1 / 3 };
    case "noise":
      return {
        source: "the ground sample distance of the images",
        remedy: "flying at half the height",
        left: 0.5,
      };
    case "gaps":
      return {
        source: "parts of the footprint that no three images show well",
        remedy: "images that show them",
        left: 0,
      };
    case "alignment":
      return {
        source: "how surely this survey lies on the earlier ones",
        remedy: "RTK or control points",
        left: 0.5,
      };
  }
}

/** Of a surface that somebody else made: how it was flown is not known, so no advice on flying is given. */
function describeGiven(term: UncertaintyTerm): Source {
  switch (term) {
    case "scale":
    case "focal":
    case "dome":
      return {
        source: "that nobody says how the surface was made",
        remedy: "the photographs themselves, with RTK, control points or a scale bar,",
        left: 0.1,
      };
    case "base":
      return {
        source: "uneven ground around the pile, and so below it",
        remedy: "a surface of the empty place as the base",
        left: 0,
      };
    case "noise":
      return { source: "noise of the surface", remedy: "a finer surface", left: 0.5 };
    case "gaps":
      return {
        source: "parts of the footprint where the surface has no heights",
        remedy: "a surface that has them",
        left: 0,
      };
    case "alignment":
      return {
        source: "how surely this surface lies on the earlier ones",
        remedy: "a surface with control points",
        left: 0.5,
      };
  }
}

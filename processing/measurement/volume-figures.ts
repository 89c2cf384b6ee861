import {
  SIGMAS_95,
  type StockpileMeasurement,
  type UncertaintyTerms,
} from "../../domain/sites/measurement.ts";
import { rounded } from "../numeric/rounding.ts";
import type { SurfaceFigures } from "./surface/measure-volume.ts";

/** Why the published volume is 0. */
export const belowBase = ({ netM3, cutM3, fillM3 }: SurfaceFigures): string =>
  `The surface lies below its base: ${cutM3.toFixed(1)} m3 above it less ${fillM3.toFixed(1)} m3 below it are ` +
  `${netM3.toFixed(1)} m3 (net_m3), and the volume is given as 0. Check footprint and base; a pit has no volume above its base.`;

/** Cubic metres with three decimals, and no negative zero. */
export const litres = (volumeM3: number): number => rounded(volumeM3, 3) + 0;

const roundedTerms = (terms: UncertaintyTerms): UncertaintyTerms => {
  const { scale, focal, base, dome, noise, gaps, alignment } = terms;
  return {
    scale: litres(scale),
    focal: litres(focal),
    base: litres(base),
    dome: litres(dome),
    noise: litres(noise),
    gaps: litres(gaps),
    alignment: litres(alignment),
  };
};

/** The figures of a volume as they are published, rounded. */
export function volumeFigures(
  figures: SurfaceFigures,
): Pick<
  StockpileMeasurement,
  | "sigma_m3"
  | "uncertainty_95_m3"
  | "uncertainty_terms"
  | "cut_m3"
  | "fill_m3"
  | "rounded_off_m3"
  | "toe_footprint"
  | "area_m2"
  | "max_height_m"
  | "coverage"
  | "interpolated"
  | "base"
> & { readonly net_m3: number } {
  const sigmaM3 = litres(figures.uncertainty.sigmaM3);
  return {
    sigma_m3: sigmaM3,
    uncertainty_95_m3: litres(SIGMAS_95 * sigmaM3),
    uncertainty_terms: roundedTerms(figures.uncertainty.terms),
    cut_m3: litres(figures.cutM3),
    fill_m3: litres(figures.fillM3),
    net_m3: litres(figures.netM3),
    ...(litres(figures.roundedOffM3) !== 0 && { rounded_off_m3: litres(figures.roundedOffM3) }),
    ...(figures.toeFootprint && { toe_footprint: figures.toeFootprint }),
    area_m2: rounded(figures.areaM2, 3),
    max_height_m: rounded(figures.maxHeightM, 3),
    coverage: rounded(figures.coverage, 4),
    interpolated: rounded(figures.interpolated, 4),
    base: figures.base,
  };
}

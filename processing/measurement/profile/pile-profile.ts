import { elevationAt } from "../../grid/elevation-at.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";
import { rounded } from "../../numeric/rounding.ts";
import type { BaseSurface } from "../../volume/base/base-surface.ts";
import { pileAxis } from "./pile-axis.ts";

/**
 * A vertical section. Heights are ENU up in the datum's frame, metres, one for each distance; `null` = no
 * data there. All figures are rounded to millimetres.
 */
export interface PileSection {
  /** Ends in plan: east, north, metres in the datum's frame. */
  readonly from_m: readonly [number, number];
  readonly to_m: readonly [number, number];
  /** Where the line first comes into the footprint and last leaves it, metres from `from_m`. */
  readonly toe_m: readonly [number, number];
  /** From `from_m` along the line, metres. */
  readonly distance_m: readonly number[];
  readonly surface_m: readonly (number | null)[];
  readonly base_m: readonly (number | null)[];
  /** The surface of the previous epoch; `null`: there is none. */
  readonly previous_m: readonly (number | null)[] | null;
}

/** Two sections through a pile; JSON as it is stored with a measurement and given to clients. */
export interface PileProfile {
  readonly version: 1;
  /** Along the pile's longest axis, west to east, through its highest part. */
  readonly along: PileSection;
  /** Across it, through the same place. */
  readonly across: PileSection;
}

/**
 * Ground shown beyond the toe on either side: a share of the footprint's length on the line, and at least, metres.
 * More makes the pile smaller, less hides the ground that it is measured against.
 */
const MARGIN_SHARE = 0.1;
const MIN_MARGIN_M = 1;
/** Points of a section at most: more than a plot has pixels. More makes the report larger and shows no more. */
const MAX_STEPS = 500;

/** Sections through a pile along {@link pileAxis} and across it; heights are bilinear between cells. */
export function pileProfile(
  surface: HeightField,
  base: BaseSurface,
  polygon: PlanPolygon,
  previous?: HeightField,
): PileProfile {
  const { through, direction } = pileAxis(surface, base, polygon);
  const [dx, dy] = direction;
  const section = (along: readonly [number, number]) => {
    const [enterM, leaveM] = reach(polygon, through, along);
    const marginM = Math.max(MIN_MARGIN_M, MARGIN_SHARE * (leaveM - enterM));
    const startM = enterM - marginM;
    const lengthM = leaveM + marginM - startM;
    const steps = Math.max(1, Math.min(MAX_STEPS, Math.ceil(lengthM / surface.cellM)));
    const place = (distance: number) =>
      [
        through[0] + (startM + distance) * along[0],
        through[1] + (startM + distance) * along[1],
      ] as const;
    const distances = Array.from({ length: steps + 1 }, (_, i) => (i / steps) * lengthM);
    const heights = (heightAt: (x: number, y: number) => number) =>
      distances.map((distance) => {
        const z = heightAt(...place(distance));
        return Number.isFinite(z) ? rounded(z, 3) : null;
      });
    const end = (distance: number) => {
      const [x, y] = place(distance);
      return [rounded(x, 3), rounded(y, 3)] as const;
    };
    return {
      from_m: end(0),
      to_m: end(lengthM),
      toe_m: [rounded(marginM, 3), rounded(lengthM - marginM, 3)],
      distance_m: distances.map((distance) => rounded(distance, 3)),
      surface_m: heights((x, y) => elevationAt(surface, x, y)),
      base_m: heights((x, y) => base.heightAt(x, y)),
      previous_m: previous === undefined ? null : heights((x, y) => elevationAt(previous, x, y)),
    } satisfies PileSection;
  };
  return { version: 1, along: section([dx, dy]), across: section([dy, -dx]) };
}

/** Where a line first enters a polygon and last leaves it, metres from `through`; [0, 0] where it misses it. */
function reach(
  polygon: PlanPolygon,
  through: readonly [number, number],
  along: readonly [number, number],
): readonly [number, number] {
  const crossings: number[] = [];
  for (const [i, from] of polygon.entries()) {
    const to = polygon[(i + 1) % polygon.length] ?? from;
    const ahead = (p: readonly [number, number]) =>
      (p[0] - through[0]) * along[0] + (p[1] - through[1]) * along[1];
    const aside = (p: readonly [number, number]) =>
      (p[1] - through[1]) * along[0] - (p[0] - through[0]) * along[1];
    const [a, b] = [aside(from), aside(to)];
    // Half-open: a vertex on the line counts with one of its edges; edges along the line with none.
    if (a < 0 === b < 0) continue;
    crossings.push(ahead(from) + (ahead(to) - ahead(from)) * (a / (a - b)));
  }
  if (crossings.length === 0) return [0, 0];
  return [Math.min(...crossings), Math.max(...crossings)];
}

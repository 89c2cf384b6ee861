import type { HeightField } from "../../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../../grid/polygon-weights.ts";
import type { BaseSurface } from "../../volume/base/base-surface.ts";

/** A line in plan: a point on it, and its direction as a unit vector; ENU, metres. */
export interface PlanLine {
  readonly through: readonly [number, number];
  readonly direction: readonly [number, number];
}

/**
 * The highest part: what reaches this share of the highest cell's height. Lower takes in shoulders, higher follows
 * single stones.
 */
const HIGH_SHARE = 0.9;
/**
 * Axes closer than this in length are those of a round pile, which has no longest one. Larger turns the section of
 * piles that do have an axis, smaller lets noise choose it.
 */
const ROUND_RATIO = 1.05;

/**
 * The line along which a pile is longest: through its highest part (where that is broad, the place nearest
 * to the middle of the volume), along the principal axis of the material's second moments in plan. A round
 * pile is cut along its footprint's longest axis, one on a round footprint from west to east; a footprint
 * without material likewise, through its middle.
 */
export function pileAxis(surface: HeightField, base: BaseSurface, polygon: PlanPolygon): PlanLine {
  const { westM, northM, cellM, width, height, elevationM } = surface;
  const weights = polygonWeights(surface, polygon);
  const material = new Moments();
  const plan = new Moments();
  const cells: [x: number, y: number, aboveM: number][] = [];
  let highest = 0;
  for (let r = 0; r < weights.height; r += 1) {
    const row = weights.firstRow + r;
    const y = northM - (row + 0.5) * cellM;
    for (let c = 0; c < weights.width; c += 1) {
      const share = weights.share[r * weights.width + c] ?? 0;
      if (share === 0) continue;
      const col = weights.firstCol + c;
      const x = westM + (col + 0.5) * cellM;
      plan.add(x, y, share);
      if (row < 0 || col < 0 || row >= height || col >= width) continue;
      const above = (elevationM[row * width + col] ?? Number.NaN) - base.heightAt(x, y);
      if (!(above > 0)) continue;
      material.add(x, y, share * above);
      cells.push([x, y, above]);
      highest = Math.max(highest, above);
    }
  }
  const high = cells.filter(([, , above]) => above >= HIGH_SHARE * highest);
  const [mx, my] = material.centre ?? plan.centre ?? polygon[0] ?? [0, 0];
  const far = ([x, y]: readonly number[]) => ((x ?? 0) - mx) ** 2 + ((y ?? 0) - my) ** 2;
  const [x, y] = high.reduce<readonly number[]>(
    (best, cell) => (far(cell) < far(best) ? cell : best),
    high[0] ?? [mx, my],
  );
  return {
    through: [x ?? mx, y ?? my],
    direction: material.longestAxis() ?? plan.longestAxis() ?? [1, 0],
  };
}

/** Weighted moments of places in plan, up to the second; about the first place, so that digits are kept. */
class Moments {
  #origin: readonly [number, number] | undefined;
  #weight = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #xy = 0;
  #yy = 0;

  add(x: number, y: number, weight: number): void {
    this.#origin ??= [x, y];
    const dx = x - this.#origin[0];
    const dy = y - this.#origin[1];
    this.#weight += weight;
    this.#x += weight * dx;
    this.#y += weight * dy;
    this.#xx += weight * dx * dx;
    this.#xy += weight * dx * dy;
    this.#yy += weight * dy * dy;
  }

  get centre(): readonly [number, number] | undefined {
    if (this.#origin === undefined) return undefined;
    return [this.#origin[0] + this.#x / this.#weight, this.#origin[1] + this.#y / this.#weight];
  }

  /** Unit vector, towards the east (a line due north: towards the north); `undefined`: none is longer. */
  longestAxis(): readonly [number, number] | undefined {
    if (this.#origin === undefined) return undefined;
    const mx = this.#x / this.#weight;
    const my = this.#y / this.#weight;
    const xx = this.#xx / this.#weight - mx * mx;
    const xy = this.#xy / this.#weight - mx * my;
    const yy = this.#yy / this.#weight - my * my;
    const middle = (xx + yy) / 2;
    const spread = Math.hypot((xx - yy) / 2, xy);
    if (middle + spread <= ROUND_RATIO ** 2 * (middle - spread)) return undefined;
    const angle = Math.atan2(2 * xy, xx - yy) / 2;
    return [Math.cos(angle), Math.sin(angle)];
  }
}

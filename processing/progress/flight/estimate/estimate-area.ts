import { rounded } from "../../../numeric/rounding.ts";
import { planAsSeen, withoutRim } from "../cells/zone-rim.ts";
import { areaDone } from "./cell-progress.ts";
import {
  AT_DESIGN,
  AT_DESIGN_OBSERVED,
  type MetricEstimate,
  type SeenZone,
} from "./metric-estimate.ts";
import { percentInterval, rimTerm, termFigures, unseenTerm } from "./percent-interval.ts";
import { placeTerm } from "./zone-sight.ts";
import { besidePercent, doneWork } from "./zone-sums.ts";

/**
 * Of cells that are neither ground nor slab, the share that may be classified wrongly; one standard deviation.
 * Larger widens the interval of half-paved zones, smaller makes it miss the truth at the edges of bays.
 */
const EDGE_SHARE = 0.15;

/** Slabs and paving: share of the planned area that is within tolerance of the design (docs/progress-method.md#surfaces). */
export function estimateArea(zone: SeenZone): MetricEstimate {
  const { detection, observed, errors } = zone;
  const weights = withoutRim(zone.cells, zone.sourceCellM, detection.toleranceM);
  // Nearly all rim: the rim counts, by what the survey can show of it.
  const isNarrow = weights === zone.cells.share;
  const cells = isNarrow ? planAsSeen(zone.cells, zone.sourceCellM) : zone.cells;
  const shareOf = (offsetM: number, by: Float32Array) => {
    const now = offsetM === 0 ? cells.now : cells.now.map((z) => z + offsetM);
    return doneWork(cells, areaDone({ ...cells, now }, detection), by, "area");
  };
  const seen = shareOf(0, weights);
  const whole = doneWork(zone.cells, areaDone(zone.cells, detection), cells.share, "area");
  const done = areaDone(cells, detection);
  const beside = besidePercent(cells, done, weights, detection);
  const sigmaM = Math.hypot(errors.meanSigmaM(seen.areaM2), errors.designSigmaM);
  const [higher, lower] = [shareOf(sigmaM, weights).share, shareOf(-sigmaM, weights).share];
  const away = [higher - seen.share, lower - seen.share];
  const percent = 100 * seen.share;
  const terms = {
    bias: 100 * Math.max(...away.map(Math.abs)),
    noise: 0,
    edges: 100 * EDGE_SHARE * betweenShare({ ...zone, cells }, weights),
    design: 0,
    scale: 0,
    place: placeTerm(zone, (moved) => doneWork(cells, done, moved, "area").share),
    rim: rimTerm(whole.share, seen.share),
    unseen: unseenTerm(observed, seen.spread),
  };
  return {
    raw_progress: percent,
    interval_95: percentInterval(percent, terms, { below: 0, above: 0 }),
    is_at_design: beside.atDesign >= AT_DESIGN && observed >= AT_DESIGN_OBSERVED,
    notes: [],
    figures: {
      overbuild_m3: rounded(beside.overbuildM3, 2),
      undercut_m3: rounded(beside.undercutM3, 2),
      at_design_fraction: rounded(beside.atDesign, 4),
      ...termFigures(terms),
    },
  };
}

/** Share of the seen cells that lie neither at the baseline nor at the design: the edges of bays. */
function betweenShare(
  { cells: { now, before, design }, detection }: SeenZone,
  weights: Float32Array,
): number {
  let [all, between] = [0, 0];
  for (let i = 0; i < now.length; i += 1) {
    const [z, from, to] = [now[i] ?? 0, before[i] ?? 0, design[i] ?? 0];
    const weight = weights[i] ?? 0;
    if (weight === 0 || Number.isNaN(z + from + to)) continue;
    all += weight;
    const isEnd = Math.abs(z - from) <= detection.lodM || Math.abs(z - to) <= detection.lodM;
    if (!isEnd) between += weight;
  }
  return all === 0 ? 0 : between / all;
}

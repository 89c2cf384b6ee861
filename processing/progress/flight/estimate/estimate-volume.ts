import { rounded } from "../../../numeric/rounding.ts";
import { planAsSeen, withoutRim } from "../cells/zone-rim.ts";
import { volumeDone } from "./cell-progress.ts";
import {
  AT_DESIGN,
  AT_DESIGN_OBSERVED,
  type MetricEstimate,
  type SeenZone,
} from "./metric-estimate.ts";
import {
  percentInterval,
  rimTerm,
  termFigures,
  unseenTerm,
  volumeTerms,
} from "./percent-interval.ts";
import { placeTerm } from "./zone-sight.ts";
import { besidePercent, doneWork } from "./zone-sums.ts";

/**
 * More than this beside the percent is reported in a note, share of the planned volume. Lower, noise makes
 * notes; higher, overbuilding goes unsaid.
 */
const REPORTED_SHARE = 0.02;

/** Earthworks: share of the planned volume that lies where it should (docs/progress-method.md#surfaces, fill and cut). */
export function estimateVolume(zone: SeenZone): MetricEstimate {
  const { detection, planned, observed, errors } = zone;
  const weights = withoutRim(zone.cells, zone.sourceCellM);
  const cells = planAsSeen(zone.cells, zone.sourceCellM);
  const done = volumeDone(cells, detection);
  const seen = doneWork(cells, done, weights, "volume");
  const whole = doneWork(zone.cells, volumeDone(zone.cells, detection), cells.share, "volume");
  const beside = besidePercent(zone.cells, done, weights, detection);
  const { atDesign } = besidePercent(cells, done, weights, detection);
  const percent = 100 * seen.share;
  const terms = {
    ...volumeTerms({
      ...{ areaM2: seen.areaM2, volumeM3: seen.volumeM3, share: seen.share },
      biasSigmaM: errors.meanSigmaM(seen.areaM2),
      cellSigmaM: errors.cellSigmaM,
      cellM: zone.sourceCellM,
      designSigmaM: errors.designSigmaM,
      scaleSigma: zone.scaleSigma,
    }),
    place: placeTerm(zone, (moved) => doneWork(cells, done, moved, "volume").share),
    rim: rimTerm(whole.share, seen.share),
    unseen: unseenTerm(observed, seen.spread),
  };
  // What the gate did not count may be there.
  const above = (100 * Math.max(0, beside.gatedM3)) / whole.volumeM3;
  return {
    raw_progress: percent,
    interval_95: percentInterval(percent, terms, { below: 0, above }),
    is_at_design: atDesign >= AT_DESIGN && observed >= AT_DESIGN_OBSERVED,
    notes: [
      ...besideText("stands above the design", beside.overbuildM3, planned.volumeM3),
      ...besideText("was dug below the design", beside.undercutM3, planned.volumeM3),
      ...besideText("changed against the plan", beside.wrongWayM3, planned.volumeM3),
    ],
    figures: {
      done_m3: rounded(seen.share * whole.volumeM3, 2),
      overbuild_m3: rounded(beside.overbuildM3, 2),
      undercut_m3: rounded(beside.undercutM3, 2),
      wrong_way_m3: rounded(beside.wrongWayM3, 2),
      at_design_fraction: rounded(atDesign, 4),
      ...termFigures(terms),
    },
  };
}

function besideText(what: string, volumeM3: number, plannedM3: number): readonly string[] {
  if (volumeM3 < REPORTED_SHARE * plannedM3) return [];
  return [`${volumeM3.toFixed(1)} m3 ${what}; the percent does not count them.`];
}

import sharp from "sharp";
import type { CaptureId, WorkZoneId } from "../../../../domain/ids.ts";
import {
  featurePart,
  joinFeatures,
} from "../../../../processing/progress/camera/features/view-features.ts";
import { zoneFeatures } from "../../../../processing/progress/camera/features/zone-features.ts";
import { nearestDistance } from "../../../../processing/progress/camera/model/novelty.ts";
import { scaleOf } from "../../../../processing/progress/camera/model/ridge.ts";
import { zoneModel } from "../../../../processing/progress/camera/model/zone-model.ts";
import { zoneNetwork } from "../../../../processing/progress/camera/network/zone-network.ts";
import { lastingWeights } from "../../../../processing/progress/camera/view/outline.ts";
import { pictureLight } from "../../../../processing/progress/camera/view/picture-light.ts";
import {
  prepareReference,
  type Reference,
  registerView,
} from "../../../../processing/progress/camera/view/register-view.ts";
import {
  frameLuminance,
  type ViewPixels,
} from "../../../../processing/progress/camera/view/view-frame.ts";
import { warpZone } from "../../../../processing/progress/camera/view/warp-zone.ts";
import { zoneFigure } from "../../../../processing/progress/report/zone-figure.ts";
import {
  type CameraSite,
  paintCameraSite,
  percentsAt,
  planCameraSite,
  zoneOutlines,
} from "../../../../simulators/camera-site/camera-site.ts";
import {
  type Conditions,
  drawConditions,
  movedConditions,
  referenceConditions,
} from "../../../../simulators/camera-site/conditions.ts";
import { CAMERA_SITE_DEFAULTS } from "../../../../simulators/camera-site/options.ts";
import { createRandom } from "../../../../simulators/randomness/random.ts";

/** Numbers of labels for which figures are given (docs/progress-method.md#fixed-cameras). */
export const LABEL_COUNTS = [5, 8, 12, 20, 40] as const;
const POOL = 40;
/** Labels from the first picture on, and how many of the pictures after the last of them are estimated. */
export const LABELS_SO_FAR = [20, 40, 60] as const;
const VIEWS_AFTER = 12;
/** Pictures of a camera that was knocked, for each site. */
const MOVED_PICTURES = 6;
const DAY_MS = 86_400_000;
/** How long building takes. Chosen: a picture each four days. */
const BUILD_DAYS = 360;

/** Sums over the estimates of one site at one number of labels. */
export interface LabelFigures {
  readonly labels: number;
  readonly estimates: number;
  readonly absoluteError: number;
  /** Of what reports would publish. */
  readonly smoothedError: number;
  /** Of the percent of the labelled picture that looks most alike. */
  readonly nearestError: number;
  /** Of a model of the hand-made features alone. */
  readonly handMadeError: number;
  readonly intervals: number;
  readonly covered: number;
  readonly width: number;
  readonly novel: number;
  /** The same at either end of the scale: true percents below 5, and above 95. */
  readonly lowIntervals: number;
  readonly lowCovered: number;
  readonly highIntervals: number;
  readonly highCovered: number;
  /** Zones reported complete, and those of them whose true percent was below 100. */
  readonly complete: number;
  readonly falseComplete: number;
}

/** What one simulated site with a fixed camera came to. */
export interface SiteFigures {
  readonly seed: string;
  /** What became of pictures of the camera as it was set up, and of one that was knocked. */
  readonly still: Readonly<Record<string, number>>;
  readonly moved: Readonly<Record<string, number>>;
  /** Of views between labelled ones. */
  readonly figures: readonly LabelFigures[];
  /** Of the views that follow the last label. */
  readonly later: readonly LabelFigures[];
  readonly paintMs: number;
  readonly readMs: number;
}

interface Seen {
  readonly time: number;
  readonly percents: readonly number[];
  readonly features: readonly Float32Array[];
}

/** Paints a site's pictures, reads them as the service does, and compares the estimates with their truth. */
export async function measureCameraSite(seed: string): Promise<SiteFigures> {
  const site = planCameraSite({ seed, ...CAMERA_SITE_DEFAULTS });
  const outlines = zoneOutlines(site);
  const random = createRandom(`camera-sites/${seed}`);
  let paintMs = 0;
  let readMs = 0;
  const picture = async (time: number, conditions: Conditions): Promise<ViewPixels> => {
    const sinceMs = performance.now();
    const view = await throughJpeg(site, time, conditions);
    paintMs += performance.now() - sinceMs;
    return view;
  };
  const first = await picture(0, referenceConditions(random.fork("reference")));
  const reference = prepareReference(frameLuminance(first), lastingWeights(outlines));

  const network = await zoneNetwork();
  const still: Record<string, number> = {};
  const seen: Seen[] = [];
  for (const [i, time] of site.times.entries()) {
    const view = await picture(time, drawConditions(random.fork(`day ${i}`), {}));
    const sinceMs = performance.now();
    const found = register(reference, view, still);
    if (found.kind === "registered") {
      const light = pictureLight(view);
      const patches = outlines.map((outline) => warpZone(view, found.map, outline));
      const described = await network.describe(patches, light);
      seen.push({
        time,
        percents: percentsAt(site, time),
        features: patches.map((patch, k) =>
          joinFeatures(zoneFeatures(patch, light), described[k] ?? new Float32Array()),
        ),
      });
    }
    readMs += performance.now() - sinceMs;
  }
  const moved: Record<string, number> = {};
  const knocks = random.fork("knocks");
  for (let i = 0; i < MOVED_PICTURES; i += 1) {
    const conditions = movedConditions(knocks, CAMERA_SITE_DEFAULTS.widthPx);
    register(reference, await picture(knocks.next(), conditions), moved);
  }
  const shuffled = random.fork("pool").shuffle(seen);
  const pool = shuffled.slice(0, POOL);
  const tests = shuffled.slice(POOL).toSorted((a, b) => a.time - b.time);
  return {
    ...{ seed, still, moved, paintMs, readMs },
    figures: LABEL_COUNTS.map((labels) => figuresOf(pool.slice(0, labels), tests)),
    later: LABELS_SO_FAR.map((labels) =>
      figuresOf(seen.slice(0, labels), seen.slice(labels, labels + VIEWS_AFTER)),
    ),
  };
}

/** What the camera sends: pictures are JPEGs before they are read. */
async function throughJpeg(
  site: CameraSite,
  time: number,
  conditions: Conditions,
): Promise<ViewPixels> {
  const { widthPx, heightPx, pixels } = paintCameraSite(site, percentsAt(site, time), conditions);
  const jpeg = await sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .jpeg({ quality: conditions.jpegQuality })
    .toBuffer();
  const { data } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return { width: widthPx, height: heightPx, rgb: data };
}

function register(reference: Reference, view: ViewPixels, counts: Record<string, number>) {
  const found = registerView(reference, frameLuminance(view), view.height / view.width);
  counts[found.kind] = (counts[found.kind] ?? 0) + 1;
  return found;
}

/** Trains on the labelled pictures, estimates the others in the order of time, and compares. */
function figuresOf(labelled: readonly Seen[], tests: readonly Seen[]): LabelFigures {
  const sums = {
    labels: labelled.length,
    estimates: 0,
    absoluteError: 0,
    smoothedError: 0,
    nearestError: 0,
    handMadeError: 0,
    intervals: 0,
    covered: 0,
    width: 0,
    novel: 0,
    lowIntervals: 0,
    lowCovered: 0,
    highIntervals: 0,
    highCovered: 0,
    complete: 0,
    falseComplete: 0,
  };
  const zones = labelled[0]?.features.length ?? 0;
  for (let zone = 0; zone < zones; zone += 1) {
    const labels = labelled.map((one) => ({
      features: one.features[zone] ?? new Float32Array(),
      progress: one.percents[zone] ?? 0,
      takenAtMs: dayMs(one),
    }));
    const targets = labels.map(({ progress }) => progress);
    const model = zoneModel(labels);
    const byHand = zoneModel(
      labels.map((one) => ({ ...one, features: featurePart(one.features, "hand_made") })),
    );
    // Labels that are all alike make no model; nothing is estimated then.
    if ("missing" in model || "missing" in byHand) continue;
    const scale = scaleOf(labels.map(({ features }) => featurePart(features, model.part)));
    const known = labels.map(({ features }) => scale(featurePart(features, model.part)));
    const past: Parameters<typeof zoneFigure>[1]["estimates"][number][] = [];
    for (const [i, test] of tests.entries()) {
      const given = test.features[zone] ?? new Float32Array();
      const truth = test.percents[zone] ?? 0;
      const said = model.estimate({ features: given, takenAtMs: dayMs(test) });
      const { progress: raw, interval: interval_95, novelty } = said;
      const moment = { captureId: `cap_${i}` as CaptureId, captureDateMs: dayMs(test) };
      const estimate = {
        zone_id: "zon_1" as WorkZoneId,
        method: "calibrated_image" as const,
        raw_progress: raw,
        interval_95,
        observed_fraction: 1,
        is_at_design: false,
        notes: [],
        figures: {},
      };
      const figure = zoneFigure(
        {
          declared_progress: 0,
          declared_at: new Date(0).toISOString(),
          metric: { kind: "image" },
        },
        { estimates: past, current: estimate, observations: [] },
        moment,
      );
      past.push({ ...moment, estimate });
      sums.estimates += 1;
      sums.absoluteError += Math.abs(raw - truth);
      sums.smoothedError += Math.abs(figure.progress - truth);
      const older = featurePart(given, "hand_made");
      // At no time: its interval, which takes most of the work, is not wanted.
      const { progress: estimated } = byHand.estimate({ features: older, takenAtMs: 0 });
      sums.handMadeError += Math.abs(estimated - truth);
      const scaled = scale(featurePart(given, model.part));
      const nearest = known
        .map((one, k) => ({ away: nearestDistance([one], scaled), target: targets[k] ?? 0 }))
        .reduce((best, one) => (one.away < best.away ? one : best));
      sums.nearestError += Math.abs(nearest.target - truth);
      if (novelty > 1) sums.novel += 1;
      if (interval_95 !== undefined) {
        sums.intervals += 1;
        sums.width += interval_95[1] - interval_95[0];
        const isCovered = truth >= interval_95[0] && truth <= interval_95[1];
        if (isCovered) sums.covered += 1;
        if (truth < 5) sums.lowIntervals += 1;
        if (truth < 5 && isCovered) sums.lowCovered += 1;
        if (truth > 95) sums.highIntervals += 1;
        if (truth > 95 && isCovered) sums.highCovered += 1;
      }
      if (figure.status === "complete") {
        sums.complete += 1;
        if (truth < 99.5) sums.falseComplete += 1;
      }
    }
  }
  return sums;
}

const dayMs = ({ time }: Pick<Seen, "time">): number => Math.round(time * BUILD_DAYS * DAY_MS);

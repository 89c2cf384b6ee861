import { type FeaturePart, featurePart, hasNetworkPart } from "../features/view-features.ts";
import { forwardErrors, type LabelledView, LEAST_LABELS } from "./forward-errors.ts";
import { errorQuantile, jackknifeInterval, LEAST_FOR_INTERVAL } from "./jackknife.ts";
import { noveltyOf } from "./novelty.ts";
import { scaleOf } from "./ridge.ts";
import { fitViewModel } from "./view-model.ts";

/**
 * Labels of a model at most, the newest ones: two years of weeks. More cost memory and time (some 50 ms at this
 * many), fewer forget stages and seasons.
 */
export const MOST_LABELS = 120;
/**
 * Points between the smallest and the largest label at least: equal ones teach nothing. Smaller, a model is made
 * of the noise of its labels; larger, a zone waits longer for its first estimate.
 */
const LEAST_RANGE = 10;
/**
 * Most that pictures alone may say of a zone, percent: the last works leave no trace that a camera sees, so an
 * interval that reaches so far is open to 100.
 */
export const MOST_BY_IMAGES = 95;
/** Share of true percents that an interval is to hold. */
const COVERAGE = 0.95;

/** What a view says of its zone. Percent 0 to 100. */
export interface ViewEstimate {
  readonly progress: number;
  /** 95 %; `undefined`: it cannot be bounded yet. */
  readonly interval: readonly [low: number, high: number] | undefined;
  /** Above 1: unlike all that was labelled. */
  readonly novelty: number;
}

/** Labelled views of one zone by one camera, made into a model. */
export interface ZoneModel {
  readonly labels: number;
  /** What it is made of. */
  readonly part: FeaturePart;
  /** Mean and 95th percentile of the leave-one-out errors, points. */
  readonly looMean: number;
  readonly loo95: number;
  /** Whether views between labelled ones get intervals. */
  readonly isBounded: boolean;
  estimate(view: { readonly features: Float32Array; readonly takenAtMs: number }): ViewEstimate;
}

/** Why labels make no model, in words for people. */
export interface NoModel {
  readonly missing: string;
}

/**
 * The calibrated model of one zone in one camera's reference view. Labels of other views or versions must
 * have been left out. Features that are not finite count as no label. It is made of what the network says.
 * Where some labels are older than the network, there are two candidates: the network's model of the newer
 * labels, and the model of all labels' hand-made features. The one that errs less when labels are left out is
 * taken; a bounded one goes first.
 */
export function zoneModel(given: readonly LabelledView[]): ZoneModel | NoModel {
  const sound = given
    .filter(
      ({ features, progress }) => Number.isFinite(progress) && features.every(Number.isFinite),
    )
    .toSorted((a, b) => a.takenAtMs - b.takenAtMs);
  const labels = sound.slice(-MOST_LABELS);
  const described = sound.filter(({ features }) => hasNetworkPart(features)).slice(-MOST_LABELS);
  const byNetwork = modelOf(described, "network");
  if (described.length === labels.length && described.length > 0) return byNetwork;
  const byHand = modelOf(labels, "hand_made");
  if ("missing" in byNetwork) return byHand;
  if ("missing" in byHand) return byNetwork;
  const isAsBounded = byNetwork.isBounded || !byHand.isBounded;
  return isAsBounded && byNetwork.looMean < byHand.looMean ? byNetwork : byHand;
}

/**
 * The model of one part of the features, of labels in the order of time. The interval is the jackknife+ one, and
 * for a view that is later than all labels also that of {@link forwardErrors}; without enough of them there
 * is none.
 */
function modelOf(given: readonly LabelledView[], part: FeaturePart): ZoneModel | NoModel {
  const missing = missingOf(given);
  if (missing !== undefined) return { missing };
  const labels = given.map((label) => ({ ...label, features: featurePart(label.features, part) }));
  const features = labels.map((label) => label.features);
  const fitted = fitViewModel({ features, targets: labels.map(({ progress }) => progress) });
  const scale = scaleOf(features);
  const scaled = features.map((one) => scale(one));
  const lastMs = labels.at(-1)?.takenAtMs ?? 0;
  let forward: ReturnType<typeof forwardErrors> | undefined;
  const errors = fitted.looResiduals.map(Math.abs).sort((a, b) => a - b);
  return {
    labels: labels.length,
    part,
    looMean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    loo95: errors[Math.ceil(COVERAGE * errors.length) - 1] ?? 0,
    isBounded: labels.length >= LEAST_FOR_INTERVAL,
    estimate(view) {
      const seen = featurePart(view.features, part);
      const { at, without } = fitted.predict(seen);
      const progress = percent(at);
      const novelty = noveltyOf(scaled, scale(seen));
      const known = jackknifeInterval(without, fitted.looResiduals, COVERAGE);
      const sinceMs = view.takenAtMs - lastMs;
      if (known === undefined) return { progress, interval: undefined, novelty };
      if (sinceMs > 0) forward ??= forwardErrors(labels, fitted.settings);
      const past = sinceMs > 0 ? forward?.(sinceMs) : undefined;
      const reach = past === undefined ? 0 : errorQuantile(past.errors, COVERAGE, past.independent);
      if (reach === undefined) return { progress, interval: undefined, novelty };
      const low = Math.min(known[0], progress - reach);
      const high = Math.max(known[1], progress + reach);
      // The models without one example each may all lie to one side.
      const interval = [
        Math.min(progress, percent(low)),
        high >= MOST_BY_IMAGES ? 100 : Math.max(progress, percent(high)),
      ] as const;
      return { progress, interval, novelty };
    },
  };
}

const percent = (value: number): number => Math.max(0, Math.min(100, value));

function missingOf(labels: readonly LabelledView[]): string | undefined {
  if (labels.length < LEAST_LABELS) {
    return `${labels.length} of at least ${LEAST_LABELS} labels; ${LEAST_FOR_INTERVAL} for an interval`;
  }
  const percents = labels.map(({ progress }) => progress);
  const range = Math.max(...percents) - Math.min(...percents);
  return range < LEAST_RANGE
    ? `labels that lie ${LEAST_RANGE} points apart; those there are lie ${Math.round(range)} apart`
    : undefined;
}

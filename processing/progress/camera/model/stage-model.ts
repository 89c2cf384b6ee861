import type { ZoneStage } from "../../../../domain/sites/work-zone.ts";
import { noveltyOf } from "./novelty.ts";
import { fitRidge, scaleOf } from "./ridge.ts";
import { MOST_LABELS, type NoModel } from "./zone-model.ts";

/** A photograph whose stage a person stated. */
export interface LabelledStage {
  readonly features: Float32Array;
  readonly stage: string;
  readonly takenAtMs: number;
}

/** Fewest labels of a stage that can be recognised (docs/progress-method.md#fixed-cameras). */
const LEAST_PER_STAGE = 5;
/**
 * Share of the labelled photographs beyond the margin that leave-one-out must get right. Higher, fewer stages
 * are published; lower, more of them are wrong.
 */
const RIGHT = 0.9;
/**
 * Least margin between the two best stages, of scores from -1 to 1, however well leave-one-out does: a few
 * labels that are all right would allow a coin's throw. Higher, fewer stages are published.
 */
const LEAST_MARGIN = 0.1;

/** What a photograph says of its zone's stage. */
export interface StageEstimate {
  /** The likeliest stage. */
  readonly stage: ZoneStage;
  /** Of its score over the next one. */
  readonly margin: number;
  /** Above 1: unlike all that was labelled. */
  readonly novelty: number;
  /** Scores by stage, in the order of `stages`. */
  readonly scores: readonly number[];
}

export interface StageModel {
  readonly labels: number;
  /** The stages that it knows, in the zone's order. */
  readonly stages: readonly ZoneStage[];
  /** Share of the labelled photographs that leave-one-out gets right. */
  readonly looRight: number;
  /** Margin from which a stage is published. */
  readonly leastMargin: number;
  estimate(features: Float32Array): StageEstimate;
  /** Of several photographs of one zone at one time: by their mean scores. */
  together(
    estimates: readonly StageEstimate[],
  ): Pick<StageEstimate, "stage" | "margin"> | undefined;
}

/**
 * Recognises the stage of work in photographs without a fixed view, or of a fixed camera: one ridge
 * regression for each stage against all others. A stage is published from the least margin on at which
 * leave-one-out is right in 9 of 10 cases. Stages with fewer than five labels are not recognised.
 */
export function stageModel(
  stages: readonly ZoneStage[],
  given: readonly LabelledStage[],
): StageModel | NoModel {
  const sound = given.filter(({ features }) => features.every(Number.isFinite));
  const known = stages.filter((stage) => countOf(sound, stage) >= LEAST_PER_STAGE);
  if (known.length < 2) return { missing: missingOf(stages, sound) };
  const labels = sound
    .filter(({ stage }) => known.some(({ name }) => name === stage))
    .toSorted((a, b) => a.takenAtMs - b.takenAtMs)
    .slice(-MOST_LABELS);
  const features = labels.map((label) => label.features);
  const ridges = known.map(({ name }) =>
    fitRidge({ features, targets: labels.map(({ stage }) => (stage === name ? 1 : -1)) }),
  );
  const tried = labels.map(({ stage }, i) => {
    const { best, margin } = bestOf(ridges.map(({ looPredictions }) => looPredictions[i] ?? 0));
    return { isRight: known[best]?.name === stage, margin };
  });
  const scale = scaleOf(features);
  const scaled = features.map((one) => scale(one));
  const pick = (scores: readonly number[]) => {
    const { best, margin } = bestOf(scores);
    const stage = known[best] ?? known[0];
    if (stage === undefined) throw new RangeError("a stage model needs stages");
    return { stage, margin, scores };
  };
  return {
    labels: labels.length,
    stages: known,
    looRight: tried.filter(({ isRight }) => isRight).length / tried.length,
    leastMargin: leastMargin(tried),
    estimate: (view) => ({
      ...pick(ridges.map((ridge) => ridge.predict(view).at)),
      novelty: noveltyOf(scaled, scale(view)),
    }),
    together(estimates) {
      if (estimates.length === 0) return undefined;
      const means = known.map(
        (_, s) =>
          estimates.reduce((sum, { scores }) => sum + (scores[s] ?? 0), 0) / estimates.length,
      );
      return pick(means);
    },
  };
}

const countOf = (labels: readonly LabelledStage[], { name }: ZoneStage): number =>
  labels.filter(({ stage }) => stage === name).length;

function bestOf(scores: readonly number[]): { readonly best: number; readonly margin: number } {
  const order = scores.map((_, i) => i).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const [best = 0, next = 0] = order;
  return { best, margin: (scores[best] ?? 0) - (scores[next] ?? 0) };
}

/** Infinite where leave-one-out is not right often enough at any margin. */
function leastMargin(
  tried: readonly { readonly isRight: boolean; readonly margin: number }[],
): number {
  const margins = [LEAST_MARGIN, ...tried.map(({ margin }) => margin)].toSorted((a, b) => a - b);
  for (const margin of margins) {
    if (margin < LEAST_MARGIN) continue;
    const answered = tried.filter((one) => one.margin >= margin);
    const right = answered.filter(({ isRight }) => isRight).length;
    if (answered.length >= LEAST_PER_STAGE && right >= RIGHT * answered.length) return margin;
  }
  return Number.POSITIVE_INFINITY;
}

function missingOf(stages: readonly ZoneStage[], labels: readonly LabelledStage[]): string {
  const counts = stages.map((stage) => `${stage.name} ${countOf(labels, stage)}`).join(", ");
  return `${LEAST_PER_STAGE} labels of at least two stages; there are ${counts}`;
}

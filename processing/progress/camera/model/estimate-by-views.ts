import type { CameraId } from "../../../../domain/ids.ts";
import type { NoEstimate } from "../../../../domain/sites/capture.ts";
import type { ZoneStage } from "../../../../domain/sites/work-zone.ts";
import { roundTo } from "../../../numeric/rounding.ts";
import { featurePart } from "../features/view-features.ts";
import type { LabelledView } from "./forward-errors.ts";
import { type LabelledStage, type StageEstimate, stageModel } from "./stage-model.ts";
import { weightedMedian } from "./weighted-median.ts";
import { type ViewEstimate, zoneModel } from "./zone-model.ts";

/** A view of a zone as a model takes it. */
export interface EstimatedView {
  /** `undefined`: a photograph without a fixed view. */
  readonly cameraId: CameraId | undefined;
  readonly features: Float32Array;
  readonly takenAtMs: number;
}

export type ViewEstimationInput = {
  readonly views: readonly EstimatedView[];
} & (
  | {
      readonly kind: "image";
      /** Labels by camera, those of its reference view alone. */
      readonly labels: readonly {
        readonly cameraId: CameraId;
        readonly of: readonly LabelledView[];
      }[];
    }
  | {
      readonly kind: "stages";
      readonly stages: readonly ZoneStage[];
      readonly labels: readonly {
        readonly cameraId: CameraId | undefined;
        readonly of: readonly LabelledStage[];
      }[];
    }
);

/** What the views of one capture say of one zone together. */
export interface ViewsEstimate {
  readonly progress: number | undefined;
  readonly interval: readonly [low: number, high: number] | undefined;
  readonly noEstimate: NoEstimate | undefined;
  readonly notes: readonly string[];
  readonly figures: Readonly<Record<string, number | string | boolean>>;
  /** By view: whether it is unlike all that was labelled; `undefined`: there is no model. */
  readonly isNovel: readonly (boolean | undefined)[];
}

/** Estimates one zone. For tasks: fitting takes up to half a second. */
export function estimateByViews(input: ViewEstimationInput): ViewsEstimate {
  return input.kind === "image" ? estimateByImages(input) : estimateByStages(input);
}

/** Width assumed of an interval that is not bounded, points: it weighs least. */
const UNBOUNDED = 100;
/**
 * Intervals count as at least so wide, points. Smaller, one view that is sure of itself silences all others;
 * larger, good views count no more than poor ones.
 */
const LEAST_WIDTH = 2;

function estimateByImages(input: Extract<ViewEstimationInput, { kind: "image" }>): ViewsEstimate {
  const models = new Map(input.labels.map(({ cameraId, of }) => [cameraId, zoneModel(of)]));
  const missing: string[] = [];
  const estimates = input.views.map((view): ViewEstimate | undefined => {
    const model = view.cameraId && models.get(view.cameraId);
    if (model === undefined || "missing" in model) return undefined;
    return model.estimate(view);
  });
  for (const [cameraId, model] of models) {
    const isSeen = input.views.some((view) => view.cameraId === cameraId);
    if (isSeen && "missing" in model) missing.push(`Camera ${cameraId} needs ${model.missing}.`);
  }
  const made = estimates.filter((one) => one !== undefined);
  const isNovel = estimates.map((one) => one && one.novelty > 1);
  if (made.length === 0) return { ...nothing("no_calibration", missing), isNovel };
  const known = made.filter(({ novelty }) => novelty <= 1);
  const used = known.length === 0 ? made : known;
  const fits = [...models.values()].flatMap((model) => ("missing" in model ? [] : [model]));
  const notes = [...missing];
  if (known.length === 0) {
    notes.push("Unlike all that was labelled: please label one of these images.");
  }
  const fused = fuse(used);
  if (fused.interval === undefined) {
    notes.push("More labels are needed before the figure can be bounded.");
  }
  return {
    ...fused,
    noEstimate: undefined,
    notes,
    isNovel,
    figures: {
      labels: Math.max(...fits.map(({ labels }) => labels)),
      loo_mean_points: round(Math.min(...fits.map(({ looMean }) => looMean))),
      novelty: round(Math.min(...used.map(({ novelty }) => Math.min(novelty, 1e6)))),
      images: used.length,
    },
  };
}

/** The median weighted by precision; so the ends of the intervals, which several views of one model do not narrow. */
function fuse(estimates: readonly ViewEstimate[]): Pick<ViewsEstimate, "progress" | "interval"> {
  const widths = estimates.map(({ interval }) =>
    interval === undefined ? UNBOUNDED : Math.max(LEAST_WIDTH, interval[1] - interval[0]),
  );
  const weights = widths.map((width) => 1 / width ** 2);
  const progress = weightedMedian(
    estimates.map((one) => one.progress),
    weights,
  );
  const bounded = estimates.flatMap(({ interval }, i) =>
    interval === undefined ? [] : [{ interval, weight: weights[i] ?? 0 }],
  );
  if (bounded.length === 0) return { progress, interval: undefined };
  const end = (which: 0 | 1): number =>
    weightedMedian(
      bounded.map(({ interval }) => interval[which]),
      bounded.map(({ weight }) => weight),
    );
  return { progress, interval: [Math.min(end(0), progress), Math.max(end(1), progress)] };
}

/**
 * Novelty beyond which a photograph may be of a stage that nobody labelled, or of another room: no stage is
 * published. One of twenty photographs of known stages is above 1. Lower, known stages go unpublished; higher,
 * other rooms are taken for one of them.
 */
const STRANGE = 1.5;

function estimateByStages(input: Extract<ViewEstimationInput, { kind: "stages" }>): ViewsEstimate {
  const models = new Map(
    input.labels.map(({ cameraId, of }) => [cameraId, stageModel(input.stages, of)]),
  );
  const missing: string[] = [];
  const found: { readonly stage: ZoneStage; readonly margin: number; readonly isSure: boolean }[] =
    [];
  const isNovel: (boolean | undefined)[] = input.views.map(() => undefined);
  const figures: Record<string, number | string | boolean> = {};
  for (const [cameraId, model] of models) {
    const mine = input.views.flatMap((view, i) =>
      view.cameraId === cameraId ? [{ view, i }] : [],
    );
    if (mine.length === 0) continue;
    if ("missing" in model) {
      missing.push(`${nameOf(cameraId)} ${model.missing}.`);
      continue;
    }
    const estimates = mine.map(({ view, i }): StageEstimate => {
      const estimate = model.estimate(featurePart(view.features, "hand_made"));
      isNovel[i] = estimate.novelty > 1;
      return estimate;
    });
    const known = estimates.filter(({ novelty }) => novelty <= STRANGE);
    const together = model.together(known.length === 0 ? estimates : known);
    if (together === undefined) continue;
    const isSure = known.length > 0 && together.margin >= model.leastMargin;
    found.push({ ...together, isSure });
    figures["labels"] = model.labels;
    figures["loo_right"] = round(model.looRight);
  }
  const [best] = found.toSorted(
    (a, b) => Number(b.isSure) - Number(a.isSure) || b.margin - a.margin,
  );
  if (best === undefined) return { ...nothing("no_calibration", missing), isNovel };
  figures["margin"] = round(best.margin);
  if (!best.isSure) {
    const notes = [...missing, `Most like the stage ${best.stage.name}, but not surely so.`];
    return { ...nothing("unknown_stage", notes), figures, isNovel };
  }
  return {
    progress: best.stage.credit,
    interval: undefined,
    noEstimate: undefined,
    notes: [...missing, `Stage: ${best.stage.name}.`],
    figures: { ...figures, stage: best.stage.name },
    isNovel,
  };
}

const nameOf = (cameraId: CameraId | undefined): string =>
  cameraId === undefined ? "Photographs of this zone need" : `Camera ${cameraId} needs`;

const nothing = (
  noEstimate: NoEstimate,
  notes: readonly string[],
): Omit<ViewsEstimate, "isNovel"> => ({
  progress: undefined,
  interval: undefined,
  noEstimate,
  notes,
  figures: {},
});

/** Figures of an estimate have three decimals. */
const round = (value: number): number => roundTo(value, 1_000);

import { fitViewModel, type ViewModelSettings } from "./view-model.ts";

/** One labelled view of a zone. */
export interface LabelledView {
  readonly features: Float32Array;
  /** Percent, 0 to 100. */
  readonly progress: number;
  readonly takenAtMs: number;
}

/** Fewest labels that any model is made of: below, docs/progress-method.md#fixed-cameras measured nothing. */
export const LEAST_LABELS = 5;
/**
 * Models of the past that are tried at most: each is a fit. Fewer make the errors coarser, more make every
 * estimate slower.
 */
const MOST_PASTS = 24;

/** Errors of models of the past. */
export interface ForwardErrors {
  /** Absolute, points. */
  readonly errors: readonly number[];
  /** As how many errors they count that have nothing to do with each other, 1 at least; 0 of none. */
  readonly independent: number;
}

/**
 * Errors of a model that knows labels only up to some time, for later views. Work goes in one direction:
 * later stages look like nothing that was labelled. Leave-one-out, which knows what came after, does not see
 * that. Returns, for a time since the last label, the absolute errors in points: each label as estimated by
 * the newest model whose labels are older than it by that time. Errors over the same stretch of time go
 * together; `independent` is how many such stretches follow each other. `labels` ascending in time.
 */
export function forwardErrors(
  labels: readonly LabelledView[],
  settings: ViewModelSettings,
): (sinceMs: number) => ForwardErrors {
  const stride = Math.max(1, Math.ceil((labels.length - LEAST_LABELS) / MOST_PASTS));
  const pasts: { readonly lastMs: number; readonly misses: ReadonlyMap<LabelledView, number> }[] =
    [];
  for (let count = LEAST_LABELS; count < labels.length; count += stride) {
    const known = labels.slice(0, count);
    const model = fitViewModel(
      { features: known.map((one) => one.features), targets: known.map((one) => one.progress) },
      settings,
    );
    const misses = labels.slice(count).map((label): [LabelledView, number] => {
      const predicted = Math.max(0, Math.min(100, model.predict(label.features).at));
      return [label, Math.abs(predicted - label.progress)];
    });
    pasts.push({ lastMs: known.at(-1)?.takenAtMs ?? 0, misses: new Map(misses) });
  }
  return (sinceMs) => {
    const missed = labels.flatMap((label) => {
      const past = pasts.findLast(
        ({ lastMs, misses }) => lastMs <= label.takenAtMs - sinceMs && misses.has(label),
      );
      const miss = past?.misses.get(label);
      return miss === undefined ? [] : [{ miss, atMs: label.takenAtMs }];
    });
    const [first, last] = [missed[0]?.atMs ?? 0, missed.at(-1)?.atMs ?? 0];
    const stretches = sinceMs > 0 ? 1 + (last - first) / sinceMs : missed.length;
    return {
      errors: missed.map(({ miss }) => miss),
      independent: Math.min(missed.length, stretches),
    };
  };
}

import { fitNeighbours } from "./neighbours.ts";
import { fitRidge, scaleOf, type TrainingSet } from "./ridge.ts";

/** What a model of views leaves open: found by leave-one-out, or given. */
export interface ViewModelSettings {
  /** Of the ridge, in units of the mean of the kernel's diagonal. */
  readonly penalty: number;
  /** Of the neighbours' inverse distances. */
  readonly power: number;
  /** Share of the ridge in the prediction, 0 to 1; the neighbours have the rest. */
  readonly ridgeShare: number;
}

/** A regression of percents on features, with everything that leave-one-out needs. */
export interface ViewModel {
  readonly settings: ViewModelSettings;
  /** Target less what the model without an example says of it, in the order of the examples. */
  readonly looResiduals: readonly number[];
  /** The prediction for new features, and those of the models without one example each. */
  predict(features: Float32Array): { readonly at: number; readonly without: readonly number[] };
}

/** A power of 64 is the nearest example alone, but for ties. */
const POWERS: readonly number[] = [4, 8, 16, 32, 64];
const RIDGE_SHARES: readonly number[] = [0, 0.25, 0.5, 0.75, 1];

/**
 * A ridge regression and the nearest examples, in the mixture with the least mean leave-one-out error of the
 * `given` settings or of all. Over a picture's whole range the nearest labelled picture errs less than a linear
 * model, and where labels are few and far apart the linear model helps. Three examples at least.
 * @throws RangeError for features of different lengths or values that are not finite.
 */
export function fitViewModel(set: TrainingSet, given?: ViewModelSettings): ViewModel {
  const { features, targets } = set;
  const ridge = given === undefined ? fitRidge(set) : fitRidge(set, [given.penalty]);
  const scale = scaleOf(features);
  const scaled = features.map((one) => scale(one));
  let best: (ViewModel & { readonly error: number }) | undefined;
  for (const power of given === undefined ? POWERS : [given.power]) {
    const near = fitNeighbours(scaled, targets, power);
    for (const share of given === undefined ? RIDGE_SHARES : [given.ridgeShare]) {
      const mixed = (a: number, b: number): number => share * a + (1 - share) * b;
      const looResiduals = targets.map(
        (target, i) => target - mixed(ridge.looPredictions[i] ?? 0, near.looPredictions[i] ?? 0),
      );
      const error = looResiduals.reduce((sum, one) => sum + Math.abs(one), 0);
      if (best !== undefined && error >= best.error) continue;
      best = {
        error,
        settings: { penalty: ridge.penalty, power, ridgeShare: share },
        looResiduals,
        predict(view) {
          const line = ridge.predict(view);
          const alike = near.predict(scale(view));
          return {
            at: mixed(line.at, alike.at),
            without: line.without.map((one, i) => mixed(one, alike.without[i] ?? one)),
          };
        },
      };
    }
  }
  if (best === undefined) throw new RangeError("a model of views needs settings");
  return best;
}

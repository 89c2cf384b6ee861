/** The positions that hold a block of cameras, as it was adjusted. */
export interface HeldPositions {
  /** Adjusted centres, ENU metres, three a camera. */
  readonly centres: Float64Array;
  /** Adjusted less tagged, metres, three a camera. */
  readonly residuals: Float64Array;
  /** Standard deviations of the positions, metres, three a camera; 0 = the camera's does not count. */
  readonly sigmas: Float64Array;
  /** Cameras of each flight in the order they were taken. */
  readonly flights: readonly (readonly number[])[];
  /**
   * A drift of east and north was taken off the positions (`straightenPositions`): the part of the scale that
   * it could have been is no longer determined by the positions.
   */
  readonly hasDrift?: boolean;
}

/**
 * How alike the errors of two positions in a row may be: 0 = white noise, 0.98 = they take 50 images to
 * change. Receivers without RTK drift, how fast differs: all are weighed by how well residuals fit.
 */
const CORRELATIONS = [0, 0.5, 0.8, 0.9, 0.95, 0.98];
/** Share of its length below which a column says nothing that those before it did not. */
const DEPENDENT = 1e-6;

/** The scale of a block beside that of its positions. */
export interface PositionScale {
  /** Scale of the similarity from the positions to the adjusted centres, weighted least squares, less 1. */
  readonly misfit: number;
  /** One standard deviation of it by the positions' scatter and drift and where the cameras are. */
  readonly sigma: number;
  /**
   * How many times larger that is than it would be if the errors of positions had nothing to do with
   * each other; at least 1.
   */
  readonly inflation: number;
}

/**
 * Compares the scale of a block with its positions. What drifts along strips looks like scale,
 * and less of it is left in the residuals. Errors are taken for autoregressive of first order; each
 * correlation yields a variance of the scale and, by restricted maximum likelihood (Patterson and Thompson
 * 1971, Biometrika 58, 545-554), a weight. Over 200 simulated flights each of 10 to 72 images the resulting
 * sigma was 1.04 to 1.24 of the rms error, of white noise as of drift (0.9), and 96 to 100 % lay within
 * 1.96 of it; doubled white noise was 0.98 to 2.3 of it at 10 to 36 images.
 * @returns `undefined` when there are too few positions
 */
export function positionScale(held: HeldPositions): PositionScale | undefined {
  const model = similarityModel(held);
  const independent = factors(model, 0);
  const plain = held.hasDrift
    ? factors(similarityModel({ ...held, hasDrift: false }), 0)
    : independent;
  const { degrees } = independent;
  // A mean of a chi-square's inverse exists from three on.
  if (!(degrees > 2)) return undefined;
  const tried = CORRELATIONS.map((correlation) => {
    const { logDeterminant, squares } = factors(model, correlation);
    return {
      logLikelihood: -0.5 * (logDeterminant + degrees * Math.log(squares)),
      // Of the scale as it was adjusted: with the weights of independent errors.
      variance: (squares / (degrees - 2)) * spreadOf(model, independent.scale, correlation),
    };
  });
  const best = Math.max(...tried.map(({ logLikelihood }) => logLikelihood));
  let [weights, variance] = [0, 0];
  for (const one of tried) {
    const weight = Math.exp(one.logLikelihood - best);
    weights += weight;
    variance += weight * one.variance;
  }
  const inflation = Math.max(1, Math.sqrt(variance / weights));
  const { misfit, scaleSigma } = independent;
  const sigma = inflation * scaleSigma;
  return { misfit, sigma, inflation: sigma / plain.scaleSigma };
}

/** One axis of one flight: values in a row whose errors drift. */
interface Track {
  /** How many images after the one before it each was taken. */
  readonly steps: readonly number[];
  /** By column of the design, scale before the last; the last holds the residuals. In standard deviations. */
  readonly columns: readonly Float64Array[];
}

/** Positions as a similarity moves them: an offset and a drift a flight, a rotation, a scale; and what is left. */
function similarityModel(held: HeldPositions): Track[] {
  const { centres, residuals, sigmas, flights, hasDrift } = held;
  const mean = meanOf(centres);
  // Offsets of three axes a flight, drifts of two.
  const ofFlights = (hasDrift ? 5 : 3) * flights.length;
  return flights.flatMap((flight, f) => {
    const places = [...flight.keys()].filter((place) => sigmaAt(flight, place, 0) > 0);
    const steps = places.map((place, i) => place - (places[i - 1] ?? place));
    return [0, 1, 2].map((axis) => {
      const columns = Array.from({ length: ofFlights + 5 }, () => new Float64Array(places.length));
      for (const [row, place] of places.entries()) {
        const at = (flight[place] ?? 0) * 3;
        const [x = 0, y = 0, z = 0] = mean.map((m, k) => (centres[at + k] ?? 0) - m);
        const turns = [
          [0, z, -y],
          [-z, 0, x],
          [y, -x, 0],
        ][axis];
        const values = [...(turns ?? []), [x, y, z][axis] ?? 0, residuals[at + axis] ?? 0];
        const sigma = sigmaAt(flight, place, axis);
        set(columns[3 * f + axis], row, 1 / sigma);
        for (const [k, value] of values.entries()) {
          set(columns[ofFlights + k], row, value / sigma);
        }
        if (hasDrift && axis < 2) {
          set(columns[3 * flights.length + 2 * f + axis], row, place / flight.length / sigma);
        }
      }
      return { steps, columns };
    });
  });

  function sigmaAt(flight: readonly number[], place: number, axis: number): number {
    return sigmas[(flight[place] ?? 0) * 3 + axis] ?? 0;
  }
}

/**
 * The design made orthonormal, column by column (modified Gram-Schmidt), once its errors are made
 * independent.
 */
function factors(model: readonly Track[], correlation: number) {
  const whitened = model.map(({ steps, columns }) => ({
    columns: columns.map((column) => whiten(column, steps, correlation)),
  }));
  const count = model[0]?.columns.length ?? 0;
  const rows = model.reduce((sum, { steps }) => sum + steps.length, 0);
  let logDeterminant = 0;
  for (const { steps } of model) {
    for (const step of steps)
      if (step > 0) logDeterminant += Math.log(1 - correlation ** (2 * step));
  }
  let rank = 0;
  let scale: Float64Array[] = [];
  let [misfit, scaleSigma] = [0, Number.POSITIVE_INFINITY];
  for (let k = 0; k + 1 < count; k += 1) {
    const length = Math.sqrt(product(whitened, k, k));
    const before = Math.sqrt(model.reduce((sum, { columns }) => sum + squaresOf(columns[k]), 0));
    if (length <= DEPENDENT * before) continue;
    rank += 1;
    logDeterminant += 2 * Math.log(length);
    for (const { columns } of whitened) add(columns[k], columns[k], 1 / length - 1);
    // The scale's estimate is this row times the positions, over its length.
    if (k + 2 === count) {
      scale = whitened.map(({ columns }) => Float64Array.from(columns[k] ?? []));
      misfit = product(whitened, k, count - 1) / length;
      scaleSigma = 1 / length;
    }
    for (let j = k + 1; j < count; j += 1) {
      const share = product(whitened, k, j);
      for (const { columns } of whitened) {
        add(columns[j], columns[k], -share);
      }
    }
  }
  return {
    logDeterminant,
    squares: product(whitened, count - 1, count - 1),
    degrees: rows - rank,
    scale,
    misfit,
    scaleSigma,
  };
}

/** Variance of a sum of values with such errors, weighted by the rows, for errors of variance 1. */
function spreadOf(model: readonly Track[], rows: readonly Float64Array[], correlation: number) {
  let sum = 0;
  for (const [t, { steps }] of model.entries()) {
    let carried = 0;
    for (const [i, value] of (rows[t] ?? new Float64Array()).entries()) {
      carried *= i === 0 ? 0 : correlation ** (steps[i] ?? 1);
      sum += value * (value + 2 * carried);
      carried += value;
    }
  }
  return sum;
}

/** Innovations of a first-order autoregressive row, scaled to variance 1. */
function whiten(values: Float64Array, steps: readonly number[], correlation: number) {
  return values.map((value, i) => {
    if (i === 0) return value;
    const kept = correlation ** (steps[i] ?? 1);
    return (value - kept * (values[i - 1] ?? 0)) / Math.sqrt(1 - kept * kept);
  });
}

function product(tracks: readonly Pick<Track, "columns">[], a: number, b: number): number {
  let sum = 0;
  for (const { columns } of tracks) {
    columns[a]?.forEach((value, i) => {
      sum += value * (columns[b]?.[i] ?? 0);
    });
  }
  return sum;
}

function meanOf(centres: Float64Array): readonly number[] {
  const count = centres.length / 3;
  return [0, 1, 2].map((axis) =>
    centres.reduce((sum, value, i) => (i % 3 === axis ? sum + value / count : sum), 0),
  );
}

/** Adds `factor` times another column. */
function add(
  column: Float64Array | undefined,
  other: Float64Array | undefined,
  factor: number,
): void {
  other?.forEach((value, i) => {
    set(column, i, (column?.[i] ?? 0) + factor * value);
  });
}

function squaresOf(column: Float64Array | undefined): number {
  return column?.reduce((sum, value) => sum + value * value, 0) ?? 0;
}

function set(array: Float64Array | undefined, i: number, value: number): void {
  if (array) array[i] = value;
}

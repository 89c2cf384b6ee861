/** Counts of symbols as they came, and the distribution of the next one by them. */
export interface SymbolModel {
  /** Share of what lies below each symbol, in units of 2^-15. */
  readonly distribution: Uint32Array;
  readonly counts: Uint32Array;
  total: number;
  cycle: number;
  /** Symbols until the distribution is computed again. */
  left: number;
}

const LENGTH_SHIFT = 15;
const MOST_COUNTED = 2 ** LENGTH_SHIFT;

/** An adaptive model of `symbols` symbols, all as likely at first (Said 2004, HPL-2004-76; LASzip). */
export function createSymbolModel(symbols: number): SymbolModel {
  const model: SymbolModel = {
    distribution: new Uint32Array(symbols),
    counts: new Uint32Array(symbols).fill(1),
    total: 0,
    cycle: symbols,
    left: 0,
  };
  updateModel(model);
  model.cycle = (symbols + 6) >> 1;
  model.left = model.cycle;
  return model;
}

/** Works the distribution out anew; counts are halved when they grow too large. */
export function updateModel(model: SymbolModel): void {
  const { distribution, counts } = model;
  model.total += model.cycle;
  if (model.total > MOST_COUNTED) {
    model.total = 0;
    for (let i = 0; i < counts.length; i += 1) {
      const halved = ((counts[i] ?? 0) + 1) >> 1;
      counts[i] = halved;
      model.total += halved;
    }
  }
  const scale = Math.floor(2 ** 31 / model.total);
  let sum = 0;
  for (let i = 0; i < counts.length; i += 1) {
    distribution[i] = (scale * sum) / 2 ** (31 - LENGTH_SHIFT);
    sum += counts[i] ?? 0;
  }
  model.cycle = Math.min((5 * model.cycle) >> 2, (counts.length + 6) << 3);
  model.left = model.cycle;
}

/** The same for bits. */
export interface BitModel {
  /** Share of zeros, in units of 2^-13. */
  zeros: number;
  zeroCount: number;
  count: number;
  cycle: number;
  left: number;
}

const BIT_SHIFT = 13;
const MOST_BITS_COUNTED = 2 ** BIT_SHIFT;

export function createBitModel(): BitModel {
  return { zeros: 2 ** (BIT_SHIFT - 1), zeroCount: 1, count: 2, cycle: 4, left: 4 };
}

export function updateBitModel(model: BitModel): void {
  model.count += model.cycle;
  if (model.count > MOST_BITS_COUNTED) {
    model.count = (model.count + 1) >> 1;
    model.zeroCount = (model.zeroCount + 1) >> 1;
    if (model.zeroCount === model.count) model.count += 1;
  }
  const scale = Math.floor(2 ** 31 / model.count);
  model.zeros = Math.floor((model.zeroCount * scale) / 2 ** (31 - BIT_SHIFT));
  model.cycle = Math.min((5 * model.cycle) >> 2, 64);
  model.left = model.cycle;
}

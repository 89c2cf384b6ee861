/** Random numbers of a seed: mulberry32 (T. Ettinger, public domain). Not those of the simulators, on purpose. */
export interface Draw {
  /** Uniform in `[0, 1)`. */
  next(): number;
  between(from: number, upTo: number): number;
  normal(): number;
  oneOf<T>(options: readonly [T, ...T[]]): T;
}

export function createDraw(seed: number): Draw {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (from, upTo) => from + (upTo - from) * next(),
    // The sum of twelve uniform numbers has variance 1 and is normal to 3.5 sigma.
    normal: () => Array.from({ length: 12 }, next).reduce((sum, value) => sum + value, -6),
    oneOf: (options) => options[Math.floor(next() * options.length)] ?? options[0],
  };
}

/** A reproducible stream of random numbers: equal seeds give equal streams on every machine. */
export interface Random {
  /** Uniform in `[0, 1)`. */
  next(): number;
  /** Uniform in `[min, max)`. */
  uniform(min: number, max: number): number;
  /** Uniform whole number in `[min, max]`. */
  integer(min: number, max: number): number;
  /** Standard normal: mean 0, variance 1. */
  gaussian(): number;
  /** Waiting time of a Poisson process with this mean. */
  exponential(mean: number): number;
  /** `true` with probability `share`. */
  chance(share: number): boolean;
  /** One of the options. @throws RangeError when there is none. */
  pick<T>(options: readonly T[]): T;
  /** A new, uniformly random order of the same items. */
  shuffle<T>(items: readonly T[]): T[];
  /**
   * An independent stream that depends on the seed and the label only, not on how far this stream
   * was read: adding a draw in one place changes nothing elsewhere.
   */
  fork(label: string): Random;
}

/** Creates the stream of a seed: sfc32 (C. Doty-Humphrey, PractRand), keyed by a hash of the text. */
export function createRandom(seed: string): Random {
  const word = hashWords(seed);
  let a = word();
  let b = word();
  let c = word();
  let counter = 1;

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }
  // sfc32 needs 12 rounds before a low-entropy key has spread over its state (PractRand).
  for (let i = 0; i < 12; i += 1) next();

  const random: Random = {
    next,
    uniform: (min, max) => min + (max - min) * next(),
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    // Box-Muller; 1 - next() is never 0, so the logarithm is finite.
    gaussian: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    exponential: (mean) => -mean * Math.log(1 - next()),
    chance: (share) => next() < share,
    pick(options) {
      const [first] = options;
      if (first === undefined) throw new RangeError("nothing to pick from");
      return options[Math.floor(next() * options.length)] ?? first;
    },
    shuffle<T>(items: readonly T[]): T[] {
      const keyed = items.map((item) => ({ item, key: next() }));
      return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
    },
    fork: (label) => createRandom(`${seed}/${label}`),
  };
  return random;
}

/** Endless 32-bit words from a text: MurmurHash3's mixing steps (A. Appleby, public domain). */
function hashWords(text: string): () => number {
  let h = 1_779_033_703 ^ text.length;
  for (let i = 0; i < text.length; i += 1) {
    h = Math.imul(h ^ text.charCodeAt(i), 3_432_918_353);
    h = (h << 13) | (h >>> 19);
  }
  return () => {
    h = Math.imul(h ^ (h >>> 16), 2_246_822_507);
    h = Math.imul(h ^ (h >>> 13), 3_266_489_909);
    h ^= h >>> 16;
    return h | 0;
  };
}

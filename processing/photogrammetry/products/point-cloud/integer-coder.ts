import type { ArithmeticEncoder } from "./arithmetic-encoder.ts";
import { createBitModel, createSymbolModel, type SymbolModel } from "./symbol-model.ts";

/** Writes integers of 32 bits as what they differ by from a guess. */
export interface IntegerCoder {
  /** Bits of the last difference, 0 to 32: how well the guesses are. */
  readonly bitsOfLast: () => number;
  write(encoder: ArithmeticEncoder, guess: number, value: number, context: number): void;
}

const INTEGER_BITS = 32;
/** Bits of a difference that are modelled; lower ones are noise. */
const MODELLED_BITS = 8;

/** LASzip's integer compressor: the number of bits of a difference by context, then the difference itself. */
export function createIntegerCoder(contexts: number): IntegerCoder {
  const sizes = Array.from({ length: contexts }, () => createSymbolModel(INTEGER_BITS + 1));
  const single = createBitModel();
  const differences: (SymbolModel | undefined)[] = [];
  let k = 0;
  return {
    bitsOfLast: () => k,
    write(encoder, guess, value, context) {
      const difference = (value - guess) | 0;
      // The smallest k with -(2^k - 1) <= difference <= 2^k.
      const magnitude = difference <= 0 ? -difference : difference - 1;
      k = magnitude === 0 ? 0 : INTEGER_BITS - Math.clz32(magnitude);
      const size = sizes[context];
      if (size === undefined) throw new RangeError(`no context ${context}`);
      encoder.symbol(size, k);
      if (k === 0) {
        encoder.bit(single, difference);
        return;
      }
      if (k === INTEGER_BITS) return;
      const offset = difference < 0 ? difference + 2 ** k - 1 : difference - 1;
      const modelled = Math.min(k, MODELLED_BITS);
      differences[k] ??= createSymbolModel(2 ** modelled);
      const model = differences[k];
      if (model === undefined) return;
      if (k <= MODELLED_BITS) {
        encoder.symbol(model, offset);
      } else {
        const low = k - MODELLED_BITS;
        encoder.symbol(model, Math.floor(offset / 2 ** low));
        encoder.bits(low, offset % 2 ** low);
      }
    },
  };
}

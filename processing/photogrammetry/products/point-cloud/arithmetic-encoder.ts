import { type BitModel, type SymbolModel, updateBitModel, updateModel } from "./symbol-model.ts";

/** Writes symbols as one number between 0 and 1, byte by byte. */
export interface ArithmeticEncoder {
  /** A symbol by its model, which learns from it. */
  symbol(model: SymbolModel, symbol: number): void;
  /** 0 or 1 by its model. */
  bit(model: BitModel, bit: number): void;
  /** `count` (1 to 32) bits without a model. */
  bits(count: number, value: number): void;
  /** Ends the number. Nothing may be written afterwards. */
  finish(): Uint8Array;
}

const LEAST_LENGTH = 2 ** 24;
const WHOLE = 2 ** 32;
const FIRST_BYTES = 1_024;

/**
 * Range coder of LASzip (Said 2004, "Introduction to arithmetic coding theory and practice", HPL-2004-76):
 * an interval by its base and length of 32 bits each. Sums beyond 32 bits carry into bytes that are out.
 */
export function createArithmeticEncoder(): ArithmeticEncoder {
  let bytes = new Uint8Array(FIRST_BYTES);
  let size = 0;
  let base = 0;
  let length = WHOLE - 1;

  function put(byte: number): void {
    if (size === bytes.length) {
      const larger = new Uint8Array(2 * size);
      larger.set(bytes);
      bytes = larger;
    }
    bytes[size] = byte;
    size += 1;
  }

  function raiseBase(by: number): void {
    base += by;
    if (base < WHOLE) return;
    base -= WHOLE;
    let last = size - 1;
    while (bytes[last] === 255) {
      bytes[last] = 0;
      last -= 1;
    }
    bytes[last] = (bytes[last] ?? 0) + 1;
  }

  function widen(): void {
    while (length < LEAST_LENGTH) {
      put(Math.floor(base / LEAST_LENGTH));
      base = (base % LEAST_LENGTH) * 256;
      length *= 256;
    }
  }

  function bits(count: number, value: number): void {
    if (count > 19) {
      bits(16, value % 2 ** 16);
      bits(count - 16, Math.floor(value / 2 ** 16));
      return;
    }
    length = Math.floor(length / 2 ** count);
    raiseBase(value * length);
    widen();
  }

  return {
    symbol(model, symbol) {
      const { distribution, counts } = model;
      const share = length >>> 15;
      const below = (distribution[symbol] ?? 0) * share;
      length =
        symbol === counts.length - 1
          ? length - below
          : (distribution[symbol + 1] ?? 0) * share - below;
      raiseBase(below);
      widen();
      counts[symbol] = (counts[symbol] ?? 0) + 1;
      model.left -= 1;
      if (model.left === 0) updateModel(model);
    },
    bit(model, bit) {
      const below = model.zeros * (length >>> 13);
      if (bit === 0) {
        length = below;
        model.zeroCount += 1;
      } else {
        length -= below;
        raiseBase(below);
      }
      widen();
      model.left -= 1;
      if (model.left === 0) updateBitModel(model);
    },
    bits,
    finish() {
      const isLong = length > 2 * LEAST_LENGTH;
      raiseBase(isLong ? LEAST_LENGTH : LEAST_LENGTH / 2);
      length = isLong ? LEAST_LENGTH / 2 : LEAST_LENGTH / 512;
      widen();
      // Decoders read four bytes ahead.
      for (let i = 0; i < (isLong ? 3 : 2); i += 1) put(0);
      return bytes.slice(0, size);
    },
  };
}

import { type BitModel, type SymbolModel, updateBitModel, updateModel } from "./symbol-model.ts";

const LEAST_LENGTH = 2 ** 24;
const WHOLE = 2 ** 32;
const FIRST_BYTES = 1_024;

/**
 * Writes symbols as one number between 0 and 1, byte by byte. Range coder of LASzip (Said 2004, "Introduction to
 * arithmetic coding theory and practice", HPL-2004-76): an interval by its base and length of 32 bits each. Sums
 * beyond 32 bits carry into bytes that are out.
 */
export class ArithmeticEncoder {
  #bytes = new Uint8Array(FIRST_BYTES);
  #size = 0;
  #base = 0;
  #length = WHOLE - 1;

  /** A symbol by its model, which learns from it. */
  symbol(model: SymbolModel, symbol: number): void {
    const { distribution, counts } = model;
    const share = this.#length >>> 15;
    const below = (distribution[symbol] ?? 0) * share;
    this.#length =
      symbol === counts.length - 1
        ? this.#length - below
        : (distribution[symbol + 1] ?? 0) * share - below;
    this.#raiseBase(below);
    this.#widen();
    counts[symbol] = (counts[symbol] ?? 0) + 1;
    model.left -= 1;
    if (model.left === 0) updateModel(model);
  }

  /** 0 or 1 by its model. */
  bit(model: BitModel, bit: number): void {
    const below = model.zeros * (this.#length >>> 13);
    if (bit === 0) {
      this.#length = below;
      model.zeroCount += 1;
    } else {
      this.#length -= below;
      this.#raiseBase(below);
    }
    this.#widen();
    model.left -= 1;
    if (model.left === 0) updateBitModel(model);
  }

  /** `count` (1 to 32) bits without a model. */
  bits(count: number, value: number): void {
    if (count > 19) {
      this.bits(16, value % 2 ** 16);
      this.bits(count - 16, Math.floor(value / 2 ** 16));
      return;
    }
    this.#length = Math.floor(this.#length / 2 ** count);
    this.#raiseBase(value * this.#length);
    this.#widen();
  }

  /** Ends the number. Nothing may be written afterwards. */
  finish(): Uint8Array {
    const isLong = this.#length > 2 * LEAST_LENGTH;
    this.#raiseBase(isLong ? LEAST_LENGTH : LEAST_LENGTH / 2);
    this.#length = isLong ? LEAST_LENGTH / 2 : LEAST_LENGTH / 512;
    this.#widen();
    // Decoders read four bytes ahead.
    for (let i = 0; i < (isLong ? 3 : 2); i += 1) this.#put(0);
    return this.#bytes.slice(0, this.#size);
  }

  #put(byte: number): void {
    if (this.#size === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#size);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#size] = byte;
    this.#size += 1;
  }

  #raiseBase(by: number): void {
    this.#base += by;
    if (this.#base < WHOLE) return;
    this.#base -= WHOLE;
    const bytes = this.#bytes;
    let last = this.#size - 1;
    while (bytes[last] === 255) {
      bytes[last] = 0;
      last -= 1;
    }
    bytes[last] = (bytes[last] ?? 0) + 1;
  }

  #widen(): void {
    while (this.#length < LEAST_LENGTH) {
      this.#put(Math.floor(this.#base / LEAST_LENGTH));
      this.#base = (this.#base % LEAST_LENGTH) * 256;
      this.#length *= 256;
    }
  }
}

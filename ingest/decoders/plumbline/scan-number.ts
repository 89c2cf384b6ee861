const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
/** `e` and `E` differ in this bit. */
const LOWER = 0x20;
const E = 0x65;

/**
 * Digits that a double holds exactly. Up to as many, and as many behind the point, the quotient of two numbers that
 * are exact is the double that is nearest to the text (Clinger 1990, section 3), which is what `JSON.parse` yields.
 */
const EXACT_DIGITS = 15;
const POWERS = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, i) => Number(`1e${i}`));

/** Reads numbers of JSON (RFC 8259 section 6) from bytes. */
export class NumberScanner {
  /** The place behind the number that was read last. */
  end = 0;

  /** The number at `start`; NaN: none that JSON allows, or one that is not finite. */
  read(bytes: Uint8Array, start: number): number {
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let whole = 0;
    for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, at)) {
      whole = whole * 10 + digit;
      at += 1;
    }
    const digits = at - first;
    // Neither nothing nor a number with a zero before it.
    if (digits === 0 || (digits > 1 && bytes[first] === ZERO)) return Number.NaN;
    let decimals = 0;
    if (bytes[at] === POINT) {
      at += 1;
      const point = at;
      for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, at)) {
        whole = whole * 10 + digit;
        at += 1;
      }
      decimals = at - point;
      if (decimals === 0) return Number.NaN;
    }
    const hasExponent = ((bytes[at] ?? 0) | LOWER) === E;
    if (hasExponent) at = exponentEnd(bytes, at + 1);
    this.end = at;
    if (at < 0) return Number.NaN;
    if (hasExponent || digits + decimals > EXACT_DIGITS) return asText(bytes, start, at);
    const value = decimals === 0 ? whole : whole / (POWERS[decimals] as number);
    return isNegative ? -value : value;
  }
}

/** -1 for what is no digit, and behind the end. */
function digitAt(bytes: Uint8Array, at: number): number {
  const digit = (bytes[at] ?? 0) - ZERO;
  return digit <= 9 ? digit : -1;
}

/** The place behind an exponent whose sign or first digit is at `at`; -1: there is none. */
function exponentEnd(bytes: Uint8Array, at: number): number {
  let end = bytes[at] === PLUS || bytes[at] === MINUS ? at + 1 : at;
  const first = end;
  while (digitAt(bytes, end) >= 0) end += 1;
  return end === first ? -1 : end;
}

function asText(bytes: Uint8Array, start: number, end: number): number {
  // Character by character, a text takes a piece of memory for each of them.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
  const value = Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

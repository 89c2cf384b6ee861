/**
 * Places of the cache; a text that falls on the place of another takes it. More take memory; fewer decode texts
 * again that a large fleet repeats.
 */
const PLACES = 4_096;

/**
 * Turns UTF-8 bytes into text, and the same bytes into the same string as long as it remembers them. The
 * ids of a few thousand machines come again and again, and comparing bytes is cheaper than decoding.
 */
export class TextCache {
  readonly #bytes: (Uint8Array | undefined)[] = new Array(PLACES).fill(undefined);
  readonly #texts: string[] = new Array(PLACES).fill("");

  /** The text of `bytes[start, end)`. */
  text(bytes: Uint8Array, start: number, end: number): string {
    let hash = end - start;
    for (let i = start; i < end; i += 1) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
    const place = (hash ^ (hash >>> 12)) & (PLACES - 1);
    const known = this.#bytes[place];
    if (known !== undefined && isSame(known, bytes, start, end))
      return this.#texts[place] as string;
    // Of a Buffer, `slice` of its own would be a view.
    const own = Uint8Array.prototype.slice.call(bytes, start, end);
    const text = Buffer.from(own).toString("utf8");
    this.#bytes[place] = own;
    this.#texts[place] = text;
    return text;
  }
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let i = 0; i < known.length; i += 1) if (known[i] !== bytes[start + i]) return false;
  return true;
}

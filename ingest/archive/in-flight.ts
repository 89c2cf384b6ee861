/** A place in the journal, and the server's clock at its record, ms. */
export interface JournalPlace {
  readonly sequence: number;
  readonly timeMs: number;
}

/** Ranges of the journal whose points are in flight, oldest first. */
export class InFlight {
  readonly #ranges: { readonly end: JournalPlace; open: number }[] = [];
  readonly #onPassed: (end: JournalPlace) => void;

  /** `onPassed` is called with the last record up to which everything has arrived. */
  constructor(onPassed: (end: JournalPlace) => void) {
    this.#onPassed = onPassed;
  }

  /**
   * Adds the range that ends with that record, in so many parts (at least one); yields what is to be
   * called once for each part that has arrived.
   */
  add(end: JournalPlace, parts: number): () => void {
    const range = { end, open: parts };
    this.#ranges.push(range);
    return () => {
      range.open -= 1;
      if (range.open === 0) this.#pass();
    };
  }

  #pass(): void {
    let passed: JournalPlace | undefined;
    while (this.#ranges[0]?.open === 0) passed = this.#ranges.shift()?.end;
    if (passed !== undefined) this.#onPassed(passed);
  }
}

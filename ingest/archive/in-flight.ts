/** Ranges of the journal whose points are on their way, oldest first. */
export class InFlight {
  readonly #ranges: { readonly sequence: number; readonly timeMs: number; open: number }[] = [];
  readonly #onPassed: (sequence: number, timeMs: number) => void;
  #points = 0;

  /** `onPassed` is told of the last record up to which everything has arrived. */
  constructor(onPassed: (sequence: number, timeMs: number) => void) {
    this.#onPassed = onPassed;
  }

  /** Points that have not arrived yet. */
  get points(): number {
    return this.#points;
  }

  /**
   * Adds the range that ends with that record, as parts of so many points; yields what is to be called
   * when a part has arrived. A range without parts has arrived with those before it.
   */
  add(
    end: { readonly sequence: number; readonly timeMs: number },
    sizes: readonly number[],
  ): readonly (() => void)[] {
    const range = { ...end, open: sizes.length };
    this.#ranges.push(range);
    const arrivals = sizes.map((size) => {
      this.#points += size;
      return () => {
        this.#points -= size;
        range.open -= 1;
        if (range.open === 0) this.#pass();
      };
    });
    if (sizes.length === 0) this.#pass();
    return arrivals;
  }

  #pass(): void {
    let passed: { readonly sequence: number; readonly timeMs: number } | undefined;
    while (this.#ranges[0]?.open === 0) passed = this.#ranges.shift();
    if (passed !== undefined) this.#onPassed(passed.sequence, passed.timeMs);
  }
}

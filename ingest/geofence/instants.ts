/** So many at most are put in or taken out one by one; more, and the list is sorted anew when it is read. */
const FEW = 16;

/** Times at which something begins or ends, ms since the Unix epoch: each once, in ascending order. */
export class Instants {
  /** How many of the things begin or end at each. */
  readonly #uses = new Map<number, number>();
  /** `undefined`: to be sorted. */
  #sorted: number[] | undefined;

  has(ms: number): boolean {
    return this.#uses.has(ms);
  }

  /** Holds until the next change. */
  get sorted(): readonly number[] {
    this.#sorted ??= [...this.#uses.keys()].sort((a, b) => a - b);
    return this.#sorted;
  }

  add(instants: readonly number[]): void {
    if (instants.length > FEW) this.#sorted = undefined;
    for (const ms of instants) {
      const uses = this.#uses.get(ms) ?? 0;
      this.#uses.set(ms, uses + 1);
      if (uses === 0 && this.#sorted !== undefined) {
        this.#sorted.splice(placeOf(this.#sorted, ms), 0, ms);
      }
    }
  }

  remove(instants: readonly number[]): void {
    if (instants.length > FEW) this.#sorted = undefined;
    for (const ms of instants) {
      const uses = this.#uses.get(ms) ?? 0;
      if (uses > 1) this.#uses.set(ms, uses - 1);
      else if (this.#uses.delete(ms) && this.#sorted !== undefined) {
        this.#sorted.splice(placeOf(this.#sorted, ms), 1);
      }
    }
  }
}

/** Index of the first of ascending numbers that is at least `value`, by bisection. */
export function placeOf(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

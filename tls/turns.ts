/** Bounds of what runs at once. */
export interface TurnLimits {
  /** Running at once. */
  readonly atOnce: number;
  /** Of those, for one address. */
  readonly atOnceByAddress: number;
  /** Waiting for their turn. */
  readonly waiting: number;
}

/**
 * Lets things run in the order of their arrival, so many at once and so many for one address. An address
 * that never ends what it began holds up only itself.
 */
export class Turns<T> {
  readonly #limits: TurnLimits;
  readonly #start: (one: T, address: string) => void;
  readonly #runningByAddress = new Map<string, number>();
  readonly #waitingByAddress = new Map<string, Set<T>>();
  #running = 0;
  #waiting = 0;

  /** `start` begins one; its code calls {@link end} exactly once. */
  constructor(limits: TurnLimits, start: (one: T, address: string) => void) {
    this.#limits = limits;
    this.#start = start;
  }

  /** Starts it now or when its turn comes; `false`: too many wait already. */
  add(one: T, address: string): boolean {
    if (this.#hasRoom(address)) {
      this.#begin(one, address);
      return true;
    }
    if (this.#waiting >= this.#limits.waiting) return false;
    const queue = this.#waitingByAddress.get(address) ?? new Set<T>();
    this.#waitingByAddress.set(address, queue.add(one));
    this.#waiting += 1;
    return true;
  }

  /** Takes one away that waits; `false`: it does not wait. */
  cancel(one: T, address: string): boolean {
    const queue = this.#waitingByAddress.get(address);
    if (queue?.delete(one) !== true) return false;
    if (queue.size === 0) this.#waitingByAddress.delete(address);
    this.#waiting -= 1;
    return true;
  }

  /** One of that address ended; the next begins. */
  end(address: string): void {
    const left = (this.#runningByAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#runningByAddress.delete(address);
    else this.#runningByAddress.set(address, left);
    this.#running -= 1;
    for (const [candidate, queue] of this.#waitingByAddress) {
      if (!this.#hasRoom(candidate)) continue;
      const [next] = queue;
      if (next === undefined) continue;
      this.cancel(next, candidate);
      this.#begin(next, candidate);
      return;
    }
  }

  #hasRoom(address: string): boolean {
    const { atOnce, atOnceByAddress } = this.#limits;
    return this.#running < atOnce && (this.#runningByAddress.get(address) ?? 0) < atOnceByAddress;
  }

  #begin(one: T, address: string): void {
    this.#running += 1;
    this.#runningByAddress.set(address, (this.#runningByAddress.get(address) ?? 0) + 1);
    this.#start(one, address);
  }
}

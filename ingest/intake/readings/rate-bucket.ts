/** Debt beyond this many seconds of the rate is forgiven: no answer is held back longer anyway. */
const MAX_DEBT_S = 15;

/** The token bucket of one device, in readings; it may go below zero, because nothing is refused. */
export class RateBucket {
  readonly #perS: number;
  readonly #burst: number;
  #tokens: number;
  #atMs = Number.NEGATIVE_INFINITY;

  constructor(perS: number, burst: number) {
    this.#perS = perS;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Whether the device is beyond its rate already, so that an answer to anything more is held back. */
  isBehind(nowMs: number): boolean {
    return this.#tokens + (Math.max(0, nowMs - this.#atMs) / 1_000) * this.#perS < 0;
  }

  /** Takes `count` readings; yields how long the device has to wait to be within its rate, ms. */
  take(count: number, nowMs: number): number {
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    const tokens = Math.min(this.#burst, this.#tokens + (elapsedMs / 1_000) * this.#perS) - count;
    this.#tokens = Math.max(tokens, -this.#perS * MAX_DEBT_S);
    return tokens >= 0 ? 0 : (-this.#tokens / this.#perS) * 1_000;
  }
}

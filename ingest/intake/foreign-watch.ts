const MINUTE_MS = 60_000;
/** Publishes outside its own topics that a device may make in a minute (DESIGN section 4). */
const MAX_PER_MINUTE = 100;
/** How long the device is refused after that, ms (DESIGN section 4). */
const REFUSED_MS = 60_000;

/** Counts one asset's publishes outside its own topics, by fixed minutes. */
export class ForeignWatch {
  #minute = -1;
  #count = 0;
  #refusedUntilMs = 0;

  /** Counts one publish; `false` when it is one too many and the session has to be closed. */
  note(nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count < MAX_PER_MINUTE) return true;
    this.#refusedUntilMs = nowMs + REFUSED_MS;
    return false;
  }

  isRefused(nowMs: number): boolean {
    return nowMs < this.#refusedUntilMs;
  }
}

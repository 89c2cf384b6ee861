import { MINUTE_MS } from "../../domain/time.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import type { RerunEnd } from "./rerun.ts";

/** Least time between two re-runs of one asset, ms (docs/rules.md#late-fixes). */
const EVERY_MS = 5_000;
/**
 * The same where readings could not be read back. Chosen: the node that has them passes them on
 * meanwhile.
 */
const SHORT_EVERY_MS = 15_000;
/**
 * How long a re-run is put off for readings that cannot be read back, ms. Chosen: a node that died or
 * an archive that was away is back by then. Longer, and late readings would wait for readings that
 * may never come.
 */
const SHORT_WAIT_MS = 15 * MINUTE_MS;

/** When the re-runs of each asset are made. */
export class RerunSchedule {
  readonly #now: () => number;
  readonly #dueMs = new WeakMap<AssetTrack, number>();
  readonly #shortSinceMs = new WeakMap<AssetTrack, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  isDue(track: AssetTrack): boolean {
    return this.#now() >= (this.#dueMs.get(track) ?? Number.NEGATIVE_INFINITY);
  }

  begun(track: AssetTrack): void {
    this.#dueMs.set(track, this.#now() + EVERY_MS);
  }

  /** Whether it has waited long enough for readings that cannot be read back. */
  isShortAllowed(track: AssetTrack): boolean {
    const sinceMs = this.#shortSinceMs.get(track);
    return sinceMs !== undefined && this.#now() - sinceMs >= SHORT_WAIT_MS;
  }

  ended(track: AssetTrack, end: RerunEnd): void {
    if (end !== "short") {
      this.#shortSinceMs.delete(track);
      return;
    }
    this.#dueMs.set(track, this.#now() + SHORT_EVERY_MS);
    if (!this.#shortSinceMs.has(track)) this.#shortSinceMs.set(track, this.#now());
  }
}

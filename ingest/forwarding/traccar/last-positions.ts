import type { AssetId } from "../../../domain/ids.ts";

/** Where an asset was, in Traccar's words: metres, knots, degrees; `null`: the device did not say. */
export interface TraccarPlace {
  readonly fixTimeMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude: number | null;
  readonly speed: number | null;
  readonly course: number | null;
  readonly accuracy: number | null;
}

/** Assets whose last position is remembered; the one not heard of for longest goes first. Chosen: some 2 MB. */
const MOST_ASSETS = 10_000;

/** The newest position of each asset, as far as its readings have been passed on. */
export class LastPositions {
  readonly #places = new Map<AssetId, TraccarPlace>();
  readonly #most: number;

  constructor(most = MOST_ASSETS) {
    this.#most = most;
  }

  /** The last position that is not after that time; what lies later says nothing of it. */
  before(assetId: AssetId, timeMs: number): TraccarPlace | undefined {
    const place = this.#places.get(assetId);
    return place !== undefined && place.fixTimeMs <= timeMs ? place : undefined;
  }

  note(assetId: AssetId, place: TraccarPlace): void {
    const known = this.#places.get(assetId);
    if (known !== undefined && known.fixTimeMs > place.fixTimeMs) return;
    // To the end of the map, whose order is that of insertion.
    this.#places.delete(assetId);
    this.#places.set(assetId, place);
    if (this.#places.size <= this.#most) return;
    const [oldest] = this.#places.keys();
    if (oldest !== undefined) this.#places.delete(oldest);
  }
}

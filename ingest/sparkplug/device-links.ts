import type { AssetId } from "../../domain/ids.ts";
import type { Meaning } from "../intake/readings/conversation.ts";

type Links = Meaning["links"];

/**
 * The assets reported as present for the devices of one edge node. Names can be given to other assets
 * while a device is there: an asset that was there by a name is gone when the name is another's.
 */
export class DeviceLinks {
  readonly #assetOf: (device: string) => AssetId | undefined;
  readonly #assetByDevice = new Map<string, AssetId>();

  /** `assetOf`: who is registered as the device now. */
  constructor(assetOf: (device: string) => AssetId | undefined) {
    this.#assetOf = assetOf;
  }

  /** Those that are there. */
  up(): readonly AssetId[] {
    return [...this.#assetByDevice.values()];
  }

  /** What follows from the device being there, or not. */
  set(device: string, isUp: boolean): Links {
    const before = this.#assetByDevice.get(device);
    const now = this.#assetOf(device);
    if (isUp && now !== undefined) this.#assetByDevice.set(device, now);
    else this.#assetByDevice.delete(device);
    const left = before === undefined || before === now ? [] : [{ assetId: before, isUp: false }];
    return now === undefined ? left : [...left, { assetId: now, isUp }];
  }

  /** All of them are gone. */
  clear(): Links {
    const left = this.up().map((assetId) => ({ assetId, isUp: false }));
    this.#assetByDevice.clear();
    return left;
  }
}

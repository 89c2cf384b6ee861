import type { ListenerDevice } from "./device.ts";

/** The program that is killed, as the devices and the oracle see it. */
export interface ListenerTarget {
  readonly name: string;
  /** Starts it, again after each kill; yields the ports of its listeners. */
  start(): Promise<Readonly<Record<ListenerDevice["listener"], number>>>;
  /** Registers the devices once; the first start has happened. */
  register(devices: readonly ListenerDevice[]): Promise<void>;
  kill(): Promise<void>;
  /** Numbers stored of each device by its id, one entry for each stored row. */
  stored(devices: readonly ListenerDevice[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

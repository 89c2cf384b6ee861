/** The program that is killed, as the crash test sees it. */
export interface CrashTarget {
  readonly name: string;
  /** Registers the devices once; the first start has happened. */
  register(ids: readonly string[]): Promise<ReadonlyMap<string, DeviceAccess>>;
  start(): Promise<{ readonly mqttPort: number }>;
  kill(): Promise<void>;
  /** Message numbers stored for each device, one entry for each stored row. */
  stored(ids: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Stops in an orderly way; leaves its folder for a look on request. */
  dispose(options: { readonly keepData: boolean }): Promise<void>;
}

export interface DeviceAccess {
  readonly password: string;
  readonly topic: string;
}

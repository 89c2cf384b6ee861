/** The program that is killed, as the crash test sees it. */
export interface CrashTarget {
  readonly name: string;
  /** Registers the devices once; the first start has happened. */
  register(ids: readonly string[]): Promise<ReadonlyMap<string, DeviceAccess>>;
  start(): Promise<{ readonly mqttPort: number }>;
  kill(): Promise<void>;
  /** Starts, and kills after so many ms, ready or not. Absent: the program has no start-up to speak of. */
  killDuringStart?(afterMs: number): Promise<void>;
  /** Message numbers stored for each device, one entry for each stored row. */
  stored(ids: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Stops cleanly; leaves its folder for inspection on request. */
  dispose(options: { readonly keepData: boolean }): Promise<void>;
}

export interface DeviceAccess {
  readonly password: string;
  readonly topic: string;
}

/** A user beside the devices, who uses the program through all kills and reports the outcome at the end. */
export interface CrashParty {
  /** Begins; the program is up, and the devices are registered. */
  begin(): Promise<void>;
  /** Finishes what is open: the program is up, and is killed no more. Yields checks by name. */
  settle(): Promise<readonly PartyCheck[]>;
  close(): Promise<void>;
}

/** One expectation, and the figures it was decided by. */
export interface PartyCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly figures: string;
}

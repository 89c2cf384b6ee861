import type { DeviceLog } from "../crash/device.ts";

/** A device that talks to one of the listeners; its records are numbered from 1 and carry their number. */
export interface ListenerDevice extends DeviceLog {
  readonly listener: "teltonika" | "osmand" | "http";
  /** How its asset is registered. */
  readonly decoder: "teltonika-codec8" | "osmand" | "plumbline";
  readonly hardwareId: string;
  /** The field that has the number of a record. */
  readonly field: string;
  /** Takes the secret of its asset, once; absent: the device proves itself by its id alone. */
  logInWith?(secret: string): void;
  /** Nothing waits for its answer. */
  readonly isIdle: boolean;
  /** Connects and sends until the server is gone, or `pause`. */
  run(port: number): void;
  /** Sends nothing new; what waits for its answer is still sent. */
  pause(): void;
  close(): void;
}

/** Time between two records of a device, ms. */
export const STEP_MS = 10;

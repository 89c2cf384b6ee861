import type { BuiltConsole } from "./built-console.ts";

/** Map tiles of another server. */
export interface TileServer {
  /** With `{z}`, `{x}` and `{y}` in it. */
  readonly url: string;
  readonly attribution: string;
  readonly maxZoom: number;
}

/** Where devices reach this service over MQTT, as far as the process knows. */
export interface DeviceListeners {
  /** Plain MQTT, the real port; absent: no such listener. */
  readonly mqtt?: number | undefined;
  /** MQTT over TLS. */
  readonly mqtts?: number | undefined;
  /** A device needs a client certificate for `mqtts`. */
  readonly asksForCertificate: boolean;
  /** External broker that devices are at instead, as `MQTT_URL` has it. */
  readonly brokerUrl?: string | undefined;
}

/** What the web console is served with. */
export interface ConsoleDependencies {
  /** Of the service. */
  readonly version: string;
  /** Folder of base maps; need not exist. */
  readonly mapsDir: string;
  /** Absent: base maps of the folder, if any. */
  readonly tiles?: TileServer | undefined;
  /** Origins beside the API's that answers name files of: a bucket, a CDN. */
  readonly fileOrigins: readonly string[];
  /** Absent: another process has the listeners. */
  readonly devices?: DeviceListeners | undefined;
  /** `off`: not to be served. `not built`: `/` says so. */
  readonly built: BuiltConsole | "off" | "not built";
}

import type { components } from "../../../client/index.ts";

/** Format of what a device sends. */
export type Decoder = components["schemas"]["DecoderName"];

/** All of them, ours first. */
export const DECODERS = [
  "plumbline",
  "owntracks",
  "thingsboard",
  "traccar",
  "osmand",
  "nmea",
  "j1939",
  "teltonika",
  "teltonika-codec8",
  "senml",
  "sparkplug",
  "things-stack",
  "chirpstack",
  "mapping",
] as const satisfies readonly Decoder[];

/** Formats of devices that speak TCP or HTTP in place of MQTT. */
const OTHER_PROTOCOLS: readonly Decoder[] = [
  "osmand",
  "teltonika-codec8",
  "things-stack",
  "chirpstack",
];

export const isMqtt = (decoder: Decoder): boolean => !OTHER_PROTOCOLS.includes(decoder);

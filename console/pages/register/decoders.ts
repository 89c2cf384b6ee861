import type { components } from "../../../client/index.ts";

/** Format of what a device sends. */
export type Decoder = components["schemas"]["DecoderName"];

/** All of them, ours first, and whether their devices speak MQTT; the others speak TCP or HTTP. */
const SPEAKS_MQTT: Readonly<Record<Decoder, boolean>> = {
  plumbline: true,
  owntracks: true,
  thingsboard: true,
  traccar: true,
  osmand: false,
  nmea: true,
  j1939: true,
  teltonika: true,
  "teltonika-codec8": false,
  senml: true,
  sparkplug: true,
  "things-stack": false,
  chirpstack: false,
  mapping: true,
};

export const DECODERS = Object.keys(SPEAKS_MQTT) as readonly Decoder[];

export const isMqtt = (decoder: Decoder): boolean => SPEAKS_MQTT[decoder];

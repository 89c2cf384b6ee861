import type { Decoder } from "./fields/decoder.ts";
import { j1939 } from "./j1939/j1939.ts";
import { chirpstack } from "./lorawan/chirpstack.ts";
import { thingsStack } from "./lorawan/things-stack.ts";
import { mapping } from "./mapping/mapping.ts";
import { nmea } from "./nmea/nmea.ts";
import { osmand } from "./osmand/osmand.ts";
import { owntracks } from "./owntracks/owntracks.ts";
import { plumbline } from "./plumbline/plumbline.ts";
import { senml } from "./senml/senml.ts";
import { sparkplug } from "./sparkplug/sparkplug.ts";
import { teltonika } from "./teltonika/codec-json.ts";
import { teltonikaCodec8 } from "./teltonika/codec8.ts";
import { thingsboard } from "./thingsboard/thingsboard.ts";
import { traccar } from "./traccar/traccar.ts";

/** Every payload format that intake understands. */
export const DECODERS: readonly Decoder[] = [
  plumbline,
  owntracks,
  thingsboard,
  traccar,
  osmand,
  nmea,
  j1939,
  teltonika,
  teltonikaCodec8,
  senml,
  sparkplug,
  thingsStack,
  chirpstack,
  mapping,
];

const decoderByFormat = new Map(DECODERS.map((decoder) => [decoder.topicFormat, decoder]));

/** The decoder of a device topic's last level; `undefined` for an unknown format. */
export function decoderOfFormat(format: string): Decoder | undefined {
  return decoderByFormat.get(format);
}

const decoderByName = new Map(DECODERS.map((decoder) => [decoder.name, decoder]));

/** The decoder that an asset is registered with; `undefined` for one of a newer version. */
export function decoderNamed(name: string): Decoder | undefined {
  return decoderByName.get(name);
}

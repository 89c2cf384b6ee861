import type { DecodedMessage } from "../../../domain/equipment/reading.ts";
import { type Decoder, readingsOnly } from "../fields/decoder.ts";
import { FieldSet } from "../fields/field-set.ts";
import { readJsonObject } from "../payload/json-payload.ts";
import { readLocation } from "./location.ts";
import { readLastWill, readTransition } from "./notices.ts";

/** Messages of an app's own affairs; booklet "JSON", and `dump` of older Android apps. */
const IGNORED_TYPES: ReadonlySet<unknown> = new Set([
  "beacon",
  "card",
  "cmd",
  "configuration",
  "dump",
  "request",
  "status",
  "steps",
  "waypoint",
  "waypoints",
]);

/**
 * OwnTracks JSON, of the apps for iOS and Android and of gateways that speak it (OwnTracks
 * booklet, "JSON"). One message is one JSON object; the apps never publish arrays over MQTT. A
 * retained message that comes again decodes to the same reading, because its time is that of the fix.
 */
export const owntracks: Decoder = {
  name: "owntracks",
  topicFormat: "owntracks",
  decode(payload): DecodedMessage {
    const message = readJsonObject(payload);
    const type = message["_type"];
    if (type === "location") return readingsOnly([readLocation(message)]);
    if (type === "transition") {
      return { readings: [], notices: [readTransition(message)], ignored: 0 };
    }
    if (type === "lwt") return { readings: [], notices: [readLastWill(message)], ignored: 0 };
    if (IGNORED_TYPES.has(type)) return { readings: [], notices: [], ignored: 1 };
    throw new FieldSet().failure(refusal(type));
  },
};

function refusal(type: unknown): string {
  if (type === "encrypted") {
    return "payload is encrypted; clear the encryption key in the app and use TLS instead";
  }
  if (typeof type !== "string") return "_type is missing or no text";
  return `_type ${JSON.stringify(type.slice(0, 64))} is not a type of OwnTracks`;
}

import { DomainError } from "../../../domain/errors.ts";
import { type Decoder, readingsOnly } from "../fields/decoder.ts";
import { isJsonObject, readJsonObject } from "../payload/json-payload.ts";
import { readClientLocation } from "./client-location.ts";
import { readPosition } from "./position.ts";

/**
 * What Traccar's programs send as JSON. It is a location of Traccar Client since version 9 (metres a
 * second), or a position that a Traccar server forwards (knots), alone or as `{ position, device }`. The
 * same numbers mean different speeds, so it is the shape that decides. Who it is was decided by the
 * topic.
 */
export const traccar: Decoder = {
  name: "traccar",
  topicFormat: "traccar",
  decode(payload) {
    const body = readJsonObject(payload);
    const { location, position, event } = body;
    if (isJsonObject(location)) return readingsOnly([readClientLocation(location)]);
    if (isJsonObject(position)) return readingsOnly([readPosition(position)]);
    // An event of the Traccar server, such as deviceOffline: about its own rules, not about the machine.
    if (isJsonObject(event)) return { readings: [], notices: [], ignored: 1 };
    if ("fixTime" in body || "deviceTime" in body) return readingsOnly([readPosition(body)]);
    throw new DomainError(
      "DECODE_FAILED",
      "neither a location of Traccar Client nor a forwarded position",
    );
  },
};

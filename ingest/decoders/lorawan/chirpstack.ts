import type { DecodedMessage } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import { type Decoder, readingsOnly } from "../fields/decoder.ts";
import { FieldSet } from "../fields/field-set.ts";
import { isJsonObject, readJsonObject } from "../payload/json-payload.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { type JsonObject, readNetworkPosition, readUplink, timeOf } from "./uplink.ts";

const NOTHING: DecodedMessage = { readings: [], notices: [], ignored: 1 };

/** Members of a status; those that are 0 or false are left out. */
const STATUS: readonly string[] = [
  "margin",
  "batteryLevel",
  "externalPowerSource",
  "batteryLevelUnavailable",
];
/** Members that only events beside uplinks have: `join` has none of them but the address. */
const ASIDE: readonly string[] = [
  "devAddr",
  "acknowledged",
  "level",
  "integrationName",
  "gatewayId",
];

/**
 * Events of ChirpStack v4 in its JSON encoding, as its HTTP and MQTT integrations send them
 * (chirpstack.io/docs/chirpstack/integrations/events.html). `up`, `status` and `location` are read; the
 * others are about the network. Which event it is shows in its members: the `event` of an HTTP address is
 * not needed.
 */
export const chirpstack: Decoder = {
  name: "chirpstack",
  topicFormat: "chirpstack",
  decode(payload, context) {
    const message = readJsonObject(payload);
    if (!isJsonObject(message["deviceInfo"])) {
      throw new DomainError("DECODE_FAILED", "no deviceInfo: not an event of ChirpStack v4");
    }
    if (STATUS.some((name) => message[name] !== undefined)) return readStatus(message);
    if (isJsonObject(message["location"])) {
      return readNetworkPosition(message["location"], message["time"]);
    }
    if (!isUplink(message)) {
      if (ASIDE.some((name) => message[name] !== undefined)) return NOTHING;
      throw new DomainError("DECODE_FAILED", "none of the events of ChirpStack v4");
    }
    const bytes = message["data"];
    return readUplink(
      {
        time: message["time"],
        frameCount: message["fCnt"],
        object: message["object"],
        hasBytes: typeof bytes === "string" && bytes !== "",
        gateways: message["rxInfo"],
        codec: "a codec in the device profile of ChirpStack",
      },
      context,
    );
  },
};

/**
 * Members with the value 0 or false may be left out; an uplink was received, and has one of these at least. The
 * `object` of an `integration` event is what another service says.
 */
const isUplink = (message: JsonObject): boolean =>
  Array.isArray(message["rxInfo"]) ||
  (message["object"] !== undefined && message["integrationName"] === undefined) ||
  message["data"] !== undefined;

/** The answer to DevStatusReq: the battery of the device, percent, and how well it hears the network, dB. */
function readStatus(message: JsonObject): DecodedMessage {
  const fields = new FieldSet();
  const isKnown =
    message["batteryLevelUnavailable"] !== true && message["externalPowerSource"] !== true;
  if (isKnown) fields.take("battery_percent", "batteryLevel", message["batteryLevel"]);
  const margin = looseNumber(message["margin"]);
  if (margin !== undefined) fields.keep("link_margin_db", margin);
  return readingsOnly([fields.toReading(timeOf(message["time"]))]);
}

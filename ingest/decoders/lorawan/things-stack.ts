import type { DecodedMessage } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { DecodeContext, Decoder } from "../fields/decoder.ts";
import { isJsonObject, readJsonObject } from "../payload/json-payload.ts";
import { type JsonObject, readNetworkPosition, readUplink } from "./uplink.ts";

/** What the network does with a device, and no word of it; The Things Stack documentation, "Data Formats". */
const ASIDE: readonly string[] = [
  "join_accept",
  "downlink_ack",
  "downlink_nack",
  "downlink_sent",
  "downlink_failed",
  "downlink_queued",
  "downlink_queue_invalidated",
  "service_data",
];

const NOTHING: DecodedMessage = { readings: [], notices: [], ignored: 1 };

/**
 * Messages of The Things Stack v3, as its webhooks and its MQTT server send them
 * (thethingsindustries.com/docs/integrations/data-formats). They are an uplink (the object that the payload
 * formatter made, or the normalised one), or a position that the network worked out.
 */
export const thingsStack: Decoder = {
  name: "things-stack",
  topicFormat: "things-stack",
  decode(payload, context) {
    const message = readJsonObject(payload);
    const uplink = message["uplink_message"] ?? message["uplink_normalized"];
    if (isJsonObject(uplink)) return readUplinkMessage(uplink, message, context);
    const solved = message["location_solved"];
    if (isJsonObject(solved)) {
      return readNetworkPosition(solved["location"], message["received_at"]);
    }
    if (ASIDE.some((name) => isJsonObject(message[name]))) return NOTHING;
    throw new DomainError(
      "DECODE_FAILED",
      "no uplink_message, uplink_normalized or location_solved of The Things Stack v3",
    );
  },
};

function readUplinkMessage(
  uplink: JsonObject,
  message: JsonObject,
  context: DecodeContext,
): DecodedMessage {
  const bytes = uplink["frm_payload"];
  return readUplink(
    {
      time: uplink["received_at"] ?? message["received_at"],
      frameCount: uplink["f_cnt"],
      // An uplink of a device with a normaliser has both, the normalised one as a list of measurements.
      object: uplink["decoded_payload"] ?? uplink["normalized_payload"],
      hasBytes: typeof bytes === "string" && bytes !== "",
      gateways: uplink["rx_metadata"],
      codec: "a payload formatter for uplinks in The Things Stack",
    },
    context,
  );
}

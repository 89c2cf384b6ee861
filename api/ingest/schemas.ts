import { Type } from "typebox";
import { DECODER_NAMES, MAX_HARDWARE_ID_LENGTH } from "../../domain/equipment/asset.ts";
import { REGISTERED_FORMAT } from "../../domain/equipment/topics.ts";

export const IngestPath = Type.Object({
  decoder: Type.String({
    description: `What reads the payload: ${DECODER_NAMES.join(", ")}, or ${REGISTERED_FORMAT} for the decoder that the asset is registered with`,
  }),
});

const name = (description: string) =>
  Type.Optional(Type.String({ maxLength: MAX_HARDWARE_ID_LENGTH, description }));

export const IngestQuery = Type.Object({
  asset: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "Asset that the messages are about, where a gateway sends them: one of its project whose `hardware_id` begins with the gateway's and `/`",
    }),
  ),
  u: name("User of OwnTracks, where a client cannot send `X-Limit-U`"),
  d: name("Device of OwnTracks, where a client cannot send `X-Limit-D`"),
  event: name("Sent by ChirpStack, and not needed: the message says the same"),
});

/** What became of a message that is not plainly stored. */
const PROBLEM_OUTCOMES = [
  "quarantined",
  "ignored",
  "unknown_device",
  "foreign_asset",
  "foreign_topic",
  "not_stored",
] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const IngestResult = Type.Object(
  {
    messages: count("Payloads in the body: 1, or its lines"),
    readings: count("Readings that are durable now; those of duplicates were before"),
    stored: count("Messages that are durable now"),
    duplicate: count("Messages that were durable before"),
    quarantined: count(
      "Messages that cannot be read, or some of whose readings cannot; what is not read is durable, in the quarantine",
    ),
    ignored: count("Messages that are understood and carry nothing to store"),
    unknown_device: count("Messages of a network server about devices that are not registered"),
    foreign_asset: count("Messages about devices that the sender may not send for"),
    not_stored: count("Messages to be sent again; above 0 with status 503 only"),
    problems: Type.Array(
      Type.Object({
        line: Type.Integer({ minimum: 1, description: "Line of the body; 1 for a single payload" }),
        outcome: Type.Enum([...PROBLEM_OUTCOMES]),
        reason: Type.Optional(Type.String()),
        readings: Type.Optional(
          count("Readings of the message that are durable all the same; absent: none"),
        ),
      }),
      { description: "Every message that is not stored as a whole, and no duplicate" },
    ),
    notices: Type.Optional(
      Type.Array(Type.Object({ line: Type.Integer({ minimum: 1 }), notice: Type.String() }), {
        description:
          "Remarks on stored messages, such as a rejected value or a misspelt name; the first 100",
      }),
    ),
  },
  { title: "IngestResult" },
);

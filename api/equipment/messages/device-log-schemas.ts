import { Type } from "typebox";
import { LISTENERS, MESSAGE_OUTCOMES } from "../../../domain/equipment/connection-log.ts";
import { listOf } from "../../schemas/page.ts";
import { timestampOf } from "../../schemas/timestamp.ts";

const Timestamp = timestampOf("Server clock, UTC");

/** One attempt to connect, or the end of a connection. */
export const ConnectionEntry = Type.Object(
  {
    at: Timestamp,
    outcome: Type.String({
      description:
        "`accepted`, why a log-in was refused (`wrong_password`, `unknown_user`, `barred`, `version_refused`, `client_id`, `takeover_banned`, `unavailable`, `tls_alert`), or why a connection ended (`disconnect`, `cut`, `keep_alive`, `takeover`, `malformed`, ...). More may be added",
    }),
    detail: Type.Optional(Type.String({ description: "What is known beyond the outcome" })),
    listener: Type.Enum([...LISTENERS]),
    address: Type.Optional(
      Type.String({ description: "IP address; absent where an external broker does not give it" }),
    ),
    protocol_level: Type.Optional(
      Type.Integer({ description: "MQTT: 3 is 3.1, 4 is 3.1.1, 5 is 5.0 (not spoken here)" }),
    ),
    client_id: Type.Optional(Type.String({ description: "As the client gave it, shortened" })),
    username: Type.Optional(
      Type.String({ description: "User name, IMEI or id as the client gave it, shortened" }),
    ),
  },
  { title: "ConnectionEntry" },
);

export const ConnectionList = listOf("ConnectionList", ConnectionEntry);

/** One message of a device and what became of it. */
const MessageEntry = Type.Object(
  {
    received_at: Timestamp,
    outcome: Type.Enum([...MESSAGE_OUTCOMES], {
      description:
        "late: stored, and older than what the asset had sent before; duplicate: a resent message that was stored the first time; quarantined: kept as received, see `reason`; foreign_topic: not one of the asset's own topics, dropped; ignored: nothing in it is kept",
    }),
    reason: Type.Optional(Type.String()),
    notices: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "Values that were changed or left out, and names that are probably misspelt; the message is stored all the same",
      }),
    ),
    topic: Type.String(),
    payload_bytes: Type.Integer(),
    qos: Type.Integer(),
    readings: Type.Integer(),
    newest_fix_at: Type.Optional(
      Type.String({ format: "date-time", description: "Newest fix time of its readings" }),
    ),
  },
  { title: "MessageEntry" },
);

export const MessageList = Type.Object(
  {
    ...listOf("MessageList", MessageEntry).properties,
    recorded_since: Type.Optional(
      Type.String({
        format: "date-time",
        description:
          "The service started then; earlier messages are not listed. Absent: no process that takes messages answered",
      }),
    ),
  },
  { title: "MessageList" },
);

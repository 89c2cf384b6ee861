import { type Static, Type } from "typebox";
import {
  COMMAND_CARRIERS,
  COMMAND_FAILURES,
  COMMAND_STATES,
  CommandAnswer,
  MAX_COMMAND_ATTEMPTS,
  MAX_COMMAND_NAME,
  MAX_PARAMETERS_BYTES,
} from "../../../domain/equipment/command.ts";
import { AssetId, CommandId, ProjectId } from "../../../domain/ids.ts";
import { listOf } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_COMMAND_NAME,
  title: "CommandName",
  description:
    "What to do, in the device's terms: the `method` of ThingsBoard, the text of a Teltonika tracker, the metric of Sparkplug",
  examples: ["set_interval"],
});
const Parameters = Type.Unknown({
  description: `Any JSON up to ${MAX_PARAMETERS_BYTES} bytes. For a Teltonika tracker a text that follows the name; for Sparkplug the metric's value, or {"value", "datatype"}`,
});
const MaxAttempts = Type.Integer({
  minimum: 1,
  maximum: MAX_COMMAND_ATTEMPTS,
  title: "CommandAttempts",
  description:
    "How often it may be sent when nothing confirms it. Default 3 on our own MQTT topic, whose payload counts the attempts; 1 for ThingsBoard, Teltonika and Sparkplug, whose devices would run it again",
});

export const CommandPath = Type.Object({ asset_id: AssetId, command_id: CommandId });

export const NewCommandBody = Type.Object({
  name: Name,
  parameters: Type.Optional(Parameters),
  expires_at: Type.Optional(
    Type.String({
      format: "date-time",
      description: "It is not sent after this time; within 30 days. Default: 24 hours from now",
    }),
  ),
  max_attempts: Type.Optional(MaxAttempts),
});
export type NewCommandBody = Static<typeof NewCommandBody>;

/** A command as clients read it; what does not apply is absent. */
export const Command = Type.Object(
  {
    id: CommandId,
    asset_id: AssetId,
    project_id: ProjectId,
    name: Name,
    parameters: Type.Optional(Parameters),
    status: Type.Enum([...COMMAND_STATES], {
      description:
        "`queued` -> `sent` -> `delivered` (receipt acknowledged) -> `answered`; or `failed` (see `failure`), `expired` and `cancelled` (both: never sent)",
    }),
    attempt: Type.Integer({ minimum: 0, description: "Attempts to send it so far" }),
    max_attempts: MaxAttempts,
    carrier: Type.Optional(
      Type.Enum([...COMMAND_CARRIERS], { description: "Protocol of the last attempt" }),
    ),
    failure: Type.Optional(
      Type.Enum([...COMMAND_FAILURES], {
        description:
          "`unconfirmed`: sent, and neither receipt nor answer came, so that the device may have run it; `refused`: by the device; `not_encodable`: by its protocol; `asset_moved`: to another project",
      }),
    ),
    detail: Type.Optional(Type.String({ description: "What went wrong" })),
    answer: Type.Optional(CommandAnswer),
    sequence: Type.Integer({
      minimum: 1,
      description: "The order in which an asset's commands are sent; has gaps",
    }),
    created_by: Type.String({ description: "Id of the API key" }),
    created_at: Timestamp,
    expires_at: Timestamp,
    changed_at: Type.String({ format: "date-time", description: "When `status` last changed" }),
    sent_at: Type.Optional(Timestamp),
    delivered_at: Type.Optional(Timestamp),
    answered_at: Type.Optional(Timestamp),
  },
  { title: "Command" },
);
export type Command = Static<typeof Command>;

export const CommandList = listOf("CommandList", Command);

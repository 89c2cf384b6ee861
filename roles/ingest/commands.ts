import { toAnswer } from "../../domain/equipment/command.ts";
import { refusalIn } from "../../ingest/commands/carriers/json.ts";
import {
  type Codec12Commands,
  createCodec12Commands,
} from "../../ingest/commands/codec12-commands.ts";
import {
  CommandCourier,
  type CommandCourierOptions,
} from "../../ingest/commands/command-courier.ts";
import type { MqttCommandsParts } from "../../ingest/commands/mqtt-commands.ts";
import { SparkplugCommands } from "../../ingest/commands/sparkplug-commands.ts";
import type { CommandAnswers } from "../../ingest/intake/command-answers.ts";
import type { Common, Start } from "../process/common.ts";

/** What brings commands to the devices of this process. */
export interface Commands {
  readonly courier: CommandCourier;
  readonly sparkplug: SparkplugCommands;
  readonly codec12: Codec12Commands;
  readonly mqtt: MqttCommandsParts;
  readonly answers: CommandAnswers;
}

/** Starts sending commands to the devices whose connections this process has. */
export async function startCommands(
  { log, closers }: Pick<Start, "log" | "closers">,
  {
    records,
    directory,
    feed,
  }: {
    readonly records: Pick<Common["records"], "commands">;
    readonly directory: Pick<Common["directory"], "find">;
    readonly feed: Pick<Common["feed"], "poke">;
  },
  more: Pick<CommandCourierOptions, "graceMs" | "answerMs" | "pollMs" | "isNewest"> = {},
): Promise<Commands> {
  const { commands } = records;
  const courier = await CommandCourier.start({
    commands,
    directory,
    changed: () => feed.poke(),
    log,
    ...more,
  });
  closers.push(() => courier.stop());
  const sparkplug = new SparkplugCommands({ courier, directory, now: Date.now });
  return {
    courier,
    sparkplug,
    codec12: createCodec12Commands(courier),
    mqtt: { courier, sparkplug, directory },
    answers: {
      take(asset, which, { payload }) {
        const answer = toAnswer(payload);
        // ThingsBoard's responses have no shape of their own.
        const refusal = "id" in which ? refusalIn(answer.value) : undefined;
        return courier.answered(asset.id, which, answer, refusal);
      },
    },
  };
}

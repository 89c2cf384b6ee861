import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import type { Command } from "../../../domain/equipment/command.ts";
import { asQueued } from "../../../domain/equipment/command-steps.ts";
import type { CommandConnection } from "../../../ingest/commands/command-link.ts";
import { SparkplugCommands } from "../../../ingest/commands/sparkplug-commands.ts";
import { newCommand } from "../../contracts/records/commands.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";

it("a Sparkplug metric is not the answer to a command that went out on another protocol", () => {
  const entry = assetEntry("a1");
  const node = { ...entry, asset: { ...entry.asset, decoder: "sparkplug", hardware_id: "g/e" } };
  const command = newCommand("c1", { name: "speed", parameters: { any: "object" } });
  const awaiting: Command = { ...asQueued(command, 1), state: "sent", attempt: 1, carrier: "mqtt" };
  const answered: string[] = [];
  const sparkplug = new SparkplugCommands({
    courier: {
      attach: () => undefined,
      detach: () => undefined,
      awaiting: () => awaiting,
      answered: async () => answered.push("c1") > 0,
    },
    directory: fixedDirectory([node as typeof entry]),
    now: () => 0,
  });
  const connection = Object.assign(new EventEmitter(), { destroyed: false, write: () => true });
  sparkplug.subscribed(connection as CommandConnection, node.asset.id, "spBv1.0/g/NCMD/e");

  sparkplug.reported(node.asset.id, { assetId: node.asset.id, isBirth: false, value: () => 5 });

  expect(answered).toEqual([]);
});

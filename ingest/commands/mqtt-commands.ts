import mqtt from "mqtt-packet";
import type { Command } from "../../domain/equipment/command.ts";
import { commandsProject, commandTopic } from "../../domain/equipment/topics.ts";
import type { AssetId, CommandId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { commandPayload, rpcPayload } from "./carriers/json.ts";
import { rpcRequestTopic } from "./carriers/rpc-topics.ts";
import type { CommandCourier } from "./command-courier.ts";
import type { CommandConnection, CommandLink } from "./command-link.ts";
import type { SparkplugCommands } from "./sparkplug-commands.ts";

/** The commands of one connection of a device. */
export interface ConnectionCommands {
  subscribed(filter: string, qos: 0 | 1 | 2): void;
  unsubscribed(filter: string): void;
  /** Takes a PUBACK. */
  acknowledged(packetId: number): void;
}

export interface MqttCommandsParts {
  readonly courier: Pick<CommandCourier, "attach" | "detach" | "received">;
  readonly sparkplug: Pick<SparkplugCommands, "subscribed">;
  readonly directory: Pick<AssetDirectory, "find">;
}

/** Packet identifiers are 1 to 65,535 [MQTT-2.3.1-1]. */
const LAST_PACKET_ID = 65_535;
/** Attempts without PUBACK that are remembered per connection; each command has at most a few of them. */
const MAX_OPEN = 64;

/** A subscription that brings commands: where they are published, and in which form. */
interface Subscribed {
  readonly topic: (command: Command) => string;
  readonly carrier: "mqtt" | "thingsboard";
  readonly payload: (command: Command) => string;
}

/**
 * Commands over one MQTT connection of `assetId`: at the quality of service that the device subscribed with, 1 at
 * most, by packets of our own. aedes keeps nothing of a session and resends nothing; the row of the command does.
 */
export function openConnectionCommands(
  connection: CommandConnection,
  assetId: AssetId,
  { courier, sparkplug, directory }: MqttCommandsParts,
): ConnectionCommands {
  const links = new Map<string, CommandLink>();
  const open = new Map<number, CommandId>();
  let lastPacketId = 0;

  function subscriptionOf(filter: string): Subscribed | undefined {
    const project = commandsProject(filter, assetId);
    if (project !== undefined) {
      // Machines move between sites: the device hears of what it has subscribed to.
      const topic = ({ projectId }: Command) =>
        commandTopic(project === "+" ? projectId : project, assetId);
      return { topic, carrier: "mqtt", payload: commandPayload };
    }
    const request = rpcRequestTopic(filter);
    if (request === undefined || directory.find(assetId)?.asset.decoder !== "thingsboard") {
      return undefined;
    }
    const topic = ({ sequence }: Command) => `${request}${sequence}`;
    return { topic, carrier: "thingsboard", payload: rpcPayload };
  }

  /** The next identifier that no open attempt has. */
  function packetIdFor({ id }: Command): number {
    do lastPacketId = lastPacketId >= LAST_PACKET_ID ? 1 : lastPacketId + 1;
    while (open.has(lastPacketId));
    const [oldest] = open.keys();
    if (open.size >= MAX_OPEN && oldest !== undefined) open.delete(oldest);
    open.set(lastPacketId, id);
    return lastPacketId;
  }

  function linkOf({ topic, carrier, payload }: Subscribed, qos: 0 | 1): CommandLink {
    return {
      carrier,
      confirmsReceipt: qos === 1,
      prepare(command) {
        const message = { topic: topic(command), payload: payload(command) };
        return () => {
          if (connection.destroyed) return;
          const shape = { cmd: "publish", dup: false, retain: false } as const;
          const packet =
            qos === 0
              ? { ...shape, ...message, qos }
              : { ...shape, ...message, qos, messageId: packetIdFor(command) };
          connection.write(mqtt.generate(packet));
        };
      },
    };
  }

  function leave(filter: string): void {
    const link = links.get(filter);
    if (link === undefined) return;
    links.delete(filter);
    courier.detach(assetId, link);
  }

  connection.once("close", () => {
    for (const filter of [...links.keys()]) leave(filter);
  });

  return {
    subscribed(filter, qos) {
      if (connection.destroyed) return;
      const subscription = subscriptionOf(filter);
      if (subscription === undefined) {
        sparkplug.subscribed(connection, assetId, filter);
        return;
      }
      leave(filter);
      const link = linkOf(subscription, qos === 0 ? 0 : 1);
      links.set(filter, link);
      courier.attach(assetId, link);
    },
    unsubscribed: leave,
    acknowledged(packetId) {
      const id = open.get(packetId);
      if (id === undefined) return;
      open.delete(packetId);
      courier.received(assetId, id);
    },
  };
}

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
 * The commands of one MQTT connection of a device: at the quality of service that it subscribed with, 1 at most,
 * by packets of our own. aedes keeps nothing of a session and resends nothing; the row of the command does.
 */
export class ConnectionCommands {
  readonly #connection: CommandConnection;
  readonly #assetId: AssetId;
  readonly #options: MqttCommandsParts;
  readonly #links = new Map<string, CommandLink>();
  readonly #open = new Map<number, CommandId>();
  #lastPacketId = 0;

  constructor(connection: CommandConnection, assetId: AssetId, options: MqttCommandsParts) {
    this.#connection = connection;
    this.#assetId = assetId;
    this.#options = options;
    this.#connection.once("close", () => {
      for (const filter of [...this.#links.keys()]) this.#leave(filter);
    });
  }

  subscribed(filter: string, qos: 0 | 1 | 2): void {
    if (this.#connection.destroyed) return;
    const subscription = this.#subscriptionOf(filter);
    if (subscription === undefined) {
      this.#options.sparkplug.subscribed(this.#connection, this.#assetId, filter);
      return;
    }
    this.#leave(filter);
    const link = this.#linkOf(subscription, qos === 0 ? 0 : 1);
    this.#links.set(filter, link);
    this.#options.courier.attach(this.#assetId, link);
  }

  unsubscribed(filter: string): void {
    this.#leave(filter);
  }

  /** Takes a PUBACK. */
  acknowledged(packetId: number): void {
    const id = this.#open.get(packetId);
    if (id === undefined) return;
    this.#open.delete(packetId);
    this.#options.courier.received(this.#assetId, id);
  }

  #subscriptionOf(filter: string): Subscribed | undefined {
    const project = commandsProject(filter, this.#assetId);
    if (project !== undefined) {
      // Machines move between sites: the device hears of what it has subscribed to.
      const topic = ({ projectId }: Command) =>
        commandTopic(project === "+" ? projectId : project, this.#assetId);
      return { topic, carrier: "mqtt", payload: commandPayload };
    }
    const request = rpcRequestTopic(filter);
    if (
      request === undefined ||
      this.#options.directory.find(this.#assetId)?.asset.decoder !== "thingsboard"
    ) {
      return undefined;
    }
    const topic = ({ sequence }: Command) => `${request}${sequence}`;
    return { topic, carrier: "thingsboard", payload: rpcPayload };
  }

  /** The next identifier that no open attempt has. */
  #packetIdFor({ id }: Command): number {
    do this.#lastPacketId = this.#lastPacketId >= LAST_PACKET_ID ? 1 : this.#lastPacketId + 1;
    while (this.#open.has(this.#lastPacketId));
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(this.#lastPacketId, id);
    return this.#lastPacketId;
  }

  #linkOf({ topic, carrier, payload }: Subscribed, qos: 0 | 1): CommandLink {
    return {
      carrier,
      confirmsReceipt: qos === 1,
      prepare: (command) => {
        const message = { topic: topic(command), payload: payload(command) };
        return () => {
          if (this.#connection.destroyed) return;
          const shape = { cmd: "publish", dup: false, retain: false } as const;
          const packet =
            qos === 0
              ? { ...shape, ...message, qos }
              : { ...shape, ...message, qos, messageId: this.#packetIdFor(command) };
          this.#connection.write(mqtt.generate(packet));
        };
      },
    };
  }

  #leave(filter: string): void {
    const link = this.#links.get(filter);
    if (link === undefined) return;
    this.#links.delete(filter);
    this.#options.courier.detach(this.#assetId, link);
  }
}

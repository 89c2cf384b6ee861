import mqtt from "mqtt-packet";
import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import { type Command, toAnswer } from "../../domain/equipment/command.ts";
import { matchesFilter } from "../../domain/equipment/topics.ts";
import type { AssetId } from "../../domain/ids.ts";
import { readEdgeNode } from "../decoders/sparkplug/topic.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import {
  encodeSparkplugCommand,
  type MetricReport,
  type SparkplugReport,
  type SparkplugTarget,
  sparkplugCommandTopic,
  sparkplugValue,
} from "./carriers/sparkplug.ts";
import type { CommandCourier } from "./command-courier.ts";
import type { CommandConnection, CommandLink } from "./command-link.ts";

/** A connection of an edge node that hears commands. */
interface Node {
  readonly connection: CommandConnection;
  readonly filters: Set<string>;
  /** The edge node and the devices behind it that were born, and their links. */
  readonly born: Map<AssetId, CommandLink>;
}

export interface SparkplugCommandsOptions {
  readonly courier: Pick<CommandCourier, "attach" | "detach" | "awaiting" | "answered">;
  readonly directory: Pick<AssetDirectory, "find">;
  readonly now: () => number;
}

/**
 * Commands to edge nodes and the devices behind them. A command is a metric that is written: NCMD to the edge
 * node, DCMD to a device, at QoS 0 as the specification demands [tck-id-topics-ncmd-mqtt]. It is sent when the
 * receiver is born on the connection that subscribed. The next data or birth message that carries the metric is
 * the answer.
 */
export class SparkplugCommands {
  readonly #options: SparkplugCommandsOptions;
  readonly #nodes = new Map<AssetId, Node>();

  constructor(options: SparkplugCommandsOptions) {
    this.#options = options;
  }

  /** The edge node's connection was granted that filter. */
  subscribed(connection: CommandConnection, nodeId: AssetId, filter: string): void {
    if (readEdgeNode(this.#options.directory.find(nodeId)?.asset.hardware_id) === undefined) return;
    const known = this.#nodes.get(nodeId);
    if (known?.connection === connection) {
      known.filters.add(filter);
      return;
    }
    const node: Node = { connection, filters: new Set([filter]), born: new Map() };
    this.#nodes.set(nodeId, node);
    connection.once("close", () => {
      for (const assetId of [...node.born.keys()]) this.#leave(node, assetId);
      if (this.#nodes.get(nodeId) === node) this.#nodes.delete(nodeId);
    });
  }

  /** Takes a message of the edge node that holds that session. */
  reported(nodeId: AssetId, report: SparkplugReport): void {
    const { assetId, isBirth } = report;
    const node = this.#nodes.get(nodeId);
    if (node === undefined) return;
    const open = this.#options.courier.awaiting(assetId);
    // Another carrier has answers of its own, and parameters that no metric has.
    const awaiting = open?.carrier === "sparkplug" ? open : undefined;
    const value = awaiting === undefined ? undefined : report.value(awaiting.name);
    if (awaiting !== undefined && isAnswer(awaiting, value, isBirth)) {
      const answer = toAnswer(Buffer.from(JSON.stringify(value)));
      // What comes at QoS 0 is not sent again: an answer that cannot be stored does not count.
      this.#options.courier.answered(assetId, { id: awaiting.id }, answer).catch(() => undefined);
    }
    if (isBirth) this.#bear(node, assetId);
  }

  /** The asset died. */
  gone(assetId: AssetId): void {
    for (const node of this.#nodes.values()) this.#leave(node, assetId);
  }

  #targetOf(asset: AssetRegistration | undefined): SparkplugTarget | undefined {
    if (asset?.decoder !== "sparkplug") return undefined;
    const [group, edgeNode, device, ...rest] = asset.hardware_id?.split("/") ?? [];
    if (!group || !edgeNode || rest.length > 0) return undefined;
    return { group, edgeNode, device };
  }

  #linkOf(node: Node, assetId: AssetId): CommandLink | undefined {
    const target = this.#targetOf(this.#options.directory.find(assetId)?.asset);
    if (target === undefined) return undefined;
    const topic = sparkplugCommandTopic(target);
    if (![...node.filters].some((filter) => matchesFilter(filter, topic))) return undefined;
    return {
      carrier: "sparkplug",
      confirmsReceipt: false,
      prepare: (command) => {
        sparkplugValue(command);
        return () => {
          if (node.connection.destroyed) return;
          const payload = Buffer.from(encodeSparkplugCommand(command, this.#options.now()));
          const shape = { cmd: "publish", qos: 0, dup: false, retain: false } as const;
          node.connection.write(mqtt.generate({ ...shape, topic, payload }));
        };
      },
    };
  }

  #leave(node: Node, assetId: AssetId): void {
    const link = node.born.get(assetId);
    if (link === undefined) return;
    node.born.delete(assetId);
    this.#options.courier.detach(assetId, link);
  }

  #bear(node: Node, assetId: AssetId): void {
    const link = this.#linkOf(node, assetId);
    if (link === undefined || node.born.has(assetId)) return;
    node.born.set(assetId, link);
    this.#options.courier.attach(assetId, link);
  }
}

/**
 * Whether a value of the command's metric says that the command was done: it is the value that was written. A
 * report that crossed the command in transit has the value of before. Controls of an edge node are back at false
 * in the birth that they cause [tck-id-operational-behavior-data-commands-rebirth-value].
 */
function isAnswer(command: Command, value: MetricReport, isBirth: boolean): boolean {
  if (value === undefined) return false;
  if (isBirth && command.name.startsWith("Node Control/")) return true;
  const written = sparkplugValue(command).value;
  return value === written || (typeof written === "number" && value === Math.fround(written));
}

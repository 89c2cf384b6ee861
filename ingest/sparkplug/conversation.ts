import type { DecodedMessage, DeviceNotice } from "../../domain/equipment/reading.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId } from "../../domain/ids.ts";
import type { SparkplugReport } from "../commands/carriers/sparkplug.ts";
import {
  metricValue,
  readSparkplugPayload,
  type SparkplugPayload,
} from "../decoders/sparkplug/payload.ts";
import { readingsOf } from "../decoders/sparkplug/readings.ts";
import {
  parseSparkplugTopic,
  type SparkplugTopic,
  sparkplugHardwareId,
} from "../decoders/sparkplug/topic.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { Conversation, Meaning, SaidMessage } from "../intake/readings/conversation.ts";
import type { IntakeCounters } from "../intake/readings/counters.ts";
import { DeviceLinks } from "./device-links.ts";
import { EdgeNode } from "./edge-node.ts";
import type { NodeOutcome, Whom } from "./node-message.ts";
import { RebirthRequests } from "./rebirth.ts";

/** How often an edge node is heard through what it says of its devices, ms. Chosen: half the shortest time-out. */
const HEARD_EVERY_MS = 30_000;
const NOTHING: Meaning = { reported: [], unread: undefined, links: [], commands: [], counted: [] };
const NO_READINGS: DecodedMessage = { readings: [], notices: [], ignored: 0 };

/** What an edge node says on its Sparkplug topics, of itself and of the devices behind it. */
export class SparkplugConversation implements Conversation {
  readonly #directory: Pick<AssetDirectory, "findByHardwareId">;
  readonly #rebirths = new RebirthRequests();
  #topic: Pick<SparkplugTopic, "group" | "edgeNode"> | undefined;
  #node = new EdgeNode();
  readonly #links = new DeviceLinks((device) => this.#assetOf(device));
  #heardMs = Number.NEGATIVE_INFINITY;

  constructor(directory: Pick<AssetDirectory, "findByHardwareId">) {
    this.#directory = directory;
  }

  missed(): void {
    this.#node.missed();
  }

  reachable(): readonly AssetId[] {
    return this.#links.up();
  }

  take(message: SaidMessage): Meaning {
    const topic = parseSparkplugTopic(message.topic);
    // Commands are ours to give, not an edge node's.
    if (topic === undefined || topic.type === "NCMD" || topic.type === "DCMD") {
      return NOTHING;
    }
    const payload = this.#read(message, topic);
    const left = this.#follow(topic);
    const { type, device } = topic;
    const { payloadHash: hash, connection, isOwnConnection, isAgain } = message;
    const said = { type, device, payload, hash, connection, isOwnConnection, isAgain };
    const meaning = this.#interpret(this.#node.take(said), topic, payload, message);
    return left.length === 0 ? meaning : { ...meaning, links: [...left, ...meaning.links] };
  }

  #read({ payload }: SaidMessage, { type }: SparkplugTopic): SparkplugPayload {
    try {
      return readSparkplugPayload(payload);
    } catch (error) {
      // Its sequence starts again: the number behind it can be the next of the old one as well.
      if (type === "NBIRTH") this.#node.missed();
      throw error;
    }
  }

  /**
   * Starts again when the asset was registered as another edge node; returns the assets that were there by
   * the old name.
   */
  #follow({ group, edgeNode }: SparkplugTopic): Meaning["links"] {
    if (this.#topic?.group === group && this.#topic.edgeNode === edgeNode) return [];
    this.#topic = { group, edgeNode };
    this.#node = new EdgeNode();
    return this.#links.clear();
  }

  /** What the outcome is in the words of intake: assets for devices, readings for metrics. */
  #interpret(
    outcome: NodeOutcome,
    topic: SparkplugTopic,
    payload: SparkplugPayload,
    { assetId, receivedAtMs }: SaidMessage,
  ): Meaning {
    const whose = (of: Whom): AssetId | undefined =>
      of === undefined ? assetId : this.#assetOf(of);
    const { decoded, problem } = read(outcome, payload);
    const command = outcome.wantsRebirth ? this.#rebirths.request(topic, receivedAtMs) : undefined;
    const reported = new Map<AssetId, DecodedMessage>();
    const about = whose(topic.device);
    if (about !== undefined) reported.set(about, decoded);
    for (const { of, notice } of outcome.notices) {
      const reporter = whose(of);
      if (reporter !== undefined)
        reported.set(reporter, withNotice(reported.get(reporter), notice));
    }
    if (topic.type !== "NDEATH") this.#hear(assetId, reported, payload, receivedAtMs);
    const isThere = topic.type === "DDATA" && this.#node.isThere(topic.device ?? "");
    // It may have been registered since its birth.
    if (isThere) outcome.links.push({ of: topic.device, isUp: true });
    return {
      reported: [...reported].map(([id, said]) => ({ assetId: id, decoded: said })),
      unread: about === undefined ? unregistered(topic) : problem,
      links: outcome.links.flatMap(({ of, isUp }) =>
        of === undefined ? [{ assetId, isUp }] : this.#links.set(of, isUp),
      ),
      commands: command === undefined ? [] : [command],
      counted: countsOf(outcome, command !== undefined),
      ...(about === undefined ? {} : { report: reportOf(about, topic, outcome) }),
    };
  }

  /** What an edge node says of its devices is a sign of its own life. */
  #hear(
    assetId: AssetId,
    reported: Map<AssetId, DecodedMessage>,
    { timestampMs: deviceTimeMs }: SparkplugPayload,
    nowMs: number,
  ): void {
    const own = reported.get(assetId);
    const isSilent = own === undefined || own.readings.length + own.notices.length === 0;
    if (isSilent && Math.abs(nowMs - this.#heardMs) < HEARD_EVERY_MS) return;
    this.#heardMs = nowMs;
    if (!isSilent) return;
    const reading = { deviceTimeMs, seq: undefined, fields: {}, faults: undefined };
    reported.set(assetId, { ...(own ?? NO_READINGS), readings: [reading] });
  }

  #assetOf(device: string): AssetId | undefined {
    if (this.#topic === undefined) return undefined;
    const hardwareId = sparkplugHardwareId(this.#topic, device);
    const asset = this.#directory.findByHardwareId(hardwareId)?.asset;
    return asset?.decoder === "sparkplug" ? asset.id : undefined;
  }
}

/** The metrics as readings, and why not all of them are. */
function read(
  { metrics, named, position, unread }: NodeOutcome,
  payload: SparkplugPayload,
): { readonly decoded: DecodedMessage; readonly problem: Meaning["unread"] } {
  try {
    const decoded = readingsOf({ ...payload, metrics }, named, position);
    const problem =
      unread === undefined ? undefined : { reason: unread, as: "quarantined_unresolved" as const };
    return { decoded, problem };
  } catch (error) {
    // A value that cannot be; what the message says of births and deaths remains in force.
    if (!(error instanceof DomainError)) throw error;
    const problem = { reason: error.message, as: "quarantined_malformed" as const };
    return { decoded: NO_READINGS, problem };
  }
}

/** What the message says of metrics; read only when a command waits for one of them. */
function reportOf(
  assetId: AssetId,
  { type }: SparkplugTopic,
  { metrics, named }: NodeOutcome,
): SparkplugReport {
  return {
    assetId,
    isBirth: type === "NBIRTH" || type === "DBIRTH",
    value(name) {
      const metric = metrics.find((one) => named(one)?.name === name);
      return metric && (metricValue(metric, named(metric)?.datatype) ?? null);
    },
  };
}

const withNotice = (
  { readings, notices, ignored } = NO_READINGS,
  notice: DeviceNotice,
): DecodedMessage => ({ readings, notices: [...notices, notice], ignored });

function unregistered(topic: SparkplugTopic): Meaning["unread"] {
  const hardwareId = sparkplugHardwareId(topic, topic.device);
  const reason = `nobody is registered with hardware_id ${JSON.stringify(hardwareId)} and decoder sparkplug`;
  return { reason, as: "sparkplug_unknown_devices" };
}

function countsOf(
  { notices, isStaleWill }: NodeOutcome,
  asks: boolean,
): readonly (keyof IntakeCounters)[] {
  const counted: (keyof IntakeCounters)[] = [];
  if (notices.some(({ notice }) => notice.kind === "sequence_gap")) counted.push("sparkplug_gaps");
  if (isStaleWill) counted.push("sparkplug_stale_wills");
  if (asks) counted.push("sparkplug_rebirths_requested");
  return counted;
}

import { NAMESPACE, type SparkplugTopic } from "../decoders/sparkplug/topic.ts";

/**
 * Least time between two requests to one edge node, ms; a birth of 5,000 metrics takes less. Less often leaves
 * messages unresolved; more often asks again while a birth is under way.
 */
const EVERY_MS = 10_000;
const NAME = "Node Control/Rebirth";

/** A command to an edge node, to be published at QoS 0 [tck-id-topics-ncmd-mqtt]. */
export interface NodeCommand {
  readonly topic: string;
  readonly payload: Uint8Array;
}

/** Asks one edge node for its births, not more often than it can answer. */
export class RebirthRequests {
  #lastMs = Number.NEGATIVE_INFINITY;

  /** The command, unless one was made less than 10 s ago. */
  request(
    { group, edgeNode }: Pick<SparkplugTopic, "group" | "edgeNode">,
    nowMs: number,
  ): NodeCommand | undefined {
    // Also when the clock stepped back.
    if (Math.abs(nowMs - this.#lastMs) < EVERY_MS) return undefined;
    this.#lastMs = nowMs;
    return { topic: `${NAMESPACE}/${group}/NCMD/${edgeNode}`, payload: rebirthPayload(nowMs) };
  }
}

/** A payload with one metric: name (field 1), timestamp (3), datatype Boolean (4 = 11), true (14). */
function rebirthPayload(atMs: number): Uint8Array {
  const time = [0x08, ...varint(atMs)];
  const name = Buffer.from(NAME);
  const metric = [
    0x0a,
    name.length,
    ...name,
    0x18,
    ...varint(atMs),
    0x20,
    11,
    // Field 14 of wire type 0.
    0x70,
    1,
  ];
  // Fields 1, timestamp, and 2, metrics, of the payload.
  return Uint8Array.from([...time, 0x12, metric.length, ...metric]);
}

/** Seven bits a byte, the lowest first (protobuf.dev, "Encoding"); of a whole number up to 2^53. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

import { DomainError } from "../../../domain/errors.ts";
import type { Decoder, DeviceNames } from "../fields/decoder.ts";
import { readSparkplugPayload } from "./payload.ts";
import { readingsOf } from "./readings.ts";
import { NAMESPACE, readEdgeNode } from "./topic.ts";

/**
 * Sparkplug B (Eclipse Sparkplug 3.0), one payload by itself, with the names of its metrics in it. What an
 * edge node publishes on its own topics, where an alias replaces a name, needs the births before it.
 */
export const sparkplug: Decoder = {
  name: "sparkplug",
  topicFormat: "sparkplug",
  topics: edgeNodeTopics,
  decode(payload) {
    const message = readSparkplugPayload(payload);
    for (const [i, { name, alias }] of message.metrics.entries()) {
      if (name !== undefined) continue;
      const problem = `metric ${i} has the alias ${alias} and no name; an alias means nothing without the birth that gave it`;
      throw new DomainError("DECODE_FAILED", problem);
    }
    return readingsOf(message, ({ name, datatype, unit }) =>
      name === undefined ? undefined : { name, datatype, unit },
    );
  },
};

/**
 * An edge node publishes for all its devices: `spBv1.0/{group}/{type}/{edge node}` and one level more. Its
 * `hardware_id` is `{group}/{edge node}`; a device's has a third level, and no topics of its own.
 */
function edgeNodeTopics({ hardwareId }: DeviceNames): readonly string[] {
  const named = readEdgeNode(hardwareId);
  if (named === undefined) return [];
  const { group, edgeNode } = named;
  return [`${NAMESPACE}/${group}/+/${edgeNode}`, `${NAMESPACE}/${group}/+/${edgeNode}/+`];
}

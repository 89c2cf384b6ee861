import { isUtf8 } from "node:buffer";

const NUL = 0;
const PLUS = 0x2b;
const HASH = 0x23;

/** The rule of MQTT 3.1.1 that a topic name violates; `undefined`: none. */
export function topicNameProblem(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return "[MQTT-4.7.3-1] an empty topic";
  if (!isUtf8(bytes)) return "[MQTT-1.5.3-1] a topic that is not UTF-8";
  if (bytes.includes(NUL)) return "[MQTT-1.5.3-2] U+0000 in a topic";
  if (bytes.includes(PLUS) || bytes.includes(HASH)) {
    return "[MQTT-3.3.2-2] a wildcard in a topic that is published to";
  }
  return undefined;
}

/** The rule of MQTT 3.1.1 that a topic filter violates; `undefined`: none. */
export function topicFilterProblem(filter: string): string | undefined {
  if (filter === "") return "[MQTT-4.7.3-1] an empty topic filter";
  const levels = filter.split("/");
  for (const [i, level] of levels.entries()) {
    const isLast = i === levels.length - 1;
    if (level === "+" || (level === "#" && isLast)) continue;
    if (level.includes("#")) return "[MQTT-4.7.1-2] # that is not the last level of a filter";
    if (level.includes("+")) return "[MQTT-4.7.1-3] + that is not a whole level of a filter";
  }
  return undefined;
}

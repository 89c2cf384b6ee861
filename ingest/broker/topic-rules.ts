import { isUtf8 } from "node:buffer";

const NUL = 0;
const PLUS = 0x2b;
const HASH = 0x23;

/** At least one character, no wildcards, UTF-8 without U+0000 [MQTT-4.7.3-1, 3.3.2-2, 1.5.3-1, 1.5.3-2]. */
export function isTopicName(bytes: Buffer): boolean {
  if (bytes.length === 0 || !isUtf8(bytes)) return false;
  return !bytes.some((byte) => byte === NUL || byte === PLUS || byte === HASH);
}

/**
 * At least one character [MQTT-4.7.3-1]; `#` alone in the last level [MQTT-4.7.1-2], `+` alone in
 * its level [MQTT-4.7.1-3].
 */
export function isTopicFilter(filter: string): boolean {
  if (filter === "") return false;
  const levels = filter.split("/");
  return levels.every((level, i) => {
    if (level === "+") return true;
    if (level === "#") return i === levels.length - 1;
    return !level.includes("+") && !level.includes("#");
  });
}

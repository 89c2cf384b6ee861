import type { FrameReader } from "./frames.ts";
import { isTopicName } from "./topic-rules.ts";

const DUP = 0x08;

/** A PUBLISH (MQTT 3.1.1 section 3.3). */
export interface PublishFrame {
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: 0 | 1 | 2;
  readonly dup: boolean;
  /** 0 for QoS 0. */
  readonly packetId: number;
}

/**
 * Reads PUBLISH packets of one connection. A device repeats one topic, so the last one's text is
 * kept beside its bytes and neither decoded nor checked again.
 */
export class PublishReader {
  #topicBytes: Buffer = Buffer.alloc(0);
  #topic = "";

  /** Reads the packet that `frame` stands on; `undefined`: it violates the protocol. */
  read(frame: FrameReader): PublishFrame | undefined {
    const { buffer, start, bodyStart, end } = frame;
    const flags = buffer[start] ?? 0;
    const qos = (flags >> 1) & 3;
    const dup = (flags & DUP) !== 0;
    // [MQTT-3.3.1-4], [MQTT-3.3.1-2]
    if ((qos !== 0 && qos !== 1 && qos !== 2) || (dup && qos === 0)) return undefined;
    const topicStart = bodyStart + 2;
    if (topicStart > end) return undefined;
    const topicEnd = topicStart + buffer.readUInt16BE(bodyStart);
    const payloadStart = topicEnd + (qos === 0 ? 0 : 2);
    if (payloadStart > end) return undefined;
    if (!this.#isLastTopic(buffer, topicStart, topicEnd)) {
      const bytes = buffer.subarray(topicStart, topicEnd);
      if (!isTopicName(bytes)) return undefined;
      this.#topicBytes = Buffer.from(bytes);
      this.#topic = bytes.toString();
    }
    const packetId = qos === 0 ? 0 : buffer.readUInt16BE(topicEnd);
    // [MQTT-2.3.1-1]
    if (qos > 0 && packetId === 0) return undefined;
    return { topic: this.#topic, payload: buffer.subarray(payloadStart, end), qos, dup, packetId };
  }

  #isLastTopic(buffer: Buffer, start: number, end: number): boolean {
    const last = this.#topicBytes;
    if (last.length !== end - start || last.length === 0) return false;
    for (let i = last.length - 1; i >= 0; i -= 1) {
      if (last[i] !== buffer[start + i]) return false;
    }
    return true;
  }
}

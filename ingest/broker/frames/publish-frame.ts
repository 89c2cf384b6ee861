import type { FrameReader } from "./frames.ts";
import { topicNameProblem } from "./topic-rules.ts";

const DUP = 0x08;
const TOO_SHORT = "PUBLISH ends before its topic or packet identifier does";

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

  /** Reads the packet that `frame` is at; a text: the rule that it violates, for people. */
  read(frame: FrameReader): PublishFrame | string {
    const { buffer, start, bodyStart, end } = frame;
    const flags = buffer[start] ?? 0;
    const qos = (flags >> 1) & 3;
    const dup = (flags & DUP) !== 0;
    if (qos !== 0 && qos !== 1 && qos !== 2) return "[MQTT-3.3.1-4] PUBLISH of QoS 3";
    if (dup && qos === 0) return "[MQTT-3.3.1-2] PUBLISH of QoS 0 with DUP";
    const topicStart = bodyStart + 2;
    if (topicStart > end) return TOO_SHORT;
    const topicEnd = topicStart + buffer.readUInt16BE(bodyStart);
    const payloadStart = topicEnd + (qos === 0 ? 0 : 2);
    if (payloadStart > end) return TOO_SHORT;
    if (!this.#isLastTopic(buffer, topicStart, topicEnd)) {
      const bytes = buffer.subarray(topicStart, topicEnd);
      const problem = topicNameProblem(bytes);
      if (problem !== undefined) return problem;
      this.#topicBytes = Buffer.from(bytes);
      this.#topic = bytes.toString();
    }
    const packetId = qos === 0 ? 0 : buffer.readUInt16BE(topicEnd);
    if (qos > 0 && packetId === 0) return "[MQTT-2.3.1-1] PUBLISH with packet identifier 0";
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

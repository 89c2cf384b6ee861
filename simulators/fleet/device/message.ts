import { MAX_PAYLOAD_BYTES } from "../../../domain/equipment/reading.ts";
import type { FleetFormat } from "./format.ts";

/** What happened to the readings of a message in transit. */
export type Treatment = "live" | "batch" | "shuffled_batch" | "backlog" | "duplicate";

/** One reading, written. */
export interface EncodedReading {
  readonly seq: number;
  readonly text: string;
}

/** One MQTT payload. */
export interface Message {
  readonly treatment: Treatment;
  readonly seqs: readonly number[];
  /** Last level of the topic. */
  readonly topicFormat: string;
  readonly payload: string;
}

/**
 * Packs readings, in the given order, into messages of at most `most` readings that also keep to the
 * limits of the format and of one message (`MAX_PAYLOAD_BYTES`).
 */
export function packMessages(
  { topicFormat, maxReadings, join }: FleetFormat,
  readings: readonly EncodedReading[],
  most: number,
  treatment: Treatment,
): readonly Message[] {
  const messages: Message[] = [];
  let group: EncodedReading[] = [];
  let bytes = 0;
  function close(): void {
    if (group.length === 0) return;
    messages.push({
      treatment,
      seqs: group.map(({ seq }) => seq),
      topicFormat,
      payload: join(group.map(({ text }) => text)),
    });
    group = [];
    bytes = 0;
  }
  for (const reading of readings) {
    // What is written is ASCII: its length is its size in bytes. `join` adds two at most for each.
    const size = reading.text.length + 2;
    const isFull = group.length >= Math.min(most, maxReadings);
    if (isFull || bytes + size > MAX_PAYLOAD_BYTES) close();
    group.push(reading);
    bytes += size;
  }
  close();
  return messages;
}

import { MAX_PAYLOAD_BYTES, MAX_READINGS } from "../../../domain/reading.ts";

/** What was done to the readings of a message on their way. */
export type Treatment = "live" | "batch" | "shuffled_batch" | "backlog" | "duplicate";

/** One reading, written. */
export interface EncodedReading {
  readonly seq: number;
  readonly json: string;
}

/** One MQTT payload. */
export interface Message {
  readonly treatment: Treatment;
  readonly seqs: readonly number[];
  readonly payload: string;
}

/** A reading by itself, as an object. */
export function singleMessage(reading: EncodedReading, treatment: Treatment): Message {
  return { treatment, seqs: [reading.seq], payload: reading.json };
}

/**
 * Packs readings, in the given order, into arrays of at most `most` readings that also keep to the
 * limits of one message (`MAX_READINGS`, `MAX_PAYLOAD_BYTES`).
 */
export function packMessages(
  readings: readonly EncodedReading[],
  most: number,
  treatment: Treatment,
): readonly Message[] {
  const messages: Message[] = [];
  let group: EncodedReading[] = [];
  let bytes = 2;
  function close(): void {
    if (group.length === 0) return;
    messages.push({
      treatment,
      seqs: group.map((reading) => reading.seq),
      payload: `[${group.map((reading) => reading.json).join(",")}]`,
    });
    group = [];
    bytes = 2;
  }
  for (const reading of readings) {
    // The JSON is ASCII: its length is its size in bytes. One more for the comma.
    const size = reading.json.length + 1;
    const full = group.length >= Math.min(most, MAX_READINGS);
    if (full || bytes + size > MAX_PAYLOAD_BYTES) close();
    group.push(reading);
    bytes += size;
  }
  close();
  return messages;
}

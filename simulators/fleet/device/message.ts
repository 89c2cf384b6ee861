import { MAX_PAYLOAD_BYTES } from "../../../domain/reading.ts";
import type { Encoding, FleetFormat, Writer } from "../formats/format.ts";
import type { Measurement } from "./measurement.ts";

/** What was done to the readings of a message on their way. */
export type Treatment = "live" | "batch" | "shuffled_batch" | "backlog" | "duplicate";

/** One reading, written; `beside` by the machine's second device, where the format has one. */
export interface EncodedReading {
  readonly seq: number;
  readonly text: string;
  readonly beside?: string;
}

/** One MQTT payload. */
export interface Message {
  readonly treatment: Treatment;
  /** The readings that are told by it; none for a second device, which adds to those of the first. */
  readonly seqs: readonly number[];
  /** Last level of the topic. */
  readonly topicFormat: string;
  readonly payload: string;
}

/** Writes one reading in the device's format. */
export function encodeReading(
  format: FleetFormat,
  measurement: Measurement,
  writer: Writer,
): EncodedReading {
  return {
    seq: measurement.seq,
    text: format.encode(measurement, writer),
    ...(format.beside && { beside: format.beside.encode(measurement, writer) }),
  };
}

/**
 * Packs readings, in the given order, into messages of at most `most` readings that also keep to the
 * limits of the format and of one message (`MAX_PAYLOAD_BYTES`).
 */
export function packMessages(
  format: FleetFormat,
  readings: readonly EncodedReading[],
  most: number,
  treatment: Treatment,
): readonly Message[] {
  const messages: Message[] = [];
  let group: EncodedReading[] = [];
  let bytes = 0;
  function close(): void {
    if (group.length === 0) return;
    const message = (
      { topicFormat, join }: Encoding,
      seqs: number[],
      pieces: string[],
    ): Message => ({
      treatment,
      seqs,
      topicFormat,
      payload: join(pieces),
    });
    messages.push(
      message(
        format,
        group.map(({ seq }) => seq),
        group.map(({ text }) => text),
      ),
    );
    if (format.beside !== undefined) {
      const pieces = group.map(({ beside }) => beside ?? "");
      messages.push(message(format.beside, [], pieces));
    }
    group = [];
    bytes = 0;
  }
  for (const reading of readings) {
    // What is written is ASCII: its length is its size in bytes. `join` adds two at most for each.
    const size = Math.max(reading.text.length, reading.beside?.length ?? 0) + 2;
    const isFull = group.length >= Math.min(most, format.maxReadings);
    if (isFull || bytes + size > MAX_PAYLOAD_BYTES) close();
    group.push(reading);
    bytes += size;
  }
  close();
  return messages;
}

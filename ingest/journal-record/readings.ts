import type { Reading, ReadingBatch } from "../../domain/equipment/reading.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { hasOwnCodes, namesSources, readFaults, readOwnCodes, writeFaults } from "./fault-list.ts";
import { type MessageOrigin, readHeader, writeHeader } from "./header.ts";
import { type JournalledNotice, NO_NOTICES, readNotices, writeNotices } from "./notice-list.ts";

/** An accepted message. */
export interface AcceptedMessage {
  /** May have no readings where there are notices. */
  readonly batch: ReadingBatch;
  /** What the device reported beside them. */
  readonly notices: readonly JournalledNotice[];
  readonly origin: MessageOrigin;
}

/**
 * Field names that are written as one byte, their index here. Part of the format on disk: names are
 * only ever appended.
 */
export const FIELD_BY_CODE = [
  "latitude",
  "longitude",
  "accuracy_meters",
  "altitude_meters",
  "hdop",
  "speed_kmh",
  "heading",
  "engine_on",
  "engine_hours",
  "fuel_level_percent",
  "coolant_temperature_c",
  "oil_pressure_kpa",
  "battery_voltage",
  "load_percent",
  "payload_kg",
  "odometer_km",
  "engine_speed_rpm",
  "idle_hours",
  "fuel_used_liters",
  "fuel_rate_lph",
  "def_level_percent",
  "battery_percent",
  "satellites",
  "pdop",
  "load_count",
] as const;
const CODE_BY_FIELD = new Map<string, number>(FIELD_BY_CODE.map((name, code) => [name, code]));
/** Code of a field whose name is spelt out. */
export const NAMED_FIELD = 255;
/**
 * Bits in front of a reading. `faultSources` is missing from records written before source addresses were
 * kept, `historical` from those before devices could say so. `historical` has no bytes: an older version
 * that reads such a record passes over the bit, and takes the reading for one like any other.
 * `ownFaultCodes`: the list of faults is text; an older version cannot read such a record, and counts it.
 */
export const FLAG = {
  receivedTime: 1,
  rawTime: 2,
  seq: 4,
  faults: 8,
  faultSources: 16,
  historical: 32,
  ownFaultCodes: 128,
} as const;

const writer = new ByteWriter();

/** The journal body of an accepted message; {@link decodeReadings} is its inverse. */
export function encodeReadings(
  batch: ReadingBatch,
  origin: MessageOrigin,
  notices: readonly JournalledNotice[] = NO_NOTICES,
): Uint8Array {
  writer.begin();
  writeHeader(writer, batch, origin);
  writer.u16(batch.readings.length);
  for (const reading of batch.readings) writeReading(reading);
  // Behind the readings of the same record, so that a message is durable as a whole or not at all.
  writeNotices(writer, notices);
  return writer.take();
}

function writeReading(reading: Reading): void {
  writer.u8(
    (reading.timeSource === "received" ? FLAG.receivedTime : 0) |
      (reading.rawTimeMs === undefined ? 0 : FLAG.rawTime) |
      (reading.seq < 0 ? 0 : FLAG.seq) |
      (reading.faults === undefined ? 0 : FLAG.faults) |
      (namesSources(reading.faults) ? FLAG.faultSources : 0) |
      (reading.isHistorical === true ? FLAG.historical : 0) |
      (hasOwnCodes(reading.faults) ? FLAG.ownFaultCodes : 0),
  );
  writer.f64(reading.fixTimeMs);
  if (reading.rawTimeMs !== undefined) writer.f64(reading.rawTimeMs);
  if (reading.seq >= 0) writer.f64(reading.seq);
  writer.u32(reading.payloadHash);
  const countAt = writer.u8(0);
  let count = 0;
  for (const name in reading.fields) {
    const code = CODE_BY_FIELD.get(name);
    if (code === undefined) {
      writer.u8(NAMED_FIELD);
      writer.text(name);
    } else {
      writer.u8(code);
    }
    writer.f64(reading.fields[name] ?? Number.NaN);
    count += 1;
  }
  writer.patchU8(countAt, count);
  if (reading.faults !== undefined) writeFaults(writer, reading.faults);
}

export function decodeReadings(body: Uint8Array): AcceptedMessage {
  const reader = new ByteReader(body);
  const { subject, origin } = readHeader(reader);
  const count = reader.u16();
  const readings: Reading[] = [];
  for (let i = 0; i < count; i += 1) readings.push(readReading(reader));
  const notices = readNotices(reader);
  const { assetId, projectId, receivedAtMs } = subject;
  // All members named: a spread that adds one takes 0.5 us.
  return { batch: { assetId, projectId, receivedAtMs, readings }, notices, origin };
}

function readReading(reader: ByteReader): Reading {
  const flags = reader.u8();
  const fixTimeMs = reader.f64();
  const rawTimeMs = flags & FLAG.rawTime ? reader.f64() : undefined;
  const seq = flags & FLAG.seq ? reader.f64() : -1;
  const payloadHash = reader.u32();
  const fields: Record<string, number> = {};
  for (let left = reader.u8(); left > 0; left -= 1) {
    const code = reader.u8();
    const name = code === NAMED_FIELD ? reader.text() : FIELD_BY_CODE[code];
    const value = reader.f64();
    // A code of a newer version: its name is unknown here, the value cannot be placed.
    if (name !== undefined) fields[name] = value;
  }
  const timeSource = flags & FLAG.receivedTime ? "received" : "device";
  const faults = flags & FLAG.faults ? readFaultList(reader, flags) : undefined;
  if (flags & FLAG.historical) {
    return {
      ...{ fixTimeMs, timeSource, rawTimeMs, seq, payloadHash, fields, faults },
      isHistorical: true,
    };
  }
  // The same shape that nearly every reading has.
  return { fixTimeMs, timeSource, rawTimeMs, seq, payloadHash, fields, faults };
}

function readFaultList(reader: ByteReader, flags: number): Reading["faults"] {
  if (flags & FLAG.ownFaultCodes) return readOwnCodes(reader);
  return readFaults(reader, (flags & FLAG.faultSources) !== 0);
}

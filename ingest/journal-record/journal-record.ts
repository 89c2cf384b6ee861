import type { Reading, ReadingBatch } from "../../domain/equipment/reading.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { JournalRecord } from "../../storage/ports/journal.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { hasOwnCodes, namesSources, readFaults, readOwnCodes, writeFaults } from "./fault-list.ts";
import { type HandedOver, readHandedOver } from "./handed-over.ts";
import { type LinkChange, readLinkChange } from "./link-change.ts";
import { type JournalledNotice, NO_NOTICES, readNotices, writeNotices } from "./notice-list.ts";

/** Who sent a message, so that a resent one is known after a restart too. */
export interface MessageOrigin {
  /** Hash of the MQTT client id, unsigned 32 bits. */
  readonly clientHash: number;
  /** MQTT packet identifier; 0 for QoS 0. */
  readonly packetId: number;
  /** Hash of the whole payload, unsigned 32 bits. */
  readonly payloadHash: number;
}

/** A message that no decoder could read. */
export interface QuarantinedMessage {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly receivedAtMs: number;
  readonly topic: string;
  readonly format: string;
  readonly reason: string;
  readonly payload: Uint8Array;
}

/** Publishes outside the device's own topics; their payloads are not kept. */
export interface ForeignPublish {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  /** When the first of them arrived, ms since the Unix epoch. */
  readonly receivedAtMs: number;
  /** The topic of the first of them. */
  readonly topic: string;
  /** How many were dropped since the last record about this asset; 1 or more. */
  readonly count: number;
}

/** What the journal holds, in the words of ingest. */
export type JournalEntry =
  | {
      readonly type: "readings";
      /** May have no readings where there are notices. */
      readonly batch: ReadingBatch;
      /** What the device reported beside them. */
      readonly notices: readonly JournalledNotice[];
      readonly origin: MessageOrigin;
    }
  | {
      readonly type: "quarantined";
      readonly message: QuarantinedMessage;
      readonly origin: MessageOrigin;
    }
  | { readonly type: "foreign"; readonly publish: ForeignPublish }
  | { readonly type: "link"; readonly change: LinkChange }
  /** The service restarted: every session that was open is gone. */
  | { readonly type: "start" }
  /** The clock of every replay: journalled every 10 s. */
  | { readonly type: "tick" };

/** Kind numbers on disk; never reused. */
export const RECORD_KIND = {
  readings: 1,
  quarantined: 2,
  foreign: 3,
  tick: 4,
  link: 5,
  start: 6,
  handedOver: 7,
} as const;

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

/** The journal body of an accepted message; {@link decodeRecord} is its inverse. */
export function encodeReadings(
  batch: ReadingBatch,
  origin: MessageOrigin,
  notices: readonly JournalledNotice[] = NO_NOTICES,
): Uint8Array {
  writeHeader(batch, origin);
  writer.u16(batch.readings.length);
  for (const reading of batch.readings) writeReading(reading);
  // Behind the readings of the same record, so that a message is durable as a whole or not at all.
  writeNotices(writer, notices);
  return writer.take();
}

/** The journal body of a message that no decoder could read. */
export function encodeQuarantined(message: QuarantinedMessage, origin: MessageOrigin): Uint8Array {
  writeHeader(message, origin);
  writer.text(message.topic);
  writer.text(message.format);
  writer.text(message.reason);
  writer.bytes(message.payload);
  return writer.take();
}

/** The journal body of publishes outside the device's own topics. */
export function encodeForeign(publish: ForeignPublish): Uint8Array {
  writeHeader(publish, { clientHash: 0, packetId: 0, payloadHash: 0 });
  writer.text(publish.topic);
  writer.u32(Math.min(publish.count, 0xffff_ffff));
  return writer.take();
}

/** Ticks and starts carry nothing but the record's own time; the journal wants at least one byte. */
export const TICK_BODY = Uint8Array.of(0);

/** Reads back what one of the encoders wrote; `undefined` for a kind of a newer version. */
export function decodeRecord(
  record: Pick<JournalRecord, "kind" | "body">,
): JournalEntry | undefined {
  switch (record.kind) {
    case RECORD_KIND.readings:
      return decodeReadings(new ByteReader(record.body));
    case RECORD_KIND.quarantined:
      return decodeQuarantined(new ByteReader(record.body));
    case RECORD_KIND.foreign: {
      const reader = new ByteReader(record.body);
      const { subject } = readHeader(reader);
      const topic = reader.text();
      // Records of older versions count one publish each, and end here.
      const count = reader.isAtEnd ? 1 : reader.u32();
      return { type: "foreign", publish: { ...subject, topic, count } };
    }
    case RECORD_KIND.tick:
      return { type: "tick" };
    case RECORD_KIND.link:
      return { type: "link", change: readLinkChange(new ByteReader(record.body)) };
    case RECORD_KIND.start:
      return { type: "start" };
    case RECORD_KIND.handedOver:
      return decodeRecord(readHandedOver(record.body).record);
    default:
      return undefined;
  }
}

/** Where a record was acknowledged, and as what: in this journal, or in that of the node it came from. */
export function acknowledged(record: JournalRecord, journalId: string): HandedOver {
  if (record.kind === RECORD_KIND.handedOver) return readHandedOver(record.body);
  return { origin: { journalId, sequence: record.sequence }, record };
}

/** Who and when: the same for every kind that concerns one asset. */
interface Subject {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly receivedAtMs: number;
}

function writeHeader(subject: Subject, origin: MessageOrigin): void {
  writer.begin();
  writer.text(subject.assetId);
  writer.text(subject.projectId);
  writer.f64(subject.receivedAtMs);
  writer.u32(origin.clientHash);
  writer.u16(origin.packetId);
  writer.u32(origin.payloadHash);
}

function readHeader(reader: ByteReader): { subject: Subject; origin: MessageOrigin } {
  const subject = {
    assetId: reader.text() as AssetId,
    projectId: reader.text() as ProjectId,
    receivedAtMs: reader.f64(),
  };
  const origin = {
    clientHash: reader.u32(),
    packetId: reader.u16(),
    payloadHash: reader.u32(),
  };
  return { subject, origin };
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

function decodeReadings(reader: ByteReader): JournalEntry {
  const { subject, origin } = readHeader(reader);
  const count = reader.u16();
  const readings: Reading[] = [];
  for (let i = 0; i < count; i += 1) readings.push(readReading(reader));
  const notices = readNotices(reader);
  return { type: "readings", batch: { ...subject, readings }, notices, origin };
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

function decodeQuarantined(reader: ByteReader): JournalEntry {
  const { subject, origin } = readHeader(reader);
  const topic = reader.text();
  const format = reader.text();
  const reason = reader.text();
  const payload = reader.bytes();
  return { type: "quarantined", message: { ...subject, topic, format, reason, payload }, origin };
}

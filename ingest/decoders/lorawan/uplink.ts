import type {
  DecodedMessage,
  DecodedReading,
  ReadingRemark,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import { type DecodeContext, readingsOnly } from "../fields/decoder.ts";
import { looseDegrees } from "../fields/degrees.ts";
import { parseDeviceTime } from "../fields/device-time.ts";
import { FieldSet } from "../fields/field-set.ts";
import { isJsonObject } from "../payload/json-payload.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { plumbline } from "../plumbline/plumbline.ts";
import { withNestedPosition } from "./nested-position.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** What the envelope of an uplink says, in whichever network server's words. */
export interface Envelope {
  /** When the network had the uplink: RFC 3339 text; `undefined`: it does not say. */
  readonly time: unknown;
  /** Frame counter of the uplink. */
  readonly frameCount: unknown;
  /** What the network server's codec made of the device's bytes; `undefined` or null: nothing. */
  readonly object: unknown;
  /** Whether the device sent bytes at all; without any the uplink was for the network alone. */
  readonly hasBytes: boolean;
  /** What each gateway that heard the uplink says of it. */
  readonly gateways: unknown;
  /** Where a codec can be set, for the reason of a message that has none. */
  readonly codec: string;
}

/** Gateways that are read: more than 100 have never heard one uplink. */
const MAX_GATEWAYS = 100;

/**
 * The readings of an uplink: the decoded object by the mapping of the asset's type or, where the type has
 * none, by the rules of our own JSON. A reading without a time of its own has that of the envelope; each has
 * the signal of the gateway that heard it best, as `rssi_dbm` and `snr_db`.
 * @throws DomainError `DECODE_FAILED`
 */
export function readUplink(envelope: Envelope, context: DecodeContext): DecodedMessage {
  const timeMs = timeOf(envelope.time);
  const seq = frameCountOf(envelope.frameCount);
  const signal = signalOf(envelope.gateways);
  const decoded = readObject(envelope, context);
  const readings = decoded.readings.map(
    (reading): DecodedReading => ({
      ...reading,
      deviceTimeMs: reading.deviceTimeMs ?? timeMs,
      seq: reading.seq ?? seq,
      fields: withSignal(reading.fields, signal),
    }),
  );
  if (decoded.refused === undefined) return { ...decoded, readings };
  // A part of the decoded object is not an uplink: time and device are in the envelope.
  return { ...decoded, readings, refused: { ...decoded.refused, payload: undefined } };
}

function readObject(
  { object = null, hasBytes, codec }: Envelope,
  { mapping, ...context }: DecodeContext,
): DecodedMessage {
  if (object === null) {
    if (hasBytes) {
      throw new DomainError("DECODE_FAILED", `the device's bytes are not decoded; set ${codec}`);
    }
    // A frame for the network alone, such as the answer to a command of its own: a sign of life.
    return readingsOnly([new FieldSet().toReading(undefined)]);
  }
  if (mapping !== undefined) return mapping.read(object);
  if (!isJsonObject(object)) {
    throw new DomainError("DECODE_FAILED", "the decoded object is not a JSON object");
  }
  const { object: flat, remark } = withNestedPosition(object);
  const decoded = plumbline.decode(Buffer.from(JSON.stringify(withoutNoFix(flat))), context);
  return remark === undefined
    ? decoded
    : { ...decoded, readings: decoded.readings.map(noting(remark)) };
}

const noting =
  (remark: ReadingRemark) =>
  (reading: DecodedReading): DecodedReading => ({
    ...reading,
    remarks: [...(reading.remarks ?? []), remark],
  });

/** 0, 0 is what a codec makes of the bytes of a device without a fix; our own JSON would take it for a place. */
function withoutNoFix(object: JsonObject): JsonObject {
  const { latitude, longitude, ...others } = object;
  return looseDegrees(latitude) === 0 && looseDegrees(longitude) === 0 ? others : object;
}

/** @throws DomainError `DECODE_FAILED` for what is not a time. */
export function timeOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const timeMs = typeof value === "string" ? parseDeviceTime(value) : undefined;
  if (timeMs !== undefined) return timeMs;
  throw new DomainError("DECODE_FAILED", "the time of the uplink is not RFC 3339 text");
}

/**
 * 32 bits (LoRaWAN 1.0.4, section 4.3.1.5); both network servers leave 0 out, and what is not a counter is passed
 * over.
 */
function frameCountOf(value: unknown): number | undefined {
  const count = looseNumber(value);
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

interface Signal {
  /** dBm */
  readonly rssi: number | undefined;
  /** dB */
  readonly snr: number | undefined;
}

/** Of the gateway that heard the uplink best. */
function signalOf(gateways: unknown): Signal {
  let best: Signal = { rssi: undefined, snr: undefined };
  if (!Array.isArray(gateways)) return best;
  for (const gateway of gateways.slice(0, MAX_GATEWAYS)) {
    if (!isJsonObject(gateway)) continue;
    const rssi = looseNumber(gateway["rssi"]);
    const isBetter = rssi !== undefined && (best.rssi === undefined || rssi > best.rssi);
    if (isBetter) best = { rssi, snr: looseNumber(gateway["snr"]) };
  }
  return best;
}

function withSignal(fields: DecodedReading["fields"], { rssi, snr }: Signal) {
  const signal = {
    ...(rssi === undefined ? {} : { rssi_dbm: rssi }),
    ...(snr === undefined ? {} : { snr_db: snr }),
  };
  // What the device says of itself goes first: it has room for 64 fields, and ours are not to push one out.
  const isRoom = Object.keys(fields).length <= MAX_OWN_FIELDS;
  return isRoom ? { ...signal, ...fields } : fields;
}

/** Fields of a device beside which both of the signal have room. */
const MAX_OWN_FIELDS = 62;

/**
 * The reading of a position that the network worked out, which is not an uplink of the device.
 * @throws DomainError `DECODE_FAILED`
 */
export function readNetworkPosition(location: unknown, time: unknown): DecodedMessage {
  const fields = new FieldSet("location");
  if (!isJsonObject(location)) throw fields.failure("not a JSON object");
  const latitude = looseDegrees(location["latitude"]);
  const longitude = looseDegrees(location["longitude"]);
  if (latitude === undefined || longitude === undefined) {
    throw fields.failure("latitude or longitude is missing");
  }
  if (fields.setPosition(latitude, longitude)) {
    fields.take("altitude_meters", "altitude", location["altitude"]);
    fields.take("accuracy_meters", "accuracy", location["accuracy"]);
  }
  return readingsOnly([fields.toReading(timeOf(time))]);
}

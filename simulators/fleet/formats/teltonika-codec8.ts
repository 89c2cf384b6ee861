import { type FleetFormat, roundDeg } from "../device/format.ts";
import type { Measurement } from "../device/measurement.ts";

const CODEC_8 = 0x08;
/** Satellites of a good fix; the simulator does not count them. Below 4 it would be no fix. */
const SATELLITES = 11;
/** Metres of accuracy per unit of HDOP (docs/rules.md#accuracy): a Teltonika reports dilution, not metres. */
const METERS_PER_HDOP = 5;
/**
 * Records of 38 bytes in one packet; they keep to the 1,280 bytes of a tracker (wiki, Codec 8), with room to
 * spare.
 */
const MAX_RECORDS = 25;
/** Zeros and length before the data, CRC behind them, bytes. */
const HEAD_BYTES = 8;
const CRC_BYTES = 4;
/** AVL ids: ignition, external voltage in mV, HDOP in tenths. */
const IGNITION = 239;
const EXTERNAL_VOLTAGE = 66;
const HDOP = 182;

/**
 * Codec 8 of a Teltonika tracker over TCP (wiki.teltonika-gps.com, "Codec"): whole km/h, metres and
 * degrees; without a fix no satellites and zeros. Each character of a payload is a byte.
 */
export const teltonikaCodec8: FleetFormat = {
  name: "teltonika-codec8",
  topicFormat: "teltonika-codec8",
  transport: "teltonika",
  hardwareId: imeiOf,
  needsFix: false,
  maxReadings: MAX_RECORDS,
  encode: (m) => recordOf(m).toString("latin1"),
  join(pieces) {
    const records = Buffer.from(pieces.join(""), "latin1");
    const packet = Buffer.alloc(HEAD_BYTES + 3 + records.length + CRC_BYTES);
    const end = packet.length - CRC_BYTES;
    packet.writeUInt32BE(end - HEAD_BYTES, 4);
    packet[HEAD_BYTES] = CODEC_8;
    packet[HEAD_BYTES + 1] = pieces.length;
    records.copy(packet, HEAD_BYTES + 2);
    packet[end - 1] = pieces.length;
    packet.writeUInt32BE(crc16(packet.subarray(HEAD_BYTES, end)), end);
    return packet.toString("latin1");
  },
};

/** Time, priority, GPS element, then IO elements of one and of two bytes. */
function recordOf(m: Measurement): Buffer {
  const { location, accuracyM } = m;
  const head = Buffer.alloc(24);
  head.writeBigUInt64BE(BigInt(m.deviceTimeMs), 0);
  if (location !== undefined) {
    head.writeInt32BE(Math.round(location.longitude * 1e7), 9);
    head.writeInt32BE(Math.round(location.latitude * 1e7), 13);
    head.writeInt16BE(Math.round(m.altitudeM), 17);
    head.writeUInt16BE(roundDeg(m.headingDeg, 1), 19);
    head.writeUInt8(SATELLITES, 21);
    head.writeUInt16BE(Math.round(m.speedKmh), 22);
  }
  const words: (readonly [id: number, value: number])[] = [
    [EXTERNAL_VOLTAGE, Math.round(m.vitals.batteryVoltage * 1_000)],
  ];
  if (location !== undefined && accuracyM !== undefined) {
    words.push([HDOP, Math.round((accuracyM * 10) / METERS_PER_HDOP)]);
  }
  return Buffer.concat([
    head,
    Buffer.of(0, 1 + words.length, 1, IGNITION, m.engineOn ? 1 : 0, words.length),
    ...words.map(([id, value]) => Buffer.of(id, value >> 8, value & 0xff)),
    // None of four, none of eight bytes.
    Buffer.of(0, 0),
  ]);
}

/** CRC-16/IBM, bit by bit as it is defined: not the decoder's, so that a mistake there has no twin here. */
export function crc16(data: Uint8Array): number {
  let sum = 0;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xa001 : sum >>> 1;
  }
  return sum;
}

/**
 * A number of 15 digits for a device: a maker's first two, a hash of the asset's id (FNV-1a, two of 32
 * bits), and the check digit of Luhn (3GPP TS 23.003 annex B). The same asset has the same in every run.
 */
function imeiOf(assetId: string): string {
  const digits = `35${hash(assetId)}${hash(`${assetId}#`)}`;
  let sum = 0;
  for (const [i, digit] of [...digits].entries()) {
    const doubled = Number(digit) * (i % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Six digits. */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return String(sum % 1_000_000).padStart(6, "0");
}

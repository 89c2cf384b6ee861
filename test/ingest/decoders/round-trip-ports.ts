import type { Measurement } from "../../../simulators/fleet/device/measurement.ts";
import type { FleetFormat } from "../../../simulators/fleet/formats/format.ts";

const KMH_PER_KNOT = 1.852;
const METERS_PER_HDOP = 5;

/**
 * Teltonika Codec 8 (wiki.teltonika-gps.com, "Codec"), which trackers speak over TCP and the simulator does
 * not; each character is a byte.
 */
const codec8: FleetFormat = {
  name: "teltonika-codec8",
  topicFormat: "teltonika-codec8",
  needsFix: false,
  maxReadings: 255,
  encode: (m) => recordOf(m).toString("latin1"),
  join(pieces) {
    const count = Buffer.from([pieces.length]);
    const records = pieces.map((piece) => Buffer.from(piece, "latin1"));
    const data = Buffer.concat([Buffer.from([0x08]), count, ...records, count]);
    const packet = Buffer.concat([Buffer.alloc(8), data, Buffer.alloc(4)]);
    packet.writeUInt32BE(data.length, 4);
    packet.writeUInt32BE(crc(data), packet.length - 4);
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
    head.writeUInt16BE(Math.round(m.headingDeg) % 360, 19);
    head.writeUInt8(11, 21);
    head.writeUInt16BE(Math.round(m.speedKmh), 22);
  }
  const voltage: readonly [number, number] = [66, Math.round(m.vitals.batteryVoltage * 1_000)];
  const words: (readonly [number, number])[] = [voltage];
  if (location !== undefined && accuracyM !== undefined) {
    words.push([182, Math.round((accuracyM * 10) / METERS_PER_HDOP)]);
  }
  return Buffer.concat([
    head,
    Buffer.from([0, 1 + words.length, 1, 239, m.engineOn ? 1 : 0, words.length]),
    ...words.map(([id, value]) => Buffer.from([id, value >> 8, value & 0xff])),
    // None of four, none of eight bytes.
    Buffer.from([0, 0]),
  ]);
}

/** CRC-16/IBM, bit by bit. */
function crc(data: Uint8Array): number {
  let sum = 0;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xa001 : sum >>> 1;
  }
  return sum;
}

/** The query of the OsmAnd protocol, which the Traccar Client app speaks over HTTP: knots. */
const osmand: FleetFormat = {
  name: "osmand",
  topicFormat: "osmand",
  needsFix: false,
  maxReadings: 1,
  encode(m, { id }) {
    const { location, accuracyM } = m;
    const query = new URLSearchParams({
      id,
      timestamp: String(m.deviceTimeMs),
      ignition: String(m.engineOn),
    });
    if (location !== undefined) {
      query.set("lat", location.latitude.toFixed(7));
      query.set("lon", location.longitude.toFixed(7));
      query.set("speed", (m.speedKmh / KMH_PER_KNOT).toFixed(3));
      query.set("bearing", String(Number(m.headingDeg.toFixed(2)) % 360));
      query.set("altitude", m.altitudeM.toFixed(1));
      if (accuracyM !== undefined) query.set("accuracy", accuracyM.toFixed(2));
    }
    return query.toString();
  },
  join: (pieces) => pieces.join(""),
};

/** Formats that come in on ports of their own; their decoders are in the same registry. */
export const PORT_FORMATS: readonly FleetFormat[] = [codec8, osmand];

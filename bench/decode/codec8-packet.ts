import { crc16 } from "../../ingest/decoders/teltonika/crc16.ts";

/**
 * One record of a Codec 8 packet: time, priority, a fix (33.86882 S, 151.20929 W) with 12 satellites, and the
 * five IO elements of the maker's own example (wiki.teltonika-gps.com, "Codec").
 */
const RECORD = Buffer.from(
  "0000018b8fb045de00a5df4b1cebd007380078010f0c002a010502150301010142" +
    "5e0f01f10000601a014e0000000000000000",
  "hex",
);

/** A packet of `count` such records, 1 to 255. */
export function codec8Packet(count: number): Buffer {
  const records = Array.from({ length: count }, () => RECORD);
  const data = Buffer.concat([Buffer.from([0x08, count]), ...records, Buffer.from([count])]);
  const packet = Buffer.concat([Buffer.alloc(8), data, Buffer.alloc(4)]);
  packet.writeUInt32BE(data.length, 4);
  packet.writeUInt32BE(crc16(data, 0, data.length), packet.length - 4);
  return packet;
}

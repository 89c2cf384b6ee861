import { describe, expect, it } from "vitest";
import { crc16 } from "../../../ingest/decoders/teltonika/crc16.ts";
import { seededRandom } from "../../support/seeded-random.ts";

/** CRC-16/IBM as it is defined: one bit after the other. */
function bitByBit(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}

describe("CRC-16/IBM", () => {
  it("has the check value of the catalogue of CRCs", () => {
    expect(crc16(Buffer.from("123456789"), 0, 9)).toBe(0xbb3d);
  });

  it("is that of the definition for every length and start", () => {
    const random = seededRandom(1);
    const bytes = Uint8Array.from({ length: 300 }, () => Math.floor(random() * 256));
    for (let length = 0; length <= 260; length += 1) {
      const from = length % 7;
      const part = bytes.subarray(from, from + length);
      expect(crc16(bytes, from, from + length), `${length} bytes from ${from}`).toBe(
        bitByBit(part),
      );
    }
  });
});

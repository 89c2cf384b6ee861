import { describe, expect, it } from "vitest";
import { crc16 } from "../../../../ingest/decoders/teltonika/crc16.ts";
import { crc16 as crc16OfSimulator } from "../../../../simulators/fleet/formats/teltonika-codec8.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

describe("CRC-16/IBM", () => {
  it("CRC-16/IBM has the check value of the catalogue of CRCs", () => {
    expect(crc16(Buffer.from("123456789"), 0, 9)).toBe(0xbb3d);
  });

  it("CRC-16/IBM is that of the simulator, bit by bit, for every length and start", () => {
    const random = seededRandom(1);
    const bytes = Uint8Array.from({ length: 300 }, () => Math.floor(random() * 256));
    for (let length = 0; length <= 260; length += 1) {
      const from = length % 7;
      const part = bytes.subarray(from, from + length);
      expect(crc16(bytes, from, from + length), `${length} bytes from ${from}`).toBe(
        crc16OfSimulator(part),
      );
    }
  });
});

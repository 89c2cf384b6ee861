import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../../domain/ids.ts";
import { j1939 } from "../../../../ingest/decoders/j1939/j1939.ts";

const context = { assetId: "a1" as AssetId, receivedAtMs: 0 };
const decode = (message: unknown) =>
  j1939.decode(Buffer.from(JSON.stringify(message)), context).readings;
const hex = (bytes: readonly number[]) => Buffer.from(bytes).toString("hex");
const coolant = (t?: number) => ({ id: "18FEEE00", data: "7bffffffffffffff", t });

/** Announcement and packets of a broadcast DM1 from controller `source` (SAE J1939-21, 5.10.2). */
function broadcast(data: readonly number[], source: number) {
  const address = hex([source]);
  const packetCount = Math.ceil(data.length / 7);
  const announce = [32, data.length & 0xff, data.length >> 8, packetCount, 255, 0xca, 0xfe, 0];
  return {
    announcement: { id: `1CECFF${address}`, data: hex(announce) },
    packets: Array.from({ length: packetCount }, (_, i) => {
      const bytes = data.slice(i * 7, i * 7 + 7);
      const filling = Array(7 - bytes.length).fill(255);
      return { id: `1CEBFF${address}`, data: hex([i + 1, ...bytes, ...filling]) };
    }),
  };
}

const byte = fc.integer({ min: 0, max: 255 });
/** Lamps, flashing, and 2 to 20 codes. */
const dm1 = fc
  .tuple(
    fc.tuple(byte, byte),
    fc.array(fc.tuple(byte, byte, byte, byte), { minLength: 2, maxLength: 20 }),
  )
  .map(([lamps, codes]) => [...lamps, ...codes.flat()]);

describe("j1939 decoder", () => {
  it("the j1939 decoder reads a DM1 in packets of any order as it reads one that the gateway put together", () => {
    fc.assert(
      fc.property(
        dm1,
        fc.integer({ min: 0, max: 253 }),
        fc.infiniteStream(fc.nat()),
        (data, source, keys) => {
          const { announcement, packets } = broadcast(data, source);
          const shuffled = packets
            .map((packet) => ({ packet, key: keys.next().value }))
            .sort((a, b) => a.key - b.key)
            .map(({ packet }) => packet);

          const inPackets = decode([announcement, ...shuffled]);
          const whole = decode([{ id: `18FECA${hex([source])}`, data: hex(data) }]);

          expect(inPackets).toEqual(whole);
        },
      ),
    );
  });

  it("the j1939 decoder says nothing of faults when any one packet of a DM1 is missing", () => {
    fc.assert(
      fc.property(dm1, fc.nat(), (data, at) => {
        const { announcement, packets } = broadcast(data, 0);
        const missing = at % packets.length;

        const [reading] = decode([announcement, ...packets.filter((_, i) => i !== missing)]);

        expect(reading?.faults).toBeUndefined();
      }),
    );
  });

  it("the j1939 decoder reads the SPN, FMI and count of every single-frame DM1 bit for bit", () => {
    const code = fc.record({
      spn: fc.integer({ min: 1, max: 524_286 }),
      fmi: fc.integer({ min: 0, max: 31 }),
      occurrence_count: fc.integer({ min: 0, max: 126 }),
    });
    fc.assert(
      fc.property(
        code,
        fc.integer({ min: 0, max: 253 }),
        ({ spn, fmi, occurrence_count }, source) => {
          const third = ((spn >> 16) << 5) | fmi;
          const data = [0, 0, spn & 255, (spn >> 8) & 255, third, occurrence_count, 255, 255];

          const [reading] = decode([{ id: `18FECA${hex([source])}`, data: hex(data) }]);

          expect(reading?.faults).toEqual([{ source, spn, fmi, occurrence_count }]);
        },
      ),
    );
  });

  it("the j1939 decoder does not take the tail of a broadcast whose announcement came in an earlier message for no faults", () => {
    const { packets } = broadcast([0, 0, 0x6e, 0, 0, 5, 0x64, 0, 1, 2], 3);
    const noFaults = { id: "18FECA00", data: "000000000000ffff" };

    expect(decode([noFaults, ...packets])[0]?.faults).toBeUndefined();
    expect(decode([noFaults])[0]?.faults).toEqual([]);
  });

  it("the j1939 decoder distinguishes the groups of the second data page from those of the first", () => {
    expect(decode([{ id: "19FEEE00", data: "7bffffffffffffff" }])[0]?.fields).toEqual({});
    expect(decode([coolant()])[0]?.fields).toEqual({ coolant_temperature_c: 83 });
  });

  it("the j1939 decoder takes 2,000 frames in a message and refuses 2,001", () => {
    expect(decode(Array(2_000).fill(coolant()))).toHaveLength(1);
    expect(() => decode(Array(2_001).fill(coolant()))).toThrow("2001 frames; 2000 are allowed");
  });

  it("the j1939 decoder makes 1,000 readings of 1,000 seconds and refuses 1,001", () => {
    const seconds = (count: number) => ({
      timestamp: 1_795_168_800_000,
      frames: Array.from({ length: count }, (_, i) => coolant(i * 1_000)),
    });

    expect(decode(seconds(1_000))).toHaveLength(1_000);
    expect(() => decode(seconds(1_001))).toThrow("frames of more than 1000 seconds");
  });

  it("the j1939 decoder takes 100 faults of one machine, and notes 101 as a list that it does not take", () => {
    const codes = (count: number) => [{ id: "18FECA00", data: `0000${"6e000005".repeat(count)}` }];

    expect(decode(codes(100))[0]?.faults).toHaveLength(100);
    const [reading] = decode(codes(101));
    expect(reading?.faults).toBeUndefined();
    expect(reading?.remarks?.[0]?.problem).toBe("101 entries; 100 are allowed");
  });

  it.each([
    [{ frames: {} }, "neither an array of frames nor an object with one"],
    [{ frames: [], encoding: "octal" }, "encoding is neither hex nor base64"],
    [{ frames: [], timestamp: "noon" }, "timestamp is neither ISO 8601 nor epoch milliseconds"],
    [[7], "frame 0: neither an object nor a line of candump"],
    [["18FEEE00 [8] 7B"], "frame 0: not a line of candump -L, such as 18FECA00#0400FFFF"],
    [[{ ...coolant(), encoding: 1 }], "frame 0: encoding is neither hex nor base64"],
    [[{ ...coolant(), t: "soon" }], "frame 0: t is neither milliseconds nor ISO 8601"],
    [
      [{ ...coolant(), id: 1.5 }],
      "frame 0: id is neither a number of 29 bits nor its hexadecimal text",
    ],
    [
      [{ ...coolant(), id: 2 ** 32 }],
      "frame 0: id is neither a number of 29 bits nor its hexadecimal text",
    ],
    [[{ ...coolant(), data: "7g" }], "frame 0: data is not hex text of at most 1785 bytes"],
    [[{ ...coolant(), data: null }], "frame 0: data is not hex text of at most 1785 bytes"],
    [
      [{ ...coolant(), data: "#", encoding: "base64" }],
      "frame 0: data is not base64 text of at most 1785 bytes",
    ],
  ])("the j1939 decoder refuses %j", (message, problem) => {
    expect(() => decode(message)).toThrow(problem);
  });
});

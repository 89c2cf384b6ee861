import { describe, expect, it } from "vitest";
import {
  readTin,
  type TinSurface,
  writeTin,
} from "../../../../processing/progress/landxml/tin-file.ts";

const square: TinSurface = {
  lonDeg: Float64Array.of(13.4, 13.401, 13.401, 13.400000000000002),
  latDeg: Float64Array.of(52.5, 52.5, 52.501, -52.501),
  heightM: Float64Array.of(0, -3.25, 1e-9, 8848.86),
  faces: Uint32Array.of(0, 1, 2, 0, 2, 3),
};

describe("file of a triangulated surface", () => {
  it("a file of a triangulated surface comes back bit by bit, wherever in memory its bytes lie", () => {
    const bytes = writeTin(square);
    // 16 of the head, 4 vertices of 24, 2 triangles of 12.
    expect(bytes.byteLength).toBe(16 + 96 + 24);
    expect(readTin(bytes)).toEqual(square);
    const shifted = new Uint8Array(bytes.byteLength + 3).subarray(3);
    shifted.set(bytes);
    expect(readTin(shifted)).toEqual(square);
  });

  it("a file of a triangulated surface has its numbers in little endian", () => {
    const view = new DataView(Uint8Array.from(writeTin(square)).buffer);
    expect(new TextDecoder().decode(view.buffer.slice(0, 8))).toBe("PLBTIN01");
    expect([view.getUint32(8, true), view.getUint32(12, true)]).toEqual([4, 2]);
    expect(view.getFloat64(16, true)).toBe(13.4);
    expect(view.getFloat64(16 + 11 * 8, true)).toBe(8848.86);
    expect(view.getUint32(16 + 96 + 20, true)).toBe(3);
  });

  it("a file of a triangulated surface is refused when it is of another kind, cut, longer, or names a vertex that is not there", () => {
    const bytes = writeTin(square);
    const broken = Uint8Array.from(bytes);
    broken[16 + 96] = 4;
    const cases: readonly (readonly [Uint8Array, RegExp])[] = [
      [new Uint8Array(0), /does not begin/],
      [Buffer.from("II*\0 a TIFF of some length"), /does not begin/],
      [bytes.subarray(0, -1), /has 135 bytes, 136 were written/],
      [Buffer.concat([bytes, Buffer.of(0)]), /has 137 bytes/],
      [broken, /vertex 4 of 4/],
    ];
    for (const [given, message] of cases) {
      expect(() => readTin(given)).toThrow(
        expect.objectContaining({
          code: "SURFACE_INVALID",
          message: expect.stringMatching(message),
        }),
      );
    }
  });
});

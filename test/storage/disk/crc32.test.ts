import fc from "fast-check";
import { expect, it } from "vitest";
import { crc32, crc32ByTable } from "../../../storage/disk/crc32.ts";

const ascii = (text: string) => new TextEncoder().encode(text);

it("CRC-32 gives the check value 0xcbf43926 for the bytes of 123456789", () => {
  expect(crc32(ascii("123456789"), 0, 9, 0)).toBe(0xcbf43926);
});

it("CRC-32 gives the same by table and by native code, whole or in two parts, for 0 to 1,000 bytes", () => {
  const bytes = fc.uint8Array({ minLength: 0, maxLength: 1_000 });
  fc.assert(
    fc.property(bytes, fc.nat(1_000), (array, cut) => {
      const middle = Math.min(cut, array.length);
      const whole = crc32ByTable(array, 0, array.length, 0);
      expect(crc32(array, 0, array.length, 0)).toBe(whole);
      expect(crc32(array, middle, array.length, crc32(array, 0, middle, 0))).toBe(whole);
    }),
  );
});

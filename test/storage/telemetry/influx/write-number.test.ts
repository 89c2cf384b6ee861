import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  NUMBER_BYTES,
  writeNumber,
  writeTime,
} from "../../../../storage/telemetry/influx/write-number.ts";

const RUNS = { numRuns: 20_000 };
const bytes = new Uint8Array(3 + NUMBER_BYTES);

/** What is written, behind something that is left alone. */
function textOf(write: typeof writeNumber, value: number): string {
  bytes.fill(0);
  const end = write(bytes, 3, value);
  expect([...bytes.subarray(0, 3), ...bytes.subarray(end)].every((byte) => byte === 0)).toBe(true);
  return Buffer.from(bytes.subarray(3, end)).toString("latin1");
}

/** The shortest text that reads back as the value, as the language defines it. */
const expected = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

function check(value: number): void {
  expect(textOf(writeNumber, value)).toBe(expected(value));
}

describe("a number in line protocol", () => {
  it("a number in line protocol is what String makes of any double", () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(any, check), RUNS);
  });

  it("a number in line protocol is what String makes of measured values: whole numbers with up to eleven decimals", () => {
    const digits = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });
    const decimals = fc.integer({ min: 0, max: 11 });
    fc.assert(
      fc.property(digits, decimals, (n, power) => check(n / 10 ** power)),
      RUNS,
    );
  });

  it("a number in line protocol is what String makes of the neighbours of short decimals", () => {
    const view = new DataView(new ArrayBuffer(8));
    const digits = fc.integer({ min: 1, max: 10 ** 10 });
    const neighbour = (value: number, steps: number) => {
      view.setFloat64(0, value);
      view.setBigUint64(0, view.getBigUint64(0) + BigInt(steps));
      return view.getFloat64(0);
    };
    const power = fc.integer({ min: 0, max: 9 });
    const steps = fc.integer({ min: -2, max: 2 });
    fc.assert(
      fc.property(digits, power, steps, (n, p, by) => check(neighbour(n / 10 ** p, by))),
      RUNS,
    );
  });

  it.each([
    0,
    -0,
    1,
    -1,
    9,
    10,
    0.1,
    -0.5,
    0.1 + 0.2,
    1e-6,
    1e-7,
    9.999999e-7,
    1.000001,
    52.5012345,
    -179.9999999,
    1234.500277777778,
    999_999_999,
    1e9,
    1_000_000_000.5,
    999_999_999.999_999_9,
    999_999.999_999_999,
    123_456_789.123_456,
    4_294_967_296.25,
    1e15,
    2 ** 53,
    1e21,
    1e300,
    5e-324,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    -1.234567890123457e-300,
  ])("a number in line protocol is written as String does: %d", (value) => {
    check(value);
  });

  it.each([
    0,
    1,
    999_999,
    1e6,
    1_790_000_000_123,
    999_999_999_999_999,
    1e15,
    8.64e15,
    -1,
    1_000.5,
    1e6 + 0.5,
  ])("a number in line protocol is a time as String writes it: %d", (timeMs) => {
    expect(textOf(writeTime, timeMs)).toBe(expected(timeMs));
  });
});

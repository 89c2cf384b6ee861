import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIELD_NAME, FIELD_RANGES } from "../../../../domain/equipment/reading.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import { senml } from "../../../../ingest/decoders/senml/senml.ts";

const context = { assetId: "a1" as AssetId, receivedAtMs: 1_795_132_800_000 };
const decode = (pack: unknown) => senml.decode(Buffer.from(JSON.stringify(pack)), context).readings;

describe("senml decoder", () => {
  it("the senml decoder takes 2,000 records in a pack and refuses 2,001", () => {
    const records = (count: number) => Array(count).fill({ n: "temp", v: 1 });

    expect(decode(records(2_000))).toEqual([
      { deviceTimeMs: undefined, seq: undefined, fields: { temp: 1 }, faults: undefined },
    ]);
    expect(() => decode(records(2_001))).toThrow("2001 records; 1 to 2000 are allowed");
  });

  it("the senml decoder makes 1,000 readings of 1,000 times and refuses 1,001", () => {
    const times = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ n: "a", t: -i, v: i }));

    expect(decode(times(1_000))).toHaveLength(1_000);
    expect(() => decode(times(1_001))).toThrow("more than 1000 times");
  });

  it("the senml decoder takes the first 64 numbers of one time, and notes the 65th as left out", () => {
    const numbers = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ n: `a${i}`, v: i }));

    expect(Object.keys(decode(numbers(64))[0]?.fields ?? {})).toHaveLength(64);
    expect(decode(numbers(65))[0]?.fields).toEqual(decode(numbers(64))[0]?.fields);
    expect(decode(numbers(65))[0]?.remarks).toMatchObject([{ name: "a64", value: 1 }]);
  });

  it("the senml decoder takes 256 different names in a pack and refuses 257", () => {
    const names = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ n: `a${i}`, t: -Math.floor(i / 60), v: i }));

    expect(decode(names(256))).toHaveLength(5);
    expect(() => decode(names(257))).toThrow("more than 256 different names");
  });

  it("the senml decoder knows a name however it is cut in two, and however often the base name changes", () => {
    const cuts = [
      { bn: "m/", n: "a/temp" },
      { bn: "m/a/", n: "temp" },
      { bn: "m/a/temp", n: "" },
      { bn: "m/", n: "a/temp" },
      { bn: "m/a/", n: "temp" },
    ];
    const pack = cuts.map((cut, i) => ({ ...cut, t: i - 9, v: i }));

    // Were they several names that end alike, each would have all its parts.
    expect(decode(pack).map(({ fields }) => fields)).toEqual(cuts.map((_, temp) => ({ temp })));
    expect(decode([...pack, { bn: "x/", n: "temp", v: 5 }])[0]?.fields).toEqual({ m_a_temp: 0 });
  });

  it("the senml decoder keeps every number of names that end alike, whatever their order", () => {
    const places = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), {
      minLength: 2,
      maxLength: 20,
    });
    fc.assert(
      fc.property(places, (names) => {
        const pack = names.map((name, i) => ({ n: `${name}/temp`, v: i }));
        const expected = Object.fromEntries(names.map((name, i) => [`${name}_temp`, i]));

        expect(decode(pack)[0]?.fields).toEqual(expected);
        expect(decode(pack.toReversed())[0]?.fields).toEqual(expected);
      }),
    );
  });

  it("the senml decoder makes storable field names of all names, and none that passes for another field", () => {
    const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9\-:./_]{0,120}$/);
    fc.assert(
      fc.property(name, fc.double({ noNaN: true, noDefaultInfinity: true }), (n, v) => {
        const fields = decode([{ n, u: "furlong", v }])[0]?.fields ?? {};

        for (const field of Object.keys(fields)) {
          expect(field).toMatch(FIELD_NAME);
          expect(Object.keys(FIELD_RANGES)).not.toContain(field);
        }
        expect(Object.keys(fields).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("the senml decoder keeps the position of a pack in which another value is of a wrong type", () => {
    const position = [
      { n: "lat", u: "lat", v: 1 },
      { n: "lon", u: "lon", v: 2 },
    ];
    const [reading] = decode([...position, { n: "fuel", u: "%", v: "12%" }, { n: "a", vb: 1 }]);

    expect(reading?.fields).toEqual({ latitude: 1, longitude: 2, suspect_fuel: 12, suspect_a: 1 });
    expect(reading?.remarks).toMatchObject([
      { name: "fuel", value: "12%" },
      { name: "a", value: 1 },
    ]);
  });

  it.each([
    [["x"], "record 0: not a JSON object"],
    [[{ n: 7, v: 1 }], "record 0: n is not text"],
    [[{ n: "a", v: 1, t: "soon" }], "record 0: t is not a number"],
    [[{ n: "a", v: 1, bt: 1e308, t: 1e308 }], "record 0: t is too large for a time"],
    [[{ n: "a".repeat(257), v: 1 }], `record 0: "${"a".repeat(64)}" is not a SenML name`],
  ])("the senml decoder refuses %j", (pack, problem) => {
    expect(() => decode(pack)).toThrow(problem);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePointer, valueAt } from "../../../../domain/equipment/json-pointer.ts";
import type { PayloadMapping } from "../../../../domain/equipment/payload-mapping.ts";
import { DomainError } from "../../../../domain/errors.ts";
import { compileMapping } from "../../../../ingest/decoders/mapping/compile.ts";
import { mapping as decoder } from "../../../../ingest/decoders/mapping/mapping.ts";
import { withoutDust } from "../../../../ingest/decoders/mapping/significant-digits.ts";

const at = (text: string, value: unknown): unknown => {
  const pointer = parsePointer(text);
  return "problem" in pointer ? pointer : valueAt(pointer, value);
};

describe("a JSON Pointer", () => {
  /** RFC 6901 section 5. */
  const DOCUMENT = {
    foo: ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
  };

  it.each([
    ["", DOCUMENT],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/c%d", 2],
    ["/e^f", 3],
    ["/g|h", 4],
    ["/i\\j", 5],
    ['/k"l', 6],
    ["/ ", 7],
    ["/m~0n", 8],
    ["#", DOCUMENT],
    ["#/foo/0", "bar"],
    ["#/", 0],
    ["#/a~1b", 1],
    ["#/c%25d", 2],
    ["#/e%5Ef", 3],
    ["#/g%7Ch", 4],
    ["#/i%5Cj", 5],
    ["#/k%22l", 6],
    ["#/%20", 7],
    ["#/m~0n", 8],
  ])("a JSON Pointer finds what RFC 6901 says: %s", (text, expected) => {
    expect(at(text, DOCUMENT)).toEqual(expected);
  });

  it("a JSON Pointer unescapes ~01 to ~1", () => {
    expect(at("/~01", { "~1": 5, "/": 6 })).toBe(5);
  });

  it.each([
    "/foo/2",
    "/foo/-",
    "/foo/00",
    "/foo/1e0",
    "/foo/length",
    "/foo/0/0",
    "/x",
    "/toString",
  ])("a JSON Pointer finds nothing at %s", (text) => {
    expect(at(text, DOCUMENT)).toBeUndefined();
  });

  it("a JSON Pointer finds every value of any JSON by the names on its path, and nothing else", () => {
    const places = (value: unknown, path: readonly string[]): [readonly string[], unknown][] => [
      [path, value],
      ...(typeof value === "object" && value !== null && path.length < 8
        ? Object.entries(value).flatMap(([name, of]) => places(of, [...path, name]))
        : []),
    ];
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(json, (value) => {
        for (const [path, expected] of places(value, [])) {
          const text = path
            .map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)
            .join("");
          if (text.length <= 256) expect(at(text, value)).toBe(expected);
        }
      }),
    );
  });
});

describe("a number without the dust of its conversion", () => {
  it("a number without the dust of its conversion is what toPrecision(15) says", () => {
    const ordinary = fc.double({ min: 1e-7, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(ordinary, fc.boolean(), (size, isNegative) => {
        const value = isNegative ? -size : size;
        const expected = Number(value.toPrecision(15));
        // Halves may round up or down in the fifteenth digit.
        expect(Math.abs(withoutDust(value) - expected)).toBeLessThanOrEqual(
          Math.abs(value) * 1.1e-14,
        );
      }),
    );
  });

  it("a number without the dust of its conversion keeps decimal numbers of 15 digits, 0, the smallest and the largest", () => {
    for (const value of [52.5012345, -13.4023456, 74.08, 123456789.012345, 0, 5e-324, 1.7e308]) {
      expect(withoutDust(value)).toBe(value);
    }
    expect([525012345 * 1e-7, 40 * 1.852, 0.1 + 0.2].map(withoutDust)).toEqual([
      52.5012345, 74.08, 0.3,
    ]);
    expect(withoutDust(-0)).toBe(0);
  });
});

describe("a mapping", () => {
  const context = { assetId: "a1" as never, receivedAtMs: 0 };
  const decode = (mapping: PayloadMapping, text: string) =>
    decoder.decode(Buffer.from(text), { ...context, mapping: compileMapping(mapping) });

  it("a mapping is not made of one that is wrong", () => {
    const wrong = { fields: { speed_kmh: { pointer: "/v", unit: "K" } } };
    expect(() => compileMapping(wrong)).toThrow(
      new DomainError("MAPPING_INVALID", "fields.speed_kmh.unit must be one of km/h, m/s, mph, kn"),
    );
  });

  it("a mapping keeps an impossible value of the whole message with each of its readings", () => {
    const compiled = compileMapping({
      readings: "/list",
      fields: {
        speed_kmh: { pointer: "/v" },
        fuel_level_percent: { pointer: "#/fuel" },
        hdop: { pointer: "#/hdop" },
      },
    });
    const { readings } = compiled.read({ fuel: "12%", hdop: 120, list: [{ v: 1 }, { v: 2 }] });

    expect(readings.map(({ fields }) => fields)).toEqual([
      { speed_kmh: 1, suspect_fuel_level_percent: 12, suspect_hdop: 120 },
      { speed_kmh: 2, suspect_fuel_level_percent: 12, suspect_hdop: 120 },
    ]);
    expect(readings.map(({ remarks }) => remarks?.map(({ name }) => name).sort())).toEqual([
      ["fuel_level_percent", "hdop"],
      ["fuel_level_percent", "hdop"],
    ]);
  });

  it("a mapping takes 1,000 readings of 64 fields, and no more faults than a machine has", () => {
    const names = Array.from({ length: 64 }, (_v, i) => `f${i}`);
    const fields = Object.fromEntries(names.map((name, i) => [name, { pointer: `/${i}` }]));
    const rows = JSON.stringify(Array.from({ length: 1_000 }, () => names.map((_name, i) => i)));
    const { readings } = decode({ fields }, rows);
    expect([readings.length, readings[999]?.fields["f63"]]).toEqual([1_000, 63]);
    const faults = { pointer: "/f", spn: "/0", fmi: "/1" };
    const many = (count: number) =>
      JSON.stringify({ f: Array.from({ length: count }, () => [1, 2]) });
    expect(decode({ fields: {}, faults }, many(100)).readings[0]?.faults).toHaveLength(100);
    const [tooMany] = decode({ fields: {}, faults }, many(101)).readings;
    expect(tooMany?.faults).toBeUndefined();
    expect(tooMany?.remarks?.[0]?.problem).toBe("101 entries; 100 are allowed");
  });

  it("a mapping pollutes no object, whatever is sent under the names of a prototype", () => {
    const fields = { speed_kmh: { pointer: "/__proto__/constructor/prototype/v" } };
    const sent = '{"__proto__":{"constructor":{"prototype":{"v":5}}},"constructor":1}';
    expect(decode({ fields }, sent).readings[0]?.fields).toEqual({ speed_kmh: 5 });
    expect(() => decode({ fields }, "{}")).toThrow("nothing is at");
    expect(({} as Record<string, unknown>)["v"]).toBeUndefined();
  });

  it("deeply nested payloads are refused before a mapping parses them", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(() => decode({ fields: { x: { pointer: "/0" } } }, deep)).toThrow("nested deeper");
  });
});

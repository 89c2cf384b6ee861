import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import { plumbline } from "../../../../ingest/decoders/plumbline/plumbline.ts";
import { thingsboard } from "../../../../ingest/decoders/thingsboard/thingsboard.ts";
import { startProcessorClock } from "../../../support/processor-time.ts";

const context = { assetId: "a1" as AssetId, receivedAtMs: 0 };
const decode = (payload: string | Uint8Array) =>
  plumbline.decode(typeof payload === "string" ? Buffer.from(payload) : payload, context).readings;

describe("plumbline decoder", () => {
  it("the plumbline decoder takes 1,000 readings in a message and refuses 1,001", () => {
    const readings = (count: number) => JSON.stringify(Array(count).fill({ speed_kmh: 1 }));

    expect(decode(readings(1_000))).toHaveLength(1_000);
    expect(() => decode(readings(1_001))).toThrow("1001 readings; 1 to 1000 are allowed");
  });

  it("the plumbline decoder takes the state of the engine among the first 64 fields where it comes first", () => {
    const others = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`n${i}`, i]));
    const [reading] = decode(JSON.stringify({ engine_on: true, ...others }));

    expect(reading?.fields).toMatchObject({ engine_on: 1, n62: 62 });
    expect(reading?.remarks).toMatchObject([{ kind: "fields_left_out", name: "n63", value: 7 }]);
  });

  it("the plumbline decoder keeps the mark of a mocked position however many fields come before it", () => {
    const others = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`n${i}`, i]));
    const sent = { ...others, position_mocked: 1, latitude: 52.5, longitude: 13.4 };
    const [reading] = decode(JSON.stringify(sent));

    expect(reading?.fields).toMatchObject({ position_mocked: 1, latitude: 52.5, n60: 60 });
    expect(Object.keys(reading?.fields ?? {})).toHaveLength(64);
  });

  it.each([
    '{"heading":361,"suspect_heading":7}',
    '{"suspect_heading":7,"heading":361}',
  ])("the plumbline decoder keeps its own suspect value beside one that the device calls so: %s", (sent) => {
    expect(decode(sent)).toMatchObject([{ fields: { suspect_heading: 361 }, remarks: [{}] }]);
  });

  it.each([
    plumbline,
    thingsboard,
  ])("the plumbline decoder checks 256 names of a message for the misspelt half of its positions: $name", (decoder) => {
    const others = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`own_name_${i}`, i]));
    const reasonOf = (count: number) =>
      decoder.decode(
        Buffer.from(
          JSON.stringify([
            { ts: 1, latitude: 1, longitude: 2 },
            { ts: 2, latitude: 1, ...others(count) },
            { ts: 3, latitude: 1, longitud: 2 },
          ]),
        ),
        context,
      ).refused?.reason;
    const hint = 'and "longitud" is not a name for it; did you mean longitude?';

    expect(reasonOf(250)).toContain(hint);
    expect(reasonOf(256)).not.toContain(hint);
    expect(reasonOf(256)).toContain("longitude is missing");
  });

  it("the plumbline decoder leaves Object.prototype alone whatever the names are", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);

    const sent = '{"__proto__": {"polluted": 1}, "__defineGetter__": 1, "speed_kmh": 5}';
    expect(decode(sent)).toMatchObject([
      { fields: { speed_kmh: 5, suspect___defineGetter__: 1 }, remarks: [{}, {}] },
    ]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("the plumbline decoder reads 8 levels of nesting in a large payload and refuses 9; brackets in text do not count", () => {
    const nested = (levels: number) =>
      `{"note":"${"[{".repeat(3_000)}\\"","x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)},"speed_kmh":1}`;

    expect(decode(nested(8))).toMatchObject([{ fields: { speed_kmh: 1 } }]);
    expect(() => decode(nested(9))).toThrow("nested deeper than 8 levels");
  });

  it("the plumbline decoder refuses bombs of 256 KiB within 100 ms each", () => {
    const bombs = [
      "[".repeat(262_144),
      `${"[".repeat(131_072)}${"]".repeat(131_072)}`,
      `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`,
    ];
    const tookMs = startProcessorClock();

    const accepted = bombs.filter((bomb) => {
      try {
        return decode(bomb).some(({ fields }) => Object.keys(fields).length > 0);
      } catch {
        return false;
      }
    });

    expect(accepted).toEqual([]);
    expect(tookMs()).toBeLessThan(bombs.length * 100);
  });

  it("the plumbline decoder reads the first 64 of 20,000 names, each a near miss, within 100 ms", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `spe${i.toString(36)}_kmh`);
    const body = `{${names.map((name) => `"${name}":1`).join(",")},"lat":1,"lon":2}`;
    // The least of several: the compiler and the collector of garbage count too, and processors are shared.
    const runsMs = Array.from({ length: 5 }, () => {
      const tookMs = startProcessorClock();
      decode(body);
      return tookMs();
    });
    const [reading] = decode(body);

    expect(Math.min(...runsMs)).toBeLessThan(100);
    expect(Object.keys(reading?.fields ?? {})).toHaveLength(64);
    expect(reading?.fields).toMatchObject({ latitude: 1, longitude: 2, [names[0] ?? ""]: 1 });
    expect(reading?.remarks?.at(-1)).toMatchObject({ kind: "fields_left_out", value: 19_938 });
  });

  it("the plumbline decoder answers any bytes with readings or DECODE_FAILED, never with another error", () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
      fc
        .record(
          {
            timestamp: fc.anything(),
            latitude: fc.anything(),
            longitude: fc.anything(),
            engine_on: fc.anything(),
            fault_codes: fc.anything(),
            seq: fc.anything(),
          },
          { requiredKeys: [] },
        )
        .map((value) => {
          try {
            return Buffer.from(JSON.stringify(value));
          } catch {
            return Buffer.from("{}");
          }
        }),
    );

    const property = fc.property(anything, (payload) => {
      try {
        return decode(payload).length > 0;
      } catch (error) {
        return error instanceof DomainError && error.code === "DECODE_FAILED";
      }
    });
    expect(() => fc.assert(property, { numRuns: 2_000 })).not.toThrow();
  });
});

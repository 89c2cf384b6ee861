import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import { osmand } from "../../../../ingest/decoders/osmand/osmand.ts";
import { startProcessorClock } from "../../../support/processor-time.ts";

const context = { assetId: "a1" as AssetId, receivedAtMs: Date.UTC(2026, 10, 20) };
const decode = (text: string | Uint8Array) =>
  osmand.decode(typeof text === "string" ? Buffer.from(text) : text, context).readings;

describe("osmand decoder", () => {
  it.each([
    ["2147483647", 2_147_483_647_000],
    ["2147483648", 2_147_483_648],
    ["1504763810.5", 1_504_763_810_500],
    ["0", 0],
  ])("the osmand decoder takes a timestamp of %s as %i ms", (timestamp, timeMs) => {
    expect(decode(`id=1&timestamp=${timestamp}`)[0]?.deviceTimeMs).toBe(timeMs);
  });

  it("the osmand decoder reads what URLSearchParams writes", () => {
    const number = (max: number) => fc.double({ min: -max, max, noNaN: true });
    const fix = fc.record({ lat: number(90), lon: number(180), altitude: number(900) });
    const property = fc.property(fix, ({ lat, lon, altitude }) => {
      const shown = (value: number) => value.toFixed(7);
      // That is not a fix.
      fc.pre(Number(shown(lat)) !== 0 || Number(shown(lon)) !== 0);
      const parameters = { id: "1", lat: shown(lat), lon: shown(lon), altitude: shown(altitude) };
      const [reading] = decode(new URLSearchParams(parameters).toString());
      const { latitude, longitude, altitude_meters } = reading?.fields ?? {};
      return (
        latitude === Number(shown(lat)) &&
        longitude === Number(shown(lon)) &&
        altitude_meters === Number(shown(altitude))
      );
    });

    expect(() => fc.assert(property)).not.toThrow();
  });

  it("the osmand decoder answers any query with readings or DECODE_FAILED", () => {
    const names = [
      "id",
      "lat",
      "lon",
      "location",
      "speed",
      "timestamp",
      "valid",
      "batt",
      "ignition",
    ];
    const value = fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom("1,2", "true"));
    const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), value);
    const query = fc
      .array(pair, { maxLength: 20 })
      .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join("&"));
    const payload = fc.oneof(query, fc.uint8Array());
    const property = fc.property(payload, (bytes) => {
      try {
        return decode(bytes).length === 1;
      } catch (error) {
        return error instanceof DomainError && error.code === "DECODE_FAILED";
      }
    });

    expect(() => fc.assert(property, { numRuns: 3_000 })).not.toThrow();
  });

  it("the osmand decoder refuses 256 KiB of separators, names, plus signs and escapes within 50 ms each", () => {
    const bombs = ["&", "a&", "a=1&", "+", "%41", "id=1&a=1&", "?"].map((text) =>
      text.repeat(262_144 / text.length),
    );
    const tookMs = startProcessorClock();
    const accepted = bombs.filter((bomb) => {
      try {
        return decode(bomb).length > 0;
      } catch {
        return false;
      }
    });

    expect(accepted).toEqual([]);
    expect(tookMs()).toBeLessThan(bombs.length * 50);
  });
});

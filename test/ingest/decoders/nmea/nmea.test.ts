import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import { nmea } from "../../../../ingest/decoders/nmea/nmea.ts";
import { startProcessorClock } from "../../../support/processor-time.ts";

const NOW = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;
const decode = (text: string | Uint8Array, receivedAtMs = NOW) =>
  nmea.decode(typeof text === "string" ? Buffer.from(text, "latin1") : text, {
    assetId: "a1" as AssetId,
    receivedAtMs,
  });

/** The sentence with its checksum. */
function sentence(body: string): string {
  const sum = [...body].reduce((xor, char) => xor ^ char.charCodeAt(0), 0);
  return `$${body}*${sum.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** `ddmm.mmmmmm` of an angle in degrees. */
function degreesAndMinutes(degrees: number, digits: number): string {
  const micro = Math.round(Math.abs(degrees) * 60e6);
  const whole = Math.floor(micro / 60e6);
  const minutes = ((micro - whole * 60e6) / 1e6).toFixed(6).padStart(9, "0");
  return `${String(whole).padStart(digits, "0")}${minutes}`;
}

const clock = (timeMs: number) => new Date(timeMs).toISOString().slice(11, 23).replaceAll(":", "");

describe("nmea decoder", () => {
  it("the nmea decoder reads any position to 1e-6 degrees", () => {
    const angle = (max: number) => fc.double({ min: -max, max, noNaN: true });
    const property = fc.property(angle(90), angle(180), (latitude, longitude) => {
      // So near to 0, 0 it is written as that, which is not a fix.
      fc.pre(Math.abs(latitude) + Math.abs(longitude) > 1e-5);
      const lat = `${degreesAndMinutes(latitude, 2)},${latitude < 0 ? "S" : "N"}`;
      const lon = `${degreesAndMinutes(longitude, 3)},${longitude < 0 ? "W" : "E"}`;
      const [reading] = decode(sentence(`GNRMC,120000,A,${lat},${lon},,,201126,,,A`)).readings;
      const { latitude: foundLat = 99, longitude: foundLon = 999 } = reading?.fields ?? {};
      return Math.abs(foundLat - latitude) < 1e-6 && Math.abs(foundLon - longitude) < 1e-6;
    });

    expect(() => fc.assert(property, { numRuns: 1_000 })).not.toThrow();
  });

  it("the nmea decoder dates a GGA without RMC within 12 h of its arrival, and exactly when it is sent at once", () => {
    const around = fc.integer({ min: -2 * 24 * HOUR_MS, max: 2 * 24 * HOUR_MS });
    const delay = fc.integer({ min: -11 * HOUR_MS, max: 11 * HOUR_MS });
    const property = fc.property(around, delay, (offsetMs, delayMs) => {
      const fixMs = NOW + offsetMs;
      const text = sentence(`GNGGA,${clock(fixMs)},0100.0,N,00200.0,E,1,05,2.0,1.0,M,,M,,`);
      return decode(text, fixMs + delayMs).readings[0]?.deviceTimeMs === fixMs;
    });

    expect(() => fc.assert(property, { numRuns: 1_000 })).not.toThrow();
  });

  it.each([
    [2026, "99", 1999],
    [2026, "75", 2075],
    [2026, "76", 1976],
    [1999, "01", 2001],
    [2100, "99", 2099],
    [2149, "00", 2100],
  ])("the nmea decoder in %i takes the year %s as %i", (nowYear, shortYear, year) => {
    const text = sentence(`GPRMC,000000,V,,,,,,,0101${shortYear},,,N`);

    expect(decode(text, Date.UTC(nowYear, 5)).readings[0]?.deviceTimeMs).toBe(Date.UTC(year, 0));
  });

  it("the nmea decoder keeps days apart when a time of day comes again in a message", () => {
    const day = (date: string) =>
      `${sentence(`GPRMC,060000,A,0100.0,N,00200.0,E,1.0,,${date},,,A`)}\r\n${sentence(
        "GPGGA,060000,0100.0,N,00200.0,E,1,05,2.0,1.0,M,,M,,",
      )}\r\n`;
    const { readings } = decode(`${day("181126")}${day("191126")}`);

    expect(readings.map(({ deviceTimeMs }) => deviceTimeMs)).toEqual([
      Date.UTC(2026, 10, 18, 6),
      Date.UTC(2026, 10, 19, 6),
    ]);
    expect(readings.map(({ fields }) => fields["satellites"])).toEqual([5, 5]);
  });

  it("the nmea decoder joins all RMC and all GGA that a gateway sorted by kind", () => {
    const times = ["100000", "100001", "100002"];
    const rmc = times.map((t) => sentence(`GPRMC,${t},A,0100.0,N,00200.0,E,1.0,,201126,,,A`));
    const gga = times.map((t) => sentence(`GPGGA,${t},0100.0,N,00200.0,E,1,05,2.0,1.0,M,,M,,`));
    const { readings } = decode([...rmc, ...gga].join("\n"));

    expect(readings).toHaveLength(3);
    expect(readings.every(({ fields }) => fields["speed_kmh"] === 1.852)).toBe(true);
    expect(readings.every(({ fields }) => fields["hdop"] === 2)).toBe(true);
  });

  it("the nmea decoder lets no single wrong byte of an epoch pass unseen", () => {
    const lines = [
      "$GPGGA,112210.00,4538.902790,N,02536.288165,E,1,09,0.9,568.9,M,36.0,M,,*67",
      "$GPVTG,53.9,T,50.2,M,9.4,N,17.4,K,A*14",
      "$GPRMC,112210.00,A,4538.902790,N,02536.288165,E,9.4,53.9,260121,3.7,E,A*09",
    ];
    const right = Buffer.from(lines.join(""), "latin1");
    const [truth] = decode(right).readings;
    let tried = 0;
    const wrong: string[] = [];
    for (let at = 0; at < right.length; at += 1) {
      for (const flip of [1, 2, 4, 8, 16, 32, 64]) {
        const bytes = Buffer.from(right);
        bytes[at] = (right[at] ?? 0) ^ flip;
        tried += 1;
        try {
          const { readings, ignored } = decode(bytes);
          const isTheSame = JSON.stringify(readings) === JSON.stringify([truth]) && ignored === 0;
          if (!isTheSame) wrong.push(bytes.toString("latin1"));
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
        }
      }
    }

    expect(tried).toBe(right.length * 7);
    // What comes before the first `$` of a line is a prefix, also a sentence whose own `$` is broken.
    expect(wrong.filter((text) => text.startsWith("$"))).toEqual([]);
  });

  it("the nmea decoder takes 1,000 moments and refuses 1,001", () => {
    const moments = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        sentence(`GPGGA,${clock(i * 1_000)},0100.0,N,00200.0,E,1,05,2.0,1.0,M,,M,,`),
      ).join("\r\n");

    expect(decode(moments(1_000)).readings).toHaveLength(1_000);
    expect(() => decode(moments(1_001))).toThrow("more than 1000 moments");
  });

  it("the nmea decoder refuses 256 KiB of nothing but sentence starts, stars, commas or blanks within 50 ms each", () => {
    const bombs = ["$", "!", "*", ",", " ", "\n", "$GPRMC,", "$GPGGA,,*56\n"].map((text) =>
      text.repeat(262_144 / text.length),
    );
    const tookMs = startProcessorClock();
    const refused = bombs.filter((bomb) => {
      try {
        return decode(bomb).readings.length === 0;
      } catch (error) {
        return error instanceof DomainError && error.code === "DECODE_FAILED";
      }
    });

    expect(refused).toHaveLength(bombs.length);
    expect(tookMs()).toBeLessThan(bombs.length * 50);
  });

  it("the nmea decoder answers any bytes, and any sentence with a right checksum, with readings or DECODE_FAILED", () => {
    const field = fc.oneof(
      fc.constantFrom("", "A", "V", "N", "S", "E", "W", "M", "T", "K", "0", "1", "99.99", "120000"),
      fc.string({ maxLength: 12 }),
      fc.double().map(String),
    );
    const body = fc
      .tuple(fc.constantFrom("RMC", "GGA", "VTG", "GSA", "GSV"), fc.array(field, { maxLength: 20 }))
      .map(([formatter, fields]) => sentence(["GN".concat(formatter), ...fields].join(",")));
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(body, { maxLength: 6 }).map((lines) => Buffer.from(lines.join("\r\n"), "latin1")),
    );
    const property = fc.property(anything, (payload) => {
      try {
        return decode(payload).readings.every(
          ({ fields }) => "latitude" in fields === "longitude" in fields,
        );
      } catch (error) {
        return error instanceof DomainError && error.code === "DECODE_FAILED";
      }
    });

    expect(() => fc.assert(property, { numRuns: 3_000 })).not.toThrow();
  });
});

import { describe, expect, it } from "vitest";
import type { Measurement } from "../../../../simulators/fleet/device/measurement.ts";
import {
  type FormatChoice,
  formatsOf,
} from "../../../../simulators/fleet/formats/fleet-formats.ts";

/** A truck at 2021-01-26T11:22:10Z, 9.4 kn on a course of 53.9 degrees (docs/devices/nmea.md). */
const driving: Measurement = {
  seq: 7,
  deviceTimeMs: Date.UTC(2021, 0, 26, 11, 22, 10),
  location: { latitude: 45.6483798, longitude: 25.6048027 },
  accuracyM: 4.5,
  altitudeM: 568.9,
  speedKmh: 17.4088,
  headingDeg: 53.9,
  motion: {
    point: { eastM: 0, northM: 0 },
    speedMps: 17.4088 / 3.6,
    headingDeg: 53.9,
    loadPercent: 75,
    payloadKg: 12_000,
  },
  engineOn: true,
  vitals: {
    engineHours: 5_000.5,
    fuelLevelPercent: 61,
    coolantTemperatureC: 83,
    oilPressureKpa: 400,
    batteryVoltage: 27.65,
    faults: [{ spn: 520_192, fmi: 31, occurrence_count: 126 }],
  },
  carriesPayload: true,
};
const standing: Measurement = {
  ...driving,
  speedKmh: 0,
  headingDeg: 0,
  motion: { ...driving.motion, speedMps: 0 },
};
const { location: _, ...others } = driving;
const blind: Measurement = { ...others, location: undefined };

const written = (name: FormatChoice, m: Measurement): string => {
  const [format] = formatsOf(name, { teltonika: 1, osmand: 1 });
  if (format === undefined) throw new RangeError(name);
  return format.join([format.encode(m, { id: "site-a-truck-01", timeFormat: "iso" })]);
};
const parsed = (name: FormatChoice, m: Measurement) => JSON.parse(written(name, m));

// What the makers' documents say, by hand: a round trip alone would not see a mistake made twice.
describe("what a device writes", () => {
  it("what a device writes in OwnTracks is whole km/h, metres, degrees and epoch seconds, and engine seconds", () => {
    expect(parsed("owntracks", driving)).toEqual({
      _type: "location",
      acc: 5,
      alt: 569,
      cog: 54,
      flvl: 61,
      hmc: 18_001_800,
      ign: true,
      lat: 45.6483798,
      lon: 25.6048027,
      t: "u",
      tid: "01",
      tst: 1_611_660_130,
      uext: 27.65,
      vel: 17,
    });
  });

  it("in OwnTracks leaves out what is zero", () => {
    expect(
      Object.keys(parsed("owntracks", { ...standing, altitudeM: 0.4, accuracyM: 0.4 })),
    ).toEqual(["_type", "flvl", "hmc", "ign", "lat", "lon", "t", "tid", "tst", "uext"]);
  });

  it("what a device writes in Teltonika Codec JSON has AVL ids, millivolts, HDOP in tenths and one text of a position", () => {
    expect(parsed("teltonika", driving)).toEqual({
      state: {
        reported: {
          ...{ ts: 1_611_660_130_000, pr: 0, latlng: "45.648380,25.604803", alt: 569, ang: 54 },
          ...{ sat: 11, sp: 17, evt: 0, 239: 1, 240: 1, 24: 17, 66: 27_650, 182: 9 },
        },
      },
    });
  });

  it("what a device writes in Teltonika Codec JSON has no satellites and a position of zeros without a fix", () => {
    expect(parsed("teltonika", blind).state.reported).toEqual({
      ...{ ts: 1_611_660_130_000, pr: 0, latlng: "0.000000,0.000000", alt: 0, ang: 0 },
      ...{ sat: 0, sp: 0, evt: 0, 239: 1, 240: 1, 24: 0, 66: 27_650 },
    });
  });

  it("what a device writes in Codec 8 is big-endian numbers of a record in a packet with lengths, counts and a CRC", () => {
    const bytes = Buffer.from(written("teltonika-codec8", driving), "latin1").toString("hex");
    expect(bytes).toBe(
      // Zeros, 41 bytes, Codec 8, one record; epoch ms, priority; longitude and latitude / 1e-7 degrees.
      "00000000000000290801" +
        "000001773e6df6d0 00 0f42fb9b 1b3563d6".replaceAll(" ", "") +
        // 569 m, 54 degrees, 11 satellites, 17 km/h.
        "023900360b0011" +
        // No event, 3 elements: 1 byte 239 = 1, 2 bytes 66 = 27,650 mV and 182 = 0.9; then the count again.
        "0003" +
        "01ef01" +
        "02426c02b60009" +
        "0000" +
        "01" +
        // CRC-16/ARC, whose value of "123456789" is bb3d.
        "000035ff",
    );
  });

  it("what a device writes in Codec 8 has no satellites and zeros without a fix", () => {
    const bytes = Buffer.from(written("teltonika-codec8", blind), "latin1");
    expect(bytes.subarray(19, 34).toString("hex")).toBe("0".repeat(30));
  });

  it("what a device writes in OsmAnd is a query of knots, metres and epoch milliseconds", () => {
    expect(written("osmand", driving)).toBe(
      "id=site-a-truck-01&timestamp=1611660130000&ignition=true&lat=45.6483798&lon=25.6048027" +
        "&speed=9.400&bearing=53.9&altitude=568.9&accuracy=4.50",
    );
    expect(written("osmand", blind)).toBe(
      "id=site-a-truck-01&timestamp=1611660130000&ignition=true",
    );
  });

  it("what a device writes in NMEA is knots, degrees and minutes, a date of two-digit years and checksums", () => {
    expect(written("nmea", driving).split("\r\n")).toEqual([
      "$GNRMC,112210.00,A,4538.90279,N,02536.28816,E,9.400,53.90,260121,,,A*4D",
      "$GNVTG,53.90,T,,M,9.400,N,17.409,K,A*2A",
      "$GNGGA,112210.00,4538.90279,N,02536.28816,E,1,11,0.90,568.9,M,43.0,M,,*47",
      "$GNGSA,A,3,02,05,07,09,13,16,20,25,29,30,31,,,0.90,*16",
      "",
    ]);
  });

  it("what a device writes in NMEA is void without a fix", () => {
    expect(written("nmea", blind).split("\r\n")).toEqual([
      "$GNRMC,112210.00,V,,,,,,,260121,,,N*64",
      "$GNGGA,112210.00,,,,,0,00,,,M,,M,,*57",
      "",
    ]);
  });

  it("what a device writes in NMEA has south, west and minutes that never round up to 60", () => {
    const far = { latitude: -33.99999999, longitude: -0.5 };
    expect(written("nmea", { ...driving, location: far })).toContain(
      ",3400.00000,S,00030.00000,W,",
    );
  });

  it("what a device writes in ThingsBoard is epoch milliseconds and a flat object of values", () => {
    expect(parsed("thingsboard", driving)).toMatchObject({
      ts: 1_611_660_130_000,
      values: { latitude: 45.6483798, speed: 17.41, fuel: 61, ignition: true },
    });
  });

  it("a device writes m/s in Traccar Client, and a course of -1 while stationary", () => {
    expect(parsed("traccar", driving)).toMatchObject({
      location: {
        timestamp: "2021-01-26T11:22:10.000Z",
        coords: {
          latitude: 45.6483798,
          speed: 4.84,
          heading: 53.9,
          accuracy: 4.5,
          altitude: 568.9,
        },
        is_moving: true,
      },
      device_id: "site-a-truck-01",
    });
    expect(parsed("traccar", standing).location).toMatchObject({
      coords: { speed: 0, heading: -1 },
      is_moving: false,
    });
  });

  it("what a device writes in SenML is seconds, m/s, radians, ratios and pascal, each with its unit", () => {
    const records = parsed("senml", driving);
    expect(records[0]).toEqual({
      bn: "urn:dev:org:32473-site-a-truck-01:",
      bt: 1_611_660_130,
      n: "engine_on",
      vb: true,
    });
    expect(records).toEqual(
      expect.arrayContaining([
        { n: "engine_hours", u: "s", v: 18_001_800 },
        { n: "fuel_level", u: "/", v: 0.61 },
        { n: "oil_pressure", u: "Pa", v: 400_000 },
        { n: "lat", u: "lat", v: 45.6483798 },
        { n: "speed", u: "m/s", v: 4.836 },
        { n: "heading", u: "rad", v: 0.94073 },
      ]),
    );
  });

  it("what a device writes in J1939 is parameters in the standard's steps, low byte first, and the code of a DM1", () => {
    const { timestamp, encoding, frames } = parsed("j1939", driving);
    expect({ timestamp, encoding }).toEqual({ timestamp: 1_611_660_130_000, encoding: "hex" });
    expect(
      Object.fromEntries(frames.map(({ id, data }: Record<string, string>) => [id, data])),
    ).toEqual({
      // EEC1 1,700 rpm / 0.125; EEC2 75 %; ET1 83 C + 40; EFL/P1 400 kPa / 4; HOURS 5,000.5 h / 0.05.
      "0CF00400": "ffffff2035ffffff",
      "0CF00300": "ffff4bffffffffff",
      "18FEEE00": "7bffffffffffffff",
      "18FEEF00": "ffffff64ffffffff",
      "18FEE500": "aa860100ffffffff",
      // VEP1 27.65 V / 0.05; DD 61 % / 0.4, rounded; CCVS 17.4088 km/h x 256; VP (deg + 210) x 1e7.
      "18FEF700": "ffffffff2902ffff",
      "18FEFC00": "ff99ffffffffffff",
      "18FEF100": "ff6911ffffffffff",
      "18FEF31C": "d6d860989b706e8c",
      // docs/devices/j1939.md: SPN 520192 FMI 31, the 126th time.
      "18FECA00": "04ff00f0ff7effff",
    });
  });

  it("what a device writes in J1939 has no position, no speed and no codes where there are none", () => {
    const quiet = { ...blind, vitals: { ...blind.vitals, faults: [] } };
    const frames: readonly Record<string, string>[] = parsed("j1939", quiet).frames;
    const dataOf = (id: string) => frames.find((frame) => frame["id"] === id)?.["data"];
    expect(dataOf("18FEF31C")).toBe("ffffffffffffffff");
    expect(dataOf("18FEF100")).toBe("ffffffffffffffff");
    expect(dataOf("18FECA00")).toBe("00ff00000000ffff");
  });
});

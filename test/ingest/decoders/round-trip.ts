import type { DecodedReading } from "../../../domain/equipment/reading.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type { Decoder } from "../../../ingest/decoders/fields/decoder.ts";
import { compileMapping } from "../../../ingest/decoders/mapping/compile.ts";
import { accuracyOr } from "../../../ingest/geofence/accuracy.ts";
import type { Measurement } from "../../../simulators/fleet/device/measurement.ts";
import { mapped } from "../../../simulators/fleet/formats/mapped.ts";
import { seededRandom } from "../../support/seeded-random.ts";

/** How far what is decoded may lie from what was measured; a field that is not named is not carried. */
export interface Resolution {
  /** Device clock minus decoded time lies in `[0, cutMs]`. */
  readonly cutMs: number;
  /** Field by half the format's step, in the field's unit. */
  readonly fields: Readonly<Record<string, number>>;
  readonly carriesFaults: boolean;
  /** Fields that this measurement leaves out although the format has them. */
  readonly leavesOut?: (m: Measurement) => readonly string[];
}

const DEG_7 = 0.5e-7;
/** Half a thousandth of a knot, and half the millionth of km/h that decoders round to. */
const MILLIKNOT_KMH = 0.0005 * 1.852 + 0.5e-6;
/** Metres of accuracy per unit of HDOP (docs/rules.md#accuracy). */
const METERS_PER_HDOP = 5;
const isZero = (value: number | undefined) => Math.round(value ?? 0) === 0;

const OWN = {
  ...{ latitude: DEG_7, longitude: DEG_7, accuracy_meters: 0.05, altitude_meters: 0.05 },
  ...{ speed_kmh: 0.005, heading: 0.05, engine_on: 0, engine_hours: 0.0005 },
  ...{ fuel_level_percent: 0.05, coolant_temperature_c: 0.05, oil_pressure_kpa: 0.5 },
  ...{ battery_voltage: 0.005, load_percent: 0.05, payload_kg: 0.5 },
};

/** What each format can carry, by its decoder's name (docs/devices/README.md, and the encoders' own rounding). */
export const RESOLUTIONS: Readonly<Record<string, Resolution>> = {
  plumbline: { cutMs: 0, fields: OWN, carriesFaults: true },
  owntracks: {
    cutMs: 999,
    fields: {
      ...{ latitude: DEG_7, longitude: DEG_7, accuracy_meters: 0.5, altitude_meters: 0.5 },
      ...{ speed_kmh: 0.5, heading: 0.5, engine_on: 0, engine_hours: 0.5 / 3_600 },
      ...{ fuel_level_percent: 0.5, battery_voltage: 0.005 },
    },
    carriesFaults: false,
    // Zeros are left out by the format, and nobody can say what an absent one means.
    leavesOut: (m) => [
      ...(isZero(m.accuracyM) ? ["accuracy_meters"] : []),
      ...(isZero(m.altitudeM) ? ["altitude_meters"] : []),
      ...(isZero(m.speedKmh) ? ["speed_kmh"] : []),
      ...(isZero(Math.round(m.headingDeg) % 360) ? ["heading"] : []),
    ],
  },
  teltonika: {
    cutMs: 0,
    fields: {
      ...{ latitude: 0.5e-6, longitude: 0.5e-6, altitude_meters: 0.5, speed_kmh: 0.5 },
      ...{ heading: 0.5, engine_on: 0, battery_voltage: 0.0005 },
      // HDOP in tenths.
      accuracy_meters: 0.05 * METERS_PER_HDOP,
    },
    carriesFaults: false,
  },
  "teltonika-codec8": {
    cutMs: 0,
    fields: {
      ...{ latitude: DEG_7, longitude: DEG_7, altitude_meters: 0.5, speed_kmh: 0.5, heading: 0.5 },
      ...{ engine_on: 0, battery_voltage: 0.0005, accuracy_meters: 0.05 * METERS_PER_HDOP },
    },
    carriesFaults: false,
  },
  osmand: {
    cutMs: 0,
    fields: {
      ...{ latitude: DEG_7, longitude: DEG_7, accuracy_meters: 0.005, altitude_meters: 0.05 },
      ...{ speed_kmh: MILLIKNOT_KMH, heading: 0.005, engine_on: 0 },
    },
    carriesFaults: false,
  },
  nmea: {
    // Hundredths of a second.
    cutMs: 9,
    fields: {
      ...{ latitude: 0.5e-5 / 60, longitude: 0.5e-5 / 60, altitude_meters: 0.05 },
      ...{ speed_kmh: MILLIKNOT_KMH, heading: 0.005 },
      accuracy_meters: 0.005 * METERS_PER_HDOP,
    },
    carriesFaults: false,
  },
  thingsboard: { cutMs: 0, fields: OWN, carriesFaults: false },
  traccar: {
    cutMs: 0,
    fields: {
      ...{ latitude: DEG_7, longitude: DEG_7, accuracy_meters: 0.05, altitude_meters: 0.05 },
      // Hundredths of m/s.
      ...{ speed_kmh: 0.005 * 3.6, heading: 0.005 },
    },
    carriesFaults: false,
    // A stationary phone has a course of -1.
    leavesOut: (m) => (Math.round((m.speedKmh / 3.6) * 100) < 30 ? ["heading"] : []),
  },
  senml: {
    cutMs: 0,
    fields: {
      ...OWN,
      // Thousandths of m/s; hundredths of a degree, then hundred-thousandths of a radian.
      ...{ speed_kmh: 0.0005 * 3.6, heading: 0.005 + (0.5e-5 * 180) / Math.PI },
      ...{ engine_hours: 0.5 / 3_600, oil_pressure_kpa: 0.0005 },
    },
    carriesFaults: false,
  },
  sparkplug: {
    cutMs: 0,
    fields: {
      ...{ latitude: DEG_7, longitude: DEG_7, engine_on: 0, engine_hours: 0.5 / 3_600 },
      // Half the step of a Float at the highest value and half the millionth that it is read to, in the
      // unit that it is sent in; then half the millionth of ours.
      ...{ altitude_meters: 1.3e-4 * 0.3048, speed_kmh: 4.5e-6 * 1.609_344 + 0.5e-6 },
      ...{ coolant_temperature_c: 8.5e-6 / 1.8 + 0.5e-6, oil_pressure_kpa: 7.5e-5 },
      ...{ load_percent: 4.5e-6, fuel_level_percent: 4.5e-6, battery_voltage: 0.0005 },
      ...{ heading: 0.5, accuracy_meters: 0, payload_kg: 0.5e-6 },
    },
    carriesFaults: false,
  },
  mapping: {
    cutMs: 0,
    fields: {
      ...OWN,
      // Thousandths of m/s; seconds; tenths of a degree Fahrenheit; hundredths of a bar; thousandths.
      ...{ speed_kmh: 0.0005 * 3.6, engine_hours: 0.5 / 3_600, coolant_temperature_c: 0.05 / 1.8 },
      ...{ oil_pressure_kpa: 0.5, load_percent: 0.05, battery_voltage: 0.0005, payload_kg: 0.5 },
    },
    carriesFaults: true,
  },
  j1939: {
    cutMs: 0,
    fields: {
      ...{ latitude: DEG_7, longitude: DEG_7, speed_kmh: 0.5 / 256, engine_on: 0 },
      ...{ engine_hours: 0.025, fuel_level_percent: 0.2, coolant_temperature_c: 0.5 },
      ...{ oil_pressure_kpa: 2, battery_voltage: 0.025, load_percent: 0.5 },
    },
    carriesFaults: true,
  },
};

const CONTEXT = {
  assetId: "a1" as AssetId,
  mapping: mapped.mapping && compileMapping(mapped.mapping),
};
/** Names of the fields that a receiver reports with a fix only. */
const OF_FIX = new Set([
  ...["latitude", "longitude", "accuracy_meters", "altitude_meters", "speed_kmh", "heading"],
]);

/**
 * Decodes the payload, ASCII or a byte a character, as if it had arrived a second after the last of its
 * readings.
 */
export function decodeAll(decoder: Decoder, payload: string, lastMs: number) {
  return decoder.decode(Buffer.from(payload, "latin1"), {
    ...CONTEXT,
    receivedAtMs: lastMs + 1_000,
  });
}

/** Where a decoded reading is not what was measured, within the format's resolution; `[]`: nowhere. */
export function differences(
  m: Measurement,
  reading: DecodedReading,
  resolution: Resolution,
): readonly string[] {
  const wrong: string[] = [];
  const cutMs = m.deviceTimeMs - (reading.deviceTimeMs ?? Number.NaN);
  if (!(cutMs >= 0 && cutMs <= resolution.cutMs)) wrong.push(`time ${reading.deviceTimeMs}`);
  const left = new Set(resolution.leavesOut?.(m) ?? []);
  const reported = reportedFields(reading);
  for (const [name, truth] of Object.entries(truthOf(m))) {
    const step = resolution.fields[name];
    const isExpected =
      step !== undefined &&
      truth !== undefined &&
      !left.has(name) &&
      !(OF_FIX.has(name) && m.location === undefined);
    const value = reported[name];
    if (!isExpected && value !== undefined) wrong.push(`${name} ${value} was not sent`);
    if (!isExpected) continue;
    const off = Math.abs((value ?? Number.NaN) - truth);
    const offBy = name === "heading" ? Math.min(off, 360 - off) : off;
    // Binary fractions: a billionth of the value.
    if (!(offBy <= step + Math.abs(truth) * 1e-9 + 1e-12)) {
      wrong.push(`${name} ${value} is not ${truth}`);
    }
  }
  const faults = resolution.carriesFaults ? m.vitals.faults : undefined;
  const spoken = reading.faults?.map(({ source: _, ...fault }) => fault);
  if (JSON.stringify(sorted(spoken)) !== JSON.stringify(sorted(faults))) {
    wrong.push(`faults ${JSON.stringify(reading.faults)}`);
  }
  return wrong;
}

const sorted = (faults: DecodedReading["faults"]) =>
  faults?.map(({ spn, fmi, occurrence_count: count }) => [spn, fmi, count]);

/** The fields with an accuracy in metres, also where the format carries a dilution. */
function reportedFields({ fields }: DecodedReading): Readonly<Record<string, number | undefined>> {
  const { meters, source } = accuracyOr(fields["accuracy_meters"], fields["hdop"]);
  const isReported = source === "reported" || fields["hdop"] !== undefined;
  return { ...fields, accuracy_meters: isReported ? meters : undefined };
}

function truthOf(m: Measurement): Readonly<Record<string, number | undefined>> {
  return {
    latitude: m.location?.latitude,
    longitude: m.location?.longitude,
    accuracy_meters: m.accuracyM,
    altitude_meters: m.altitudeM,
    speed_kmh: m.speedKmh,
    heading: m.headingDeg,
    engine_on: m.engineOn ? 1 : 0,
    engine_hours: m.vitals.engineHours,
    fuel_level_percent: m.vitals.fuelLevelPercent,
    coolant_temperature_c: m.vitals.coolantTemperatureC,
    oil_pressure_kpa: m.vitals.oilPressureKpa,
    battery_voltage: m.vitals.batteryVoltage,
    load_percent: m.motion.loadPercent,
    payload_kg: m.carriesPayload ? m.motion.payloadKg : undefined,
  };
}

/** Measurements from all over the world and of every machine, with the edges that rounding stumbles over. */
export function randomMeasurements(seed: number, count: number): readonly Measurement[] {
  const random = seededRandom(seed);
  const between = (min: number, max: number) => min + (max - min) * random();
  const pick = <T>(...options: readonly [T, ...T[]]): T =>
    options[Math.floor(random() * options.length)] ?? options[0];
  let timeMs = Date.UTC(2026, 10, 20, 6);
  return Array.from({ length: count }, (_, seq) => {
    // Ahead by at least a second, over midnights and the turn of the year.
    timeMs += Math.round(pick(1_000, between(1_000, 60_000), between(60_000, 40_000_000)));
    const engineOn = random() < 0.6;
    const speedKmh = pick(0, between(0, 2), between(0, 90));
    const point = { eastM: 0, northM: 0 };
    const loadPercent = engineOn ? between(3, 110) : 0;
    return {
      seq,
      deviceTimeMs: timeMs,
      location:
        random() < 0.2
          ? undefined
          : {
              latitude: pick(between(-85, 85), 52 + 59.999999 / 60, -0.0000001, 90 - 1e-7),
              longitude: pick(between(-180, 180), 9 + 59.999999 / 60, -179.9999999, 0.00001),
            },
      accuracyM: random() < 0.2 ? undefined : pick(between(0.5, 30), 5),
      altitudeM: pick(0.3, between(-50, 900)),
      speedKmh,
      headingDeg: pick(0, between(0, 360), 359.999),
      motion: {
        point,
        speedMps: speedKmh / 3.6,
        headingDeg: 0,
        loadPercent,
        payloadKg: between(0, 40_000),
      },
      engineOn,
      vitals: {
        engineHours: between(0, 30_000),
        fuelLevelPercent: pick(0, 100, between(0, 100)),
        coolantTemperatureC: between(-30, 120),
        oilPressureKpa: engineOn ? between(100, 700) : 0,
        batteryVoltage: between(10, 30),
        faults:
          random() < 0.7
            ? []
            : [
                {
                  spn: pick(110, 3251, 520_192),
                  fmi: pick(0, 17, 30),
                  occurrence_count: pick(1, 126),
                },
              ],
      },
      carriesPayload: random() < 0.5,
    };
  });
}

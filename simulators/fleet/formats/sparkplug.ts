import { type FleetFormat, joinJson, round, roundDeg } from "../device/format.ts";
import type { Measurement } from "../device/measurement.ts";
import type { MetricToWrite } from "./sparkplug-payload.ts";

/** A metric that devices of the fleet have, as its birth declares it. */
type BornMetric = Pick<MetricToWrite, "type" | "unit"> & {
  readonly name: string;
  /** `undefined`: it is not known at present. */
  readonly of: (m: Measurement) => number | boolean | undefined;
};

const M_PER_FOOT = 0.3048;
const KMH_PER_MPH = 1.609344;

/** Units of America, of seconds and of bars: the unit in `engUnit` must be used. */
const METRICS: readonly BornMetric[] = [
  { name: "Engine/Running", type: "Boolean", of: (m) => m.engineOn },
  {
    ...{ name: "Engine/Hours", type: "Int64", unit: "s" },
    of: ({ vitals }) => Math.round(vitals.engineHours * 3_600),
  },
  { name: "Engine/Load", type: "Float", of: ({ motion }) => motion.loadPercent },
  { name: "Fuel/Level", type: "Float", unit: "%", of: ({ vitals }) => vitals.fuelLevelPercent },
  {
    ...{ name: "Engine/Coolant Temperature", type: "Float", unit: "°F" },
    of: ({ vitals }) => vitals.coolantTemperatureC * 1.8 + 32,
  },
  {
    ...{ name: "Engine/Oil Pressure", type: "Float", unit: "bar" },
    of: ({ vitals }) => vitals.oilPressureKpa / 100,
  },
  {
    ...{ name: "Battery/Voltage", type: "Int16", unit: "mV" },
    of: ({ vitals }) => Math.round(vitals.batteryVoltage * 1_000),
  },
  {
    ...{ name: "Payload", type: "Double", unit: "t" },
    of: (m) => (m.carriesPayload ? m.motion.payloadKg / 1_000 : undefined),
  },
  { name: "GPS/Latitude", type: "Double", of: (m) => degrees(m.location?.latitude) },
  { name: "GPS/Longitude", type: "Double", of: (m) => degrees(m.location?.longitude) },
  {
    ...{ name: "GPS/Altitude", type: "Float", unit: "ft" },
    of: (m) => m.location && m.altitudeM / M_PER_FOOT,
  },
  {
    ...{ name: "GPS/Speed", type: "Float", unit: "mph" },
    of: (m) => m.location && m.speedKmh / KMH_PER_MPH,
  },
  { name: "GPS/Heading", type: "UInt32", of: (m) => m.location && roundDeg(m.headingDeg, 1) },
  { name: "GPS/Accuracy", type: "Double", unit: "m", of: (m) => m.location && m.accuracyM },
];

const degrees = (deg: number | undefined) => (deg === undefined ? undefined : round(deg, 1e7));

/** What a device says at one time; `values` by the place of their metric, `null`: not known. */
export interface SparkplugReading {
  readonly timeMs: number;
  readonly values: readonly (number | boolean | null)[];
}

/**
 * Sparkplug B. A device hands its readings to an edge node, which speaks for all its devices and knows
 * aliases and `seq` (edge-node.ts). A piece is what goes from one to the other.
 */
export const sparkplug: FleetFormat = {
  name: "sparkplug",
  topicFormat: "sparkplug",
  transport: "sparkplug",
  needsFix: false,
  maxReadings: 50,
  encode(m) {
    const values = METRICS.map(({ of }) => of(m) ?? null);
    return JSON.stringify({ timeMs: m.deviceTimeMs, values } satisfies SparkplugReading);
  },
  join: joinJson,
};

/** The readings of a payload that `sparkplug` has joined. */
export function sparkplugReadings(payload: string): readonly SparkplugReading[] {
  // Written above, in this very process.
  const parsed = JSON.parse(payload) as SparkplugReading | readonly SparkplugReading[];
  return [parsed].flat();
}

/**
 * The metrics of a birth: their names, types and units, and what the device said last; aliases count from
 * `firstAlias`, since they are unique over an edge node [tck-id-payloads-alias-uniqueness].
 */
export function birthMetrics(
  reading: SparkplugReading | undefined,
  firstAlias: number,
  nowMs: number,
): readonly MetricToWrite[] {
  return METRICS.map(({ name, type, unit }, i) => ({
    ...{ name, alias: firstAlias + i, type, timestampMs: reading?.timeMs ?? nowMs },
    ...(unit !== undefined && { unit }),
    value: reading?.values[i] ?? null,
  }));
}

/** The metrics of DATA by their aliases alone; what is not known is left out. */
export function dataMetrics(
  { timeMs, values }: SparkplugReading,
  firstAlias: number,
  isHistorical: boolean,
): readonly MetricToWrite[] {
  return METRICS.flatMap(({ type }, i) => {
    const value = values[i] ?? null;
    if (value === null) return [];
    const alias = firstAlias + i;
    return [{ alias, type, carriesType: false, timestampMs: timeMs, isHistorical, value }];
  });
}

/** Aliases that one device needs. */
export const ALIASES_PER_DEVICE = METRICS.length;

/** The metrics of a reading with their names: a payload that needs no birth. */
export function namedMetrics(m: Measurement): readonly MetricToWrite[] {
  return METRICS.flatMap(({ name, type, unit, of }) => {
    const value = of(m);
    if (value === undefined) return [];
    const timestampMs = m.deviceTimeMs;
    return [{ name, type, ...(unit !== undefined && { unit }), timestampMs, value }];
  });
}

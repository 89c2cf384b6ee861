import type { Measurement } from "../../../simulators/fleet/device/measurement.ts";
import { type FleetFormat, round, roundDeg } from "../../../simulators/fleet/formats/format.ts";
import {
  encodeSparkplugPayload,
  type MetricToWrite,
} from "../../../simulators/fleet/formats/sparkplug-payload.ts";

/**
 * Sparkplug payloads by themselves, each metric with its name, in units of America; each character is a
 * byte. A piece is the metrics of one reading: protobuf messages one after the other are one message.
 */
export const soleSparkplug: FleetFormat = {
  name: "sparkplug",
  topicFormat: "sparkplug",
  transport: "mqtt",
  needsFix: false,
  maxReadings: 100,
  encode: (m) =>
    encodeSparkplugPayload({
      metrics: metricsOf(m).map((metric) => ({ ...metric, timestampMs: m.deviceTimeMs })),
    }).toString("latin1"),
  join: (pieces) => pieces.join(""),
};

function metricsOf(m: Measurement): readonly MetricToWrite[] {
  const { vitals, location, accuracyM } = m;
  const metrics: MetricToWrite[] = [
    { name: "Engine/Running", type: "Boolean", value: m.engineOn },
    {
      name: "Engine/Hours",
      type: "Int64",
      value: Math.round(vitals.engineHours * 3_600),
      unit: "s",
    },
    { name: "Engine/Load", type: "Float", value: m.motion.loadPercent },
    { name: "Fuel/Level", type: "Float", value: vitals.fuelLevelPercent, unit: "%" },
    {
      name: "Engine/Coolant Temperature",
      type: "Float",
      value: vitals.coolantTemperatureC * 1.8 + 32,
      unit: "°F",
    },
    { name: "Engine/Oil Pressure", type: "Float", value: vitals.oilPressureKpa / 100, unit: "bar" },
    {
      name: "Battery/Voltage",
      type: "Int16",
      value: Math.round(vitals.batteryVoltage * 1_000),
      unit: "mV",
    },
  ];
  if (m.carriesPayload) {
    metrics.push({ name: "Payload", type: "Double", value: m.motion.payloadKg / 1_000, unit: "t" });
  }
  if (location === undefined) return metrics;
  metrics.push(
    { name: "GPS/Latitude", type: "Double", value: round(location.latitude, 1e7) },
    { name: "GPS/Longitude", type: "Double", value: round(location.longitude, 1e7) },
    { name: "GPS/Altitude", type: "Float", value: m.altitudeM / 0.3048, unit: "ft" },
    { name: "GPS/Speed", type: "Float", value: m.speedKmh / 1.609344, unit: "mph" },
    { name: "GPS/Heading", type: "UInt32", value: roundDeg(m.headingDeg, 1) },
  );
  if (accuracyM !== undefined) {
    metrics.push({ name: "GPS/Accuracy", type: "Double", value: accuracyM, unit: "m" });
  }
  return metrics;
}

import type { FleetFormat } from "../../../simulators/fleet/device/format.ts";
import { FLEET_FORMATS } from "../../../simulators/fleet/formats/fleet-formats.ts";
import { namedMetrics, sparkplug } from "../../../simulators/fleet/formats/sparkplug.ts";
import { encodeSparkplugPayload } from "../../../simulators/fleet/formats/sparkplug-payload.ts";

/**
 * Sparkplug payloads by themselves, each metric with its name, in units of America; each character is a
 * byte. A piece is the metrics of one reading: protobuf messages one after the other are one message.
 */
const soleSparkplug: FleetFormat = {
  ...sparkplug,
  maxReadings: 100,
  encode: (m) => encodeSparkplugPayload({ metrics: namedMetrics(m) }).toString("latin1"),
  join: (pieces) => pieces.join(""),
};

/** Every format of the fleet, as a payload that is read by itself. */
export const SOLE_FORMATS: readonly FleetFormat[] = FLEET_FORMATS.map((format) =>
  format.transport === "sparkplug" ? soleSparkplug : format,
);

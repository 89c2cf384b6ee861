import { type FleetFormat, joinJson, round, roundDeg } from "../device/format.ts";

/**
 * Below this speed a phone reports that it is stationary, m/s. Higher hides creeping, lower reports noise as
 * motion.
 */
const MOVING_MPS = 0.3;

/**
 * The JSON of the Traccar Client app: m/s, a course of -1 while stationary, one position a message. It
 * says nothing of the machine, and nothing at all without a fix.
 */
export const traccar: FleetFormat = {
  name: "traccar",
  topicFormat: "traccar",
  transport: "mqtt",
  needsFix: true,
  maxReadings: 1,
  encode(m, { id }) {
    const speedMps = round(m.speedKmh / 3.6, 100);
    const isMoving = speedMps >= MOVING_MPS;
    return JSON.stringify({
      location: {
        timestamp: new Date(m.deviceTimeMs).toISOString(),
        coords: {
          latitude: round(m.location?.latitude ?? 0, 1e7),
          longitude: round(m.location?.longitude ?? 0, 1e7),
          ...(m.accuracyM !== undefined && { accuracy: round(m.accuracyM, 10) }),
          speed: speedMps,
          heading: isMoving ? roundDeg(m.headingDeg, 100) : -1,
          altitude: round(m.altitudeM, 10),
        },
        is_moving: isMoving,
        event: "motionchange",
        battery: { level: 1, is_charging: true },
        activity: { type: isMoving ? "in_vehicle" : "still" },
        extras: {},
      },
      device_id: id,
    });
  },
  join: joinJson,
};

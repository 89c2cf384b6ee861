import { type FleetFormat, roundDeg } from "../device/format.ts";

const KMH_PER_KNOT = 1.852;

/**
 * The query of the OsmAnd protocol as the Traccar Client app sends it over HTTP: knots, metres and one
 * position a request. The ignition is a parameter of our own choice.
 */
export const osmand: FleetFormat = {
  name: "osmand",
  topicFormat: "osmand",
  transport: "osmand",
  hardwareId: (assetId) => assetId,
  needsFix: false,
  maxReadings: 1,
  encode(m, { id }) {
    const { location, accuracyM } = m;
    const query = new URLSearchParams({
      id,
      timestamp: String(m.deviceTimeMs),
      ignition: String(m.engineOn),
    });
    if (location !== undefined) {
      query.set("lat", location.latitude.toFixed(7));
      query.set("lon", location.longitude.toFixed(7));
      query.set("speed", (m.speedKmh / KMH_PER_KNOT).toFixed(3));
      query.set("bearing", String(roundDeg(m.headingDeg, 100)));
      query.set("altitude", m.altitudeM.toFixed(1));
      if (accuracyM !== undefined) query.set("accuracy", accuracyM.toFixed(2));
    }
    return query.toString();
  },
  join: (pieces) => pieces.join(""),
};

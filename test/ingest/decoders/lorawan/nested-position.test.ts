import { expect, it } from "vitest";
import { withNestedPosition } from "../../../../ingest/decoders/lorawan/nested-position.ts";

const HERE = { latitude: 52.5, longitude: 13.4 };
const present = (decoded: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(withNestedPosition(decoded).object).filter(([, value]) => value !== null),
  );

it("takes the position of a member whose names are null beside it", () => {
  const decoded = {
    latitude: null,
    longitude: null,
    altitude_meters: null,
    gps: { ...HERE, alt: 40 },
  };
  expect(present(decoded)).toEqual({ ...HERE, altitude_meters: 40 });
});

it.each([
  { latitude: 10 },
  { longitude: 10 },
  { lat: 10 },
  { lng: 10, lat: null },
])("takes the member whole, and not its other half beside %j", (half) => {
  expect(present({ ...half, gps: HERE })).toEqual(HERE);
});

it("leaves a position beside it alone", () => {
  const decoded = { lat: 1, lng: 2, gps: HERE };
  expect(present(decoded)).toEqual(decoded);
});

it("takes the other fields of a member without a fix, and not its height", () => {
  const gps = { latitude: 0, longitude: 0, altitude: 3, accuracy: 9, fuel_level_percent: 60 };
  expect(present({ gps })).toEqual({ fuel_level_percent: 60 });
});

it("keeps what stands beside the member as well, for the notice about it", () => {
  const decoded = { speed_kmh: 20, gps: { ...HERE, speed_kmh: 30, status: 7 } };
  expect(present(decoded)).toEqual({ ...HERE, speed_kmh: 20, gps: { speed_kmh: 30, status: 7 } });
});

it("takes none of several, and says which there are", () => {
  const { object, remark } = withNestedPosition({ gps_1: HERE, gps_2: { ...HERE, latitude: 1 } });
  expect(object).toEqual({ gps_1: null, gps_2: null });
  expect(remark?.problem).toMatch(/one of 2 positions/);
});

import proj4 from "proj4";
import { expect, it } from "vitest";
import { geodeticPosition } from "../../../../simulators/survey/coordinates/wgs84.ts";

const origin = { latDeg: 51.47, lonDeg: -0.12, heightM: 62 };

it("the ENU frame gives the origin back", () => {
  const at = geodeticPosition(origin, { eastM: 0, northM: 0, upM: 0 });
  expect(at.latDeg).toBeCloseTo(51.47, 11);
  expect(at.lonDeg).toBeCloseTo(-0.12, 11);
  expect(at.heightM).toBeCloseTo(62, 6);
});

it("the ENU frame agrees with proj4's geocentric frame to 1 um for a point 100 m east, 200 m north, 30 m up", () => {
  const point = { eastM: 100, northM: 200, upM: 30 };
  const { latDeg, lonDeg, heightM } = geodeticPosition(origin, point);
  const geocentric = proj4("+proj=geocent +datum=WGS84 +units=m +no_defs");
  const [x = 0, y = 0, z = 0] = geocentric.forward([lonDeg, latDeg, heightM]);
  const [x0 = 0, y0 = 0, z0 = 0] = geocentric.forward([
    origin.lonDeg,
    origin.latDeg,
    origin.heightM,
  ]);
  // A turn keeps lengths and angles: the offsets have the same length, and as much of it is "up".
  const lat = (origin.latDeg * Math.PI) / 180;
  const lon = (origin.lonDeg * Math.PI) / 180;
  const [dx, dy, dz] = [x - x0, y - y0, z - z0];
  const up = Math.cos(lat) * (Math.cos(lon) * dx + Math.sin(lon) * dy) + Math.sin(lat) * dz;
  const east = -Math.sin(lon) * dx + Math.cos(lon) * dy;
  expect(up).toBeCloseTo(30, 6);
  expect(east).toBeCloseTo(100, 6);
  expect(Math.hypot(dx, dy, dz)).toBeCloseTo(Math.hypot(100, 200, 30), 6);
});

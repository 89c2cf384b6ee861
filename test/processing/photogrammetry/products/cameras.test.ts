import { expect, it } from "vitest";
import { utmAt } from "../../../../processing/coordinates/utm.ts";
import { createEnuFrame } from "../../../../processing/geometry/enu.ts";
import { rotationFromVector } from "../../../../processing/geometry/rotation.ts";
import { project } from "../../../../processing/photogrammetry/camera/camera.ts";
import { camerasJson } from "../../../../processing/photogrammetry/products/cameras/cameras-json.ts";
import { colmapModel } from "../../../../processing/photogrammetry/products/cameras/colmap.ts";
import { opensfmFiles } from "../../../../processing/photogrammetry/products/cameras/opensfm.ts";
import { pointColours } from "../../../../processing/photogrammetry/products/cameras/point-colours.ts";
import { smallSurvey } from "./small-survey.ts";

/** The photographs are so many times the size that they were worked on at. */
const SCALE = 4;
const small = smallSurvey("yard", ["A 1.JPG", "B.JPG", "C.JPG", "D.JPG"]);
const images = small.images.map((image) => ({ ...image, widthPx: 1_600, heightPx: 1_200 }));

function survey() {
  const { reconstruction } = small;
  if (reconstruction === undefined) throw new Error("the survey has no cameras");
  // A lens with every term, and cameras that are turned: conventions show.
  const lenses = reconstruction.lenses.map((lens) => ({
    ...lens,
    cxPx: 203,
    k1: -0.02,
    p1: 0.001,
  }));
  const cameras = reconstruction.cameras.map((camera, i) => ({
    ...camera,
    pose: { ...camera.pose, rotation: rotationFromVector([Math.PI - 0.1, 0.05 * i, 0.02]) },
  }));
  return { ...reconstruction, lenses, cameras };
}

const reconstruction = survey();
const colours = pointColours(reconstruction.points, undefined);
const rows = (text: string) =>
  text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.split(" "));

/** Image of a point by COLMAP's documentation: p = R(q) X + t, then its OPENCV model. */
function byColmap(
  [q, t]: readonly [readonly number[], readonly number[]],
  params: readonly number[],
  point: readonly number[],
): readonly [number, number] {
  const [w = 0, a = 0, b = 0, c = 0] = q;
  const turn = [
    [1 - 2 * (b * b + c * c), 2 * (a * b - c * w), 2 * (a * c + b * w)],
    [2 * (a * b + c * w), 1 - 2 * (a * a + c * c), 2 * (b * c - a * w)],
    [2 * (a * c - b * w), 2 * (b * c + a * w), 1 - 2 * (a * a + b * b)],
  ];
  const [px = 0, py = 0, pz = 1] = turn.map(
    (row, i) => row.reduce((sum, r, k) => sum + r * (point[k] ?? 0), 0) + (t[i] ?? 0),
  );
  const [fx = 0, fy = 0, cx = 0, cy = 0, k1 = 0, k2 = 0, p1 = 0, p2 = 0] = params;
  const [x, y] = [px / pz, py / pz];
  const r2 = x * x + y * y;
  const radial = 1 + k1 * r2 + k2 * r2 * r2;
  return [
    fx * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + cx,
    fy * (y * radial + 2 * p2 * x * y + p1 * (r2 + 2 * y * y)) + cy,
  ];
}

it("COLMAP's text has its own conventions: its formulas give our residuals, in pixels of the photographs", () => {
  const model = colmapModel(reconstruction, images, colours);
  const [camera = []] = rows(model.cameras);
  expect(camera.slice(0, 4)).toEqual(["1", "OPENCV", "1600", "1200"]);
  const params = camera.slice(4).map(Number);
  const points = new Map(rows(model.points).map(([id, ...rest]) => [id, rest]));
  const lines = rows(model.images);
  let marks = 0;
  let misfit = 0;
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const pose = lines[i]?.slice(1, 8).map(Number) ?? [];
    const seen = lines[i + 1] ?? [];
    for (let k = 0; k + 2 < seen.length; k += 3) {
      const point =
        points
          .get(seen[k + 2] ?? "")
          ?.slice(0, 3)
          .map(Number) ?? [];
      const [u, v] = byColmap([pose.slice(0, 4), pose.slice(4)], params, point);
      const ours = residualOf(i / 2, Number(seen[k + 2]) - 1);
      misfit = Math.max(misfit, Math.abs(Number(seen[k]) - u - SCALE * ours[0]));
      misfit = Math.max(misfit, Math.abs(Number(seen[k + 1]) - v - SCALE * ours[1]));
      marks += 1;
    }
  }
  expect(marks).toBe(reconstruction.observations.point.length);
  // Four decimals are written, of numbers that were single precision.
  expect(misfit).toBeLessThan(0.001);
  expect(lines[0]?.slice(8)).toEqual(["1", "A_1.JPG"]);
});

/** Mark less projection by the engine's own camera, pixels of the working size. */
function residualOf(camera: number, point: number): readonly [number, number] {
  const { observations, points, lenses, cameras } = reconstruction;
  const i = observations.point.findIndex(
    (one, k) => one === point && observations.camera[k] === camera,
  );
  const [lens] = lenses;
  const pose = cameras[camera]?.pose;
  if (lens === undefined || pose === undefined) throw new Error("no such camera");
  const at = { u: 0, v: 0, depth: 0 };
  const [x = 0, y = 0, z = 0] = points.subarray(3 * point, 3 * point + 3);
  project(lens, pose, [x, y, z], at);
  return [(observations.u[i] ?? 0) - at.u, (observations.v[i] ?? 0) - at.v];
}

it("a track of a tie point names its image and the place of its mark there", () => {
  const model = colmapModel(reconstruction, images, colours);
  const marks = rows(model.images).filter((_, i) => i % 2 === 1);
  for (const [id, ...rest] of rows(model.points).slice(0, -1)) {
    const track = rest.slice(7).map(Number);
    expect(track.length).toBeGreaterThanOrEqual(4);
    for (let k = 0; k < track.length; k += 2) {
      expect(marks[(track[k] ?? 0) - 1]?.[3 * (track[k + 1] ?? 0) + 2]).toBe(id);
    }
  }
});

it("OpenSfM's reconstruction has lengths by the longer edge, and cameras at -R't", () => {
  const files = opensfmFiles(reconstruction, images, colours);
  const [model] = JSON.parse(files.reconstruction);
  const [camera] = Object.values<Record<string, number>>(model.cameras);
  const lens = reconstruction.lenses[0];
  expect(camera).toMatchObject({ width: 1_600, height: 1_200, k1: -0.02, p1: 0.001 });
  expect(camera?.["focal_x"]).toBeCloseTo((lens?.focalPx ?? 0) / 400, 12);
  expect(camera?.["c_x"]).toBeCloseTo((203 + 0.5 - 200) / 400, 12);
  const [x, y, z] = model.shots["B.JPG"].translation;
  const rotation = rotationFromVector(model.shots["B.JPG"].rotation);
  const centre = [0, 1, 2].map(
    (k) => -((rotation[k] ?? 0) * x + (rotation[3 + k] ?? 0) * y + (rotation[6 + k] ?? 0) * z),
  );
  for (const [k, value] of (reconstruction.cameras[1]?.pose.centre ?? []).entries()) {
    expect(centre[k]).toBeCloseTo(value, 9);
  }
  const shots = JSON.parse(files.shots);
  const [lon, lat, height] = shots.features[1].geometry.coordinates;
  const place = createEnuFrame(reconstruction.origin).toGeodetic(
    reconstruction.cameras[1]?.pose.centre ?? [0, 0, 0],
  );
  expect([lon, lat, height]).toEqual([place.lonDeg, place.latDeg, place.heightM]);
});

it("our own JSON places cameras on the map to a millimetre", () => {
  const model = JSON.parse(camerasJson(reconstruction, images, small.map));
  const projection = utmAt(reconstruction.origin);
  expect(model.map.epsg).toBe(projection.epsg);
  for (const { longitude_deg, latitude_deg, map } of model.images) {
    const [east, north] = projection.toMap({ lonDeg: longitude_deg, latDeg: latitude_deg });
    expect(Math.hypot(map[0] - east, map[1] - north)).toBeLessThan(0.001 + small.map.errorM);
  }
});

import { expect, it } from "vitest";
import { splitFlights } from "../../../../../processing/photogrammetry/orient/network/split-flights.ts";
import type {
  OrientedCamera,
  Reconstruction,
} from "../../../../../processing/photogrammetry/reconstruction/reconstruction.ts";

const DOWN = Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, -1);
/** Points 45 degrees below the horizon. */
const ASLANT = Float64Array.of(
  1,
  0,
  0,
  0,
  -Math.SQRT1_2,
  -Math.SQRT1_2,
  0,
  Math.SQRT1_2,
  -Math.SQRT1_2,
);

function camera(
  image: number,
  observations: number,
  rmsPx: number,
  rotation = DOWN,
): OrientedCamera {
  return {
    image,
    lens: 0,
    pose: { rotation, centre: [image, 0, 40] },
    observations,
    rmsPx,
    gpsResidualM: undefined,
  };
}

it("splitting flights keeps cameras and points of the present flight and returns the other's cameras", () => {
  // Images 0, 1, 2 are of this flight (1 was not oriented), 3 and 4 of the earlier one.
  const joint: Reconstruction = {
    origin: { latDeg: 0, lonDeg: 0, heightM: 0 },
    cameras: [camera(0, 3, 1), camera(2, 1, 2, ASLANT), camera(3, 2, 5), camera(4, 2, 5)],
    lenses: [],
    points: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
    observations: {
      // The first point is the earlier flight's, the second is seen by both, the third by one of each.
      point: Int32Array.of(0, 0, 1, 1, 1, 2, 2),
      camera: Int32Array.of(2, 3, 0, 1, 2, 0, 3),
      u: Float32Array.of(10, 11, 12, 13, 14, 15, 16),
      v: Float32Array.of(20, 21, 22, 23, 24, 25, 26),
    },
    summary: {
      rmsPx: 9,
      droppedTracks: 0.1,
      gpsResidualM: undefined,
      gpsBiasM: [0, 0, 0],
      scaleSigma: 0.01,
      scaleFrom: "gps",
      focal: [],
      control: undefined,
      placedBy: "positions",
      scaleByPositions: undefined,
      convergence: { isConverged: true, stepSigmas: 0.001 },
      nadirShare: 0.75,
      expectedNadirShare: 0.8,
      heights: undefined,
      tiltSigmaRad: 0.01,
      groundTiltRad: 0.02,
    },
  };
  const { own, earlier } = splitFlights(joint, 3);
  expect(own.cameras.map(({ image }) => image)).toEqual([0, 2]);
  expect([...own.points]).toEqual([4, 5, 6]);
  expect(own.observations).toEqual({
    point: Int32Array.of(0, 0),
    camera: Int32Array.of(0, 1),
    u: Float32Array.of(12, 13),
    v: Float32Array.of(22, 23),
  });
  // sqrt((3 * 1 + 1 * 4) / 4), and one of two points down.
  expect(own.summary).toEqual({ ...joint.summary, rmsPx: Math.sqrt(7 / 4), nadirShare: 0.5 });
  expect(earlier.map(({ image, pose }) => [image, pose.centre[0]])).toEqual([
    [0, 3],
    [1, 4],
  ]);
});

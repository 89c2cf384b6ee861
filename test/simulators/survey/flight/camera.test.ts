import { describe, expect, it } from "vitest";
import {
  cameraAxes,
  distort,
  imagePoint,
  type TrueLens,
  viewRay,
  viewRays,
} from "../../../../simulators/survey/flight/camera.ts";

const pinhole: TrueLens = {
  widthPx: 400,
  heightPx: 300,
  focalPx: 280,
  cxPx: 199.5,
  cyPx: 149.5,
  k1: 0,
  k2: 0,
  p1: 0,
  p2: 0,
};
const brown: TrueLens = {
  ...pinhole,
  cxPx: 203,
  cyPx: 147,
  k1: -0.05,
  k2: 0.02,
  p1: 0.0006,
  p2: -0.0004,
};
const above = { eastM: 0, northM: 0, upM: 28 };

const rounded = (axes: ReturnType<typeof cameraAxes>) =>
  Object.fromEntries(
    Object.entries(axes).map(([name, axis]) => [
      name,
      axis.map((x: number) => Math.round(x * 1e9) / 1e9 + 0),
    ]),
  );

describe("cameraAxes, by DJI's meaning of the gimbal tags", () => {
  // Worked out by hand: hold a camera, turn it as the tag says, read off where its edges point.
  const cases = [
    ["points north, level", [0, 0, 0], { right: [1, 0, 0], down: [0, 0, -1], forward: [0, 1, 0] }],
    ["yaw 90 points east", [90, 0, 0], { right: [0, -1, 0], down: [0, 0, -1], forward: [1, 0, 0] }],
    [
      "pitch -90 points down, top of the picture north",
      [0, -90, 0],
      { right: [1, 0, 0], down: [0, -1, 0], forward: [0, 0, -1] },
    ],
    [
      "pitch -90 and yaw 90: top of the picture east, right edge south",
      [90, -90, 0],
      { right: [0, -1, 0], down: [-1, 0, 0], forward: [0, 0, -1] },
    ],
    [
      "roll 90 turns the right edge down",
      [0, 0, 90],
      { right: [0, 0, -1], down: [-1, 0, 0], forward: [0, 1, 0] },
    ],
    [
      "pitch -90 with roll 90: seen from above the camera turned clockwise, right edge south",
      [0, -90, 90],
      { right: [0, -1, 0], down: [-1, 0, 0], forward: [0, 0, -1] },
    ],
  ] as const;
  it.each(cases)("%s", (_, [yawDeg, pitchDeg, rollDeg], expected) => {
    expect(rounded(cameraAxes({ yawDeg, pitchDeg, rollDeg }))).toEqual(expected);
  });

  it("cameraAxes keeps axes at right angles and right-handed at any attitude", () => {
    for (const yawDeg of [-170, 13, 200]) {
      const { right, down, forward } = cameraAxes({ yawDeg, pitchDeg: -57, rollDeg: 8 });
      const cross = [
        right[1] * down[2] - right[2] * down[1],
        right[2] * down[0] - right[0] * down[2],
        right[0] * down[1] - right[1] * down[0],
      ];
      for (const k of [0, 1, 2]) expect(cross[k]).toBeCloseTo(forward[k] ?? 0, 12);
    }
  });
});

describe("imagePoint", () => {
  const nadir = cameraAxes({ yawDeg: 0, pitchDeg: -90, rollDeg: 0 });

  it("imagePoint puts what lies 14 m east and 7 m north 140 px right of and 70 px above the middle, from 28 m", () => {
    const seen = imagePoint(pinhole, nadir, above, { eastM: 14, northM: 7, upM: 0 });
    // f / H = 280 / 28 = 10 px a metre.
    expect(seen?.u).toBeCloseTo(199.5 + 140, 9);
    expect(seen?.v).toBeCloseTo(149.5 - 70, 9);
    expect(seen?.depthM).toBeCloseTo(28, 9);
  });

  it("imagePoint sees nothing behind the camera", () => {
    expect(imagePoint(pinhole, nadir, above, { eastM: 0, northM: 0, upM: 30 })).toBeUndefined();
  });

  it("imagePoint shows the ground north of an oblique that points north at -45 in the middle of the picture", () => {
    const axes = cameraAxes({ yawDeg: 0, pitchDeg: -45, rollDeg: 0 });
    const seen = imagePoint(pinhole, axes, above, { eastM: 0, northM: 28, upM: 0 });
    expect(seen?.u).toBeCloseTo(199.5, 9);
    expect(seen?.v).toBeCloseTo(149.5, 9);
    expect(seen?.depthM).toBeCloseTo(28 * Math.SQRT2, 9);
  });
});

describe("lens", () => {
  it("a lens bends a ray as Brown's formula says", () => {
    const [u, v] = distort(brown, 0.5, -0.2);
    // r2 = 0.29, stretch = 1 - 0.0145 + 0.001682 = 0.987182.
    expect(u).toBeCloseTo(
      203 + 280 * (0.5 * 0.987182 + 2 * 0.0006 * -0.1 - 0.0004 * (0.29 + 0.5)),
      9,
    );
    expect(v).toBeCloseTo(
      147 + 280 * (-0.2 * 0.987182 + 0.0006 * (0.29 + 0.08) + 2 * -0.0004 * -0.1),
      9,
    );
  });

  it("a lens finds the ray of a pixel to 1e-7 px, corners included", () => {
    for (const [u, v] of [
      [0, 0],
      [399, 299],
      [0, 299],
      [120.25, 260.5],
    ] as const) {
      const [x, y] = viewRay(brown, u, v);
      const [backU, backV] = distort(brown, x, y);
      expect(Math.hypot(backU - u, backV - v)).toBeLessThan(1e-7);
    }
  });

  it("a lens interpolates the table of rays to better than 0.003 px", () => {
    const rays = viewRays(brown);
    let worst = 0;
    for (let v = 0; v < 300; v += 7) {
      for (let u = 0; u < 400; u += 7) {
        const i = 2 * (v * 400 + u);
        const [backU, backV] = distort(brown, rays[i] ?? 0, rays[i + 1] ?? 0);
        worst = Math.max(worst, Math.hypot(backU - u, backV - v));
      }
    }
    // Interpolation over 4 px leaves (4/f)^2 / 8 times the curvature (about 0.2) times f: 1.4e-3 px here.
    expect(worst).toBeLessThan(0.003);
    expect(worst).toBeGreaterThan(1e-6);
  });
});

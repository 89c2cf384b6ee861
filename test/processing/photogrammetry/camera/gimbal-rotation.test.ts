import { describe, expect, it } from "vitest";
import { rotate, type Vector3 } from "../../../../processing/geometry/rotation.ts";
import { rotationFromGimbal } from "../../../../processing/photogrammetry/camera/gimbal-rotation.ts";

const EAST = [1, 0, 0] as const;
const NORTH = [0, 1, 0] as const;
const UP = [0, 0, 1] as const;

function seen(yawDeg: number, pitchDeg: number, rollDeg: number, direction: Vector3) {
  const [x, y, z] = rotate(rotationFromGimbal({ yawDeg, pitchDeg, rollDeg }), direction);
  return { right: x, down: y, forward: z };
}

function expectNear(actual: ReturnType<typeof seen>, right: number, down: number, forward: number) {
  expect(actual.right).toBeCloseTo(right, 12);
  expect(actual.down).toBeCloseTo(down, 12);
  expect(actual.forward).toBeCloseTo(forward, 12);
}

describe("rotationFromGimbal", () => {
  it("rotationFromGimbal has north at the top and east at the right of a nadir image at yaw 0", () => {
    expectNear(seen(0, -90, 0, NORTH), 0, -1, 0);
    expectNear(seen(0, -90, 0, EAST), 1, 0, 0);
    expectNear(seen(0, -90, 0, UP), 0, 0, -1);
  });

  it("rotationFromGimbal has east at the top of a nadir image at yaw 90", () => {
    expectNear(seen(90, -90, 0, EAST), 0, -1, 0);
    expectNear(seen(90, -90, 0, NORTH), -1, 0, 0);
  });

  it("rotationFromGimbal points at the horizon in the east at yaw 90, pitch 0, with up at the top", () => {
    expectNear(seen(90, 0, 0, EAST), 0, 0, 1);
    expectNear(seen(90, 0, 0, UP), 0, -1, 0);
  });

  it("rotationFromGimbal points 30 degrees below the horizon in the north at pitch -30", () => {
    expectNear(seen(0, -30, 0, [0, Math.cos(Math.PI / 6), -0.5]), 0, 0, 1);
  });

  it("rotationFromGimbal turns the camera clockwise by roll: at 90 degrees its right side points down", () => {
    expectNear(seen(0, 0, 90, [0, 0, -1]), 1, 0, 0);
  });
});

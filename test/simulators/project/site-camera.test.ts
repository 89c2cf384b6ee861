import { describe, expect, it } from "vitest";
import { outlineOf, planCameras, poseAt } from "../../../simulators/project/camera/site-camera.ts";
import { visibleShare } from "../../../simulators/project/camera/visible-share.ts";
import { PROJECT_DEFAULTS } from "../../../simulators/project/plan/options.ts";
import { planProject } from "../../../simulators/project/plan/plan-project.ts";
import { createRandom } from "../../../simulators/randomness/random.ts";
import { cameraAxes, imagePoint } from "../../../simulators/survey/flight/camera.ts";

const plan = planProject({ ...PROJECT_DEFAULTS, cameras: 4 });
const cameras = planCameras(plan);
const zoneOf = (code: string) => {
  const zone = plan.zones.find((other) => other.plan.code === code);
  if (zone === undefined) throw new Error(`no zone ${code}`);
  return zone;
};

describe("poseAt", () => {
  const [camera] = cameras;
  if (camera === undefined) throw new Error("no camera");
  const random = createRandom("pose");
  const knocked = { ...PROJECT_DEFAULTS, knocked: { camera: 1, week: 5 } };
  // What the middle of the reference view shows, 60 m away.
  const { forward } = cameraAxes(camera.attitude);
  const middle = {
    eastM: camera.centre.eastM + 60 * forward[0],
    northM: camera.centre.northM + 60 * forward[1],
    upM: camera.centre.upM + 60 * forward[2],
  };

  it("poseAt is the reference view in week 1", () => {
    expect(poseAt(camera, 0, 1, knocked, random)).toEqual({
      ...{ attitude: camera.attitude, shiftPx: [0, 0], rollDeg: 0, isKnocked: false },
    });
  });

  it.each([
    2, 3, 4, 5, 9,
  ])("poseAt moves the middle in week %d by the shift that it returns, within 1 px", (week) => {
    const { attitude, shiftPx, isKnocked } = poseAt(camera, 0, week, knocked, random);
    const seen = imagePoint(camera.lens, cameraAxes(attitude), camera.centre, middle);
    const { cxPx, cyPx, widthPx } = camera.lens;
    // A knock of 144 px goes along a circle about the vertical, and the lens bends it by k1 r2 = 0.1 %.
    const within = isKnocked ? 8 : 1;
    expect(Math.abs((seen?.u ?? 0) - cxPx - shiftPx[0])).toBeLessThan(within);
    expect(Math.abs((seen?.v ?? 0) - cyPx - shiftPx[1])).toBeLessThan(within);
    expect(isKnocked).toBe(week >= 5);
    expect(Math.abs(shiftPx[0] - (isKnocked ? 0.15 * widthPx : 0))).toBeLessThanOrEqual(8);
    expect(Math.abs(shiftPx[1])).toBeLessThanOrEqual(8);
  });
});

describe("outlineOf", () => {
  it("outlineOf holds the image of a zone's every corner, and lies in the frame", () => {
    const [camera] = cameras;
    if (camera === undefined) throw new Error("no camera");
    const zone = zoneOf("EMB");
    const outline = outlineOf(camera, plan, zone) ?? [];
    expect(outline.length).toBeGreaterThanOrEqual(4);
    const { rect } = zone.plan;
    const { lens } = camera;
    const place = plan.ground.grid.toSite(rect);
    const seen = imagePoint(lens, cameraAxes(camera.attitude), camera.centre, { ...place, upM: 1 });
    const at = [(seen?.u ?? 0) / lens.widthPx, (seen?.v ?? 0) / lens.heightPx] as const;
    // Convex: the point lies on one side of all edges.
    const sides = outline.map(([x, y], i) => {
      const [x1, y1] = outline[(i + 1) % outline.length] ?? [0, 0];
      return Math.sign((x1 - x) * (at[1] - y) - (y1 - y) * (at[0] - x));
    });
    expect(new Set(sides).size).toBe(1);
    expect(outline.flat().every((share) => share >= 0 && share <= 1)).toBe(true);
  });

  it("outlineOf leaves out what is off the site", () => {
    expect(cameras.map((camera) => outlineOf(camera, plan, zoneOf("FAR")))).toEqual(
      cameras.map(() => undefined),
    );
  });
});

describe("visibleShare", () => {
  it("visibleShare is 1 for the zone at the camera's feet and less for one behind a building", () => {
    const [southWest] = cameras;
    if (southWest === undefined) throw new Error("no camera");
    expect(visibleShare(plan, zoneOf("EMB"), southWest.centre)).toBe(1);
    expect(visibleShare(plan, zoneOf("EXC"), southWest.centre)).toBeLessThan(0.9);
  });
});

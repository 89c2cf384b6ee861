import { describe, expect, it } from "vitest";
import type { OrientInput } from "../../../../../processing/photogrammetry/orient/block/orientation.ts";
import { orientSurvey } from "../../../../../processing/photogrammetry/orient/orient-survey.ts";
import { heldBy } from "../../../../../processing/photogrammetry/reconstruction/held-by.ts";
import { barAcross, CORNERS, controlAt } from "../../../../support/network-control.ts";
import { type Network, surveyNetwork, type Triple } from "../../../../support/survey-network.ts";

const DECLARED = { errorM: 0.02, sigmaM: 0.02 };

const flight = (seed: number, obliques = 4) =>
  surveyNetwork({
    ...{ seed, strips: 4, perStrip: 6, obliques, points: 250, gpsSigmaM: [0.02, 0.02, 0.03] },
    isRtk: true,
  });

/** The network with RTK in some of its images; the others' receiver is 2 m and 20 m of height off. */
function withRtkIn({ input }: Network, isRtk: (image: number) => boolean): OrientInput {
  return {
    ...input,
    priors: input.priors.map((prior, image) => {
      if (isRtk(image) || prior.centre === undefined) return prior;
      const [x, y, z] = prior.centre;
      const centre: Triple = [x + 1.7, y - 1, z + 20];
      return { ...prior, isRtk: false, centreSigmaM: [1.5, 1.5, 2.5], centre };
    }),
  };
}

/** One point, or two, all of them off by this. */
function pointsOff(network: Network, count: number, [east, north, up]: Triple) {
  const places = CORNERS.slice(0, count);
  return controlAt(network, places, { seed: 1, ...DECLARED }).map((target) => {
    const [x, y, z] = target.position;
    return { ...target, position: [x + east, y + north, z + up] as const };
  });
}

function summaryOf(input: OrientInput) {
  const { reconstruction } = orientSurvey(input);
  if (reconstruction === undefined) throw new Error("no reconstruction");
  return reconstruction.summary;
}

const usesOf = (input: OrientInput) => summaryOf(input).control?.points.map(({ use }) => use);

describe("one or two control points beside RTK", () => {
  it.each([
    ["all images", () => true],
    ["two images of three", (image: number) => image % 3 !== 0],
  ])("one or two control points beside RTK are not used where they lie metres from where RTK in %s has them", (_, isRtk) => {
    const network = flight(3);
    const input = withRtkIn(network, isRtk);
    const used = (count: number, off: Triple) =>
      usesOf({ ...input, control: pointsOff(network, count, off) });
    // Within what a receiver without RTK may be off, so that until now they were "used", with these errors.
    expect(used(1, [3, 0, 0])).toEqual(["left_out"]);
    expect(used(1, [0, 0, 30])).toEqual(["left_out"]);
    expect(used(2, [0, 3, 0])).toEqual(["left_out", "left_out"]);
  });

  it.each([
    [1, 4],
    [2, 0],
    [3, 0],
  ])("one or two control points beside RTK are used where they are right (seed %i, %i obliques)", (seed, obliques) => {
    const network = flight(seed, obliques);
    const control = pointsOff(network, 2, [0, 0, 0]);
    expect(usesOf({ ...network.input, control })).toEqual(["used", "used"]);
  });

  it("one or two control points beside RTK are held to what scale and level leave where RTK is in one image only", () => {
    const network = flight(3);
    const input = withRtkIn(network, (image) => image === 0);
    const used = (off: Triple) => usesOf({ ...input, control: pointsOff(network, 1, off) });
    expect(used([0, 0, 0])).toEqual(["used"]);
    expect(used([0, 0, 30])).toEqual(["left_out"]);
  });
});

describe("what holds a block", () => {
  it("what holds a block is RTK where scale bars weigh more in its scale: level as with RTK alone", () => {
    const network = surveyNetwork({
      ...{ seed: 4, strips: 3, perStrip: 4, obliques: 3, points: 220, gpsSigmaM: [0.1, 0.1, 0.1] },
      isRtk: true,
    });
    const scaleBars = [1, 2, 3, 4, 5, 6].map((seed) =>
      barAcross(network, { seed, errorM: 0, sigmaM: 0.002 }),
    );
    const alone = summaryOf(network.input);
    const scaled = summaryOf({ ...network.input, scaleBars });
    expect(scaled.scaleFrom).toBe("scale_bars");
    expect(scaled.isHeldByRtk).toBe(true);
    expect(heldBy(scaled)).toBe("rtk");
    // As without RTK it was half a degree.
    expect(scaled.tiltSigmaRad).toBeLessThan(1.1 * alone.tiltSigmaRad);
  });

  it("what holds a block is nothing where two points beside GPS fix the scale", () => {
    const network = surveyNetwork({
      ...{ seed: 1, strips: 4, perStrip: 6, obliques: 4, points: 250, gpsSigmaM: [0.8, 0.8, 1.2] },
    });
    const control = pointsOff(network, 2, [0, 0, 0]);
    const summary = summaryOf({ ...network.input, control });
    expect(summary.scaleFrom).toBe("control_points");
    expect(summary.isHeldByRtk).toBeUndefined();
    expect(heldBy(summary)).toBeUndefined();
  });
});

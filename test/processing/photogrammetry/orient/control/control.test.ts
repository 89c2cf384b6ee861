import { describe, expect, it } from "vitest";
import { checkControl } from "../../../../../processing/photogrammetry/checks/check-control.ts";
import type {
  ControlTarget,
  OrientInput,
} from "../../../../../processing/photogrammetry/orient/block/orientation.ts";
import { orientSurvey } from "../../../../../processing/photogrammetry/orient/orient-survey.ts";
import type { Reconstruction } from "../../../../../processing/photogrammetry/reconstruction/reconstruction.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";
import { someOf } from "../../../../support/some-of.ts";
import { type Network, surveyNetwork, type Triple } from "../../../../support/survey-network.ts";

const SMALL = { strips: 3, perStrip: 4, obliques: 3, points: 220 } as const;
const SIGMA_M = { horizontal: 0.02, vertical: 0.03 };

/** Six points towards the corners and four checks between them, marked to half a pixel. */
function controlOf(network: Network, seed: number): ControlTarget[] {
  const random = seededRandom(seed);
  const off = (sigma: number) => (random() + random() + random() - 1.5) * 2 * sigma;
  const wanted: Triple[] = [
    ...([
      [-16, -14],
      [16, -14],
      [16, 14],
      [-16, 14],
      [0, -16],
      [0, 16],
    ] as const),
    ...([
      [-8, 0],
      [8, 0],
      [0, 8],
      [0, -8],
    ] as const),
  ].map(([x, y]) => [x, y, 0]);
  return wanted.map((place, i) => {
    const truth = [...network.points].sort((a, b) => away(a, place) - away(b, place))[0] ?? place;
    const [x, y, z] = truth;
    return {
      name: `P${i}`,
      position: [x + off(0.02), y + off(0.02), z + off(0.03)],
      sigmaM: SIGMA_M,
      isCheck: i >= 6,
      marks: network.cameras.flatMap((_, image) => {
        const pixel = network.see(image, truth);
        return pixel ? [{ image, u: pixel[0] + off(0.5), v: pixel[1] + off(0.5) }] : [];
      }),
    };
  });
}

const away = (a: Triple, b: Triple) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** The survey as from a kite: no position, no attitude. */
function stripped({ input }: Network): OrientInput {
  return {
    ...input,
    priors: input.priors.map((prior) => ({ ...prior, centre: undefined, rotation: undefined })),
  };
}

function orient(input: OrientInput): Reconstruction {
  const { reconstruction } = orientSurvey(input);
  if (!reconstruction) throw new Error("no reconstruction");
  return reconstruction;
}

const NAMES = Array.from({ length: 15 }, (_, i) => `${i}.jpg`);
const WIDTHS = NAMES.map(() => 1200);
const gates = (reconstruction: Reconstruction) =>
  checkControl(reconstruction, NAMES, WIDTHS).map(({ gate }) => gate);
const figures = ({ summary: { control } }: Reconstruction) => {
  if (!control) throw new Error("no control");
  return control;
};

describe("a survey without positions", () => {
  // More seeds, with images: test/e2e/survey/control.ts.
  it("a survey without positions is placed by control points alone, checks within 10 cm", () => {
    const network = surveyNetwork({ seed: 21, ...SMALL });
    const found = orient({ ...stripped(network), control: controlOf(network, 21) });
    const { rmsM } = figures(found);
    expect(found.cameras).toHaveLength(15);
    expect(found.summary.placedBy).toBe("control_points");
    // The checks themselves are off by 4.1 cm in space, the points that place the block as much.
    expect(rmsM.check).toBeGreaterThan(0.01);
    expect(rmsM.check).toBeLessThan(0.1);
    expect(rmsM.leaveOneOut).toBeLessThan(0.12);
    expect(found.summary.scaleSigma).toBeLessThan(0.004);
    expect(gates(found)).toEqual([]);
  });

  it("a survey without positions takes marks made on pictures of half the width as such, and says so", () => {
    const network = surveyNetwork({ seed: 24, ...SMALL });
    const control = controlOf(network, 24).map((target) => ({
      ...target,
      marks: target.marks.map(({ image, u, v }) => ({ image, u: u / 2 - 0.25, v: v / 2 - 0.25 })),
    }));
    const input = stripped(network);
    const lenses = input.lenses.map((lens) => ({ ...lens, fullWidthPx: 1200 }));
    const found = orient({ ...input, lenses, control });
    expect(figures(found).markScale).toBe(2);
    expect(figures(found).rmsM.check).toBeLessThan(0.1);
    expect(checkControl(found, NAMES, WIDTHS)).toMatchObject([
      { gate: "CONTROL_RESIZED", severity: "warn", value: 600, threshold: 1200 },
    ]);
  });

  it("a survey without positions is refused where easting and northing are swapped, for no view from above fits the mirror image", () => {
    const network = surveyNetwork({ seed: 25, ...SMALL });
    const control = controlOf(network, 25).map((target) => {
      const [x, y, z] = target.position;
      return { ...target, position: [y, x, z] as const };
    });
    const { reconstruction, contradictedRmsM } = orientSurvey({ ...stripped(network), control });
    expect(reconstruction).toBeUndefined();
    expect(contradictedRmsM).toBeGreaterThan(1);
  });
});

describe("control points beside GPS", () => {
  it("control points beside GPS leave out a mark that is 160 px off and a point that is 3 m off, by name", () => {
    const network = surveyNetwork({ seed: 26, ...SMALL });
    const control = controlOf(network, 26).map((target, i) => {
      const [x, y, z] = target.position;
      if (i === 1) return { ...target, position: [x + 3, y, z] as const };
      const marks = target.marks.map((mark, k) =>
        i === 2 && k === 1 ? { ...mark, u: mark.u - 160 } : mark,
      );
      return { ...target, marks };
    });
    const found = orient({ ...network.input, control });
    const { points, rmsM } = figures(found);
    expect(points.flatMap(({ name, use }) => (use === "left_out" ? [name] : []))).toEqual(["P1"]);
    const unused = points[2]?.marks.filter(({ isUsed }) => !isUsed) ?? [];
    expect(unused.map(({ image }) => image)).toEqual([control[2]?.marks[1]?.image]);
    expect(unused[0]?.offPx).toBeGreaterThan(150);
    expect(rmsM.check).toBeLessThan(0.1);
    expect(checkControl(found, NAMES, WIDTHS)).toMatchObject([
      { gate: "CONTROL_LEFT_OUT", value: 2, advice: expect.stringContaining('"P1"') },
    ]);
  });

  it("control points beside GPS never fix the scale where they contradict the pictures and each other by metres", () => {
    const network = surveyNetwork({ seed: 27, ...SMALL });
    const random = seededRandom(3);
    const control = controlOf(network, 27).map((target) => {
      const [x, y, z] = target.position;
      const wild = () => (random() - 0.5) * 60;
      return { ...target, isCheck: false, position: [x + wild(), y + wild(), z + wild()] as const };
    });
    const found = orient({ ...network.input, control });
    expect(found.summary.scaleFrom).toBe("gps");
    const [finding] = checkControl(found, NAMES, WIDTHS);
    expect(finding).toMatchObject({ gate: "CONTROL_INCONSISTENT", severity: "warn" });
    expect(finding?.value).toBeGreaterThan(5);
  });

  it("control points beside GPS of 20 cm are believed to 20 cm, though 2 cm were declared", () => {
    const ratios = someOf([31, 32, 33]).map((seed) => {
      const network = surveyNetwork({ seed, ...SMALL });
      const random = seededRandom(seed);
      const gauss = () => (random() + random() + random() - 1.5) * 2 * 0.2;
      const control = controlOf(network, seed).map((target) => {
        const [x, y, z] = target.position;
        if (target.isCheck) return target;
        return { ...target, position: [x + gauss(), y + gauss(), z + gauss()] as const };
      });
      const found = orient({ ...stripped(network), control });
      expect(found.summary.scaleSigma).toBeGreaterThan(0.002);
      expect(gates(found)).toEqual(["CONTROL_INCONSISTENT"]);
      return (figures(found).sigmaM?.horizontal ?? 0) / 0.2;
    });
    // Residuals of six points left out in turn are larger than their errors, by what five leave open.
    for (const ratio of ratios) {
      expect(ratio).toBeGreaterThan(0.4);
      expect(ratio).toBeLessThan(3);
    }
  });
});

import { expect, it } from "vitest";
import { project } from "../../../../processing/photogrammetry/camera/camera.ts";
import type { ImageMark } from "../../../../processing/photogrammetry/orient/block/orientation.ts";
import { orientSurvey } from "../../../../processing/photogrammetry/orient/orient-survey.ts";
import type { Reconstruction } from "../../../../processing/photogrammetry/reconstruction/reconstruction.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import {
  minus,
  type Network,
  scaleError,
  surveyNetwork,
  TRUE_LENS,
  type Triple,
} from "../../../support/survey-network.ts";

function orient(network: Network, input = network.input) {
  const orientation = orientSurvey(input);
  if (!orientation.reconstruction) throw new Error("no reconstruction");
  return { ...orientation, reconstruction: orientation.reconstruction };
}

const centresOf = ({ cameras }: Reconstruction): Triple[] => cameras.map(({ pose }) => pose.centre);
const trueCentres = ({ cameras }: Network, { cameras: oriented }: Reconstruction): Triple[] =>
  oriented.map(({ image }) => cameras[image]?.centre ?? [0, 0, 0]);
const focalError = ({ lenses }: Reconstruction, lens = 0, truth = TRUE_LENS.f) =>
  (lenses[lens]?.focalPx ?? 0) / truth - 1;
/** Marks of all images that show a point, 0.5 px off at most by the network's own numbers. */
const marksOf = (network: Network, point: Triple): ImageMark[] =>
  network.cameras.flatMap((_, image) => {
    const pixel = network.see(image, point);
    return pixel ? { image, u: pixel[0], v: pixel[1] } : [];
  });
const rmsDistance = (a: readonly Triple[], b: readonly Triple[]) =>
  Math.sqrt(a.reduce((sum, p, i) => sum + Math.hypot(...minus(p, b[i] ?? p)) ** 2, 0) / a.length);

it("orientation finds 24 cameras with RTK to centimetres, and f from 1 % off to a tenth of a percent", () => {
  const network = surveyNetwork({
    seed: 1,
    isRtk: true,
    gpsSigmaM: [0.02, 0.02, 0.03],
    noisePx: 0.3,
  });
  const { reconstruction, leftOut, figures } = orient(network);
  const { summary } = reconstruction;

  expect(leftOut).toEqual([]);
  expect(reconstruction.cameras.map(({ image }) => image)).toEqual([...Array(24).keys()]);
  // Noise of 0.3 px a coordinate; what is left of it is smaller by what the unknowns take.
  expect(figures.sigmaPx).toBeGreaterThan(0.28);
  expect(figures.sigmaPx).toBeLessThan(0.32);
  expect(summary.rmsPx).toBeGreaterThan(0.36);
  expect(summary.rmsPx).toBeLessThan(0.3 * Math.SQRT2);
  // Receiver noise of 2 to 3 cm an axis, averaged over cameras that images hold together.
  const error = rmsDistance(centresOf(reconstruction), trueCentres(network, reconstruction));
  expect(error).toBeGreaterThan(0.004);
  expect(error).toBeLessThan(0.04);
  expect(Math.abs(focalError(reconstruction))).toBeLessThan(0.001);
  expect(summary.focal[0]?.relativeChange).toBeCloseTo(1 / 0.99 - 1, 3);
  expect(summary.scaleFrom).toBe("rtk");
  expect(summary.scaleSigma).toBeLessThan(0.001);
  expect(
    Math.abs(scaleError(centresOf(reconstruction), trueCentres(network, reconstruction))),
  ).toBeLessThan(4 * summary.scaleSigma);
  // 20 of 24 point straight down.
  expect(summary.nadirShare).toBeCloseTo(20 / 24, 10);
});

it("orientation keeps observations that project to where they were seen", () => {
  const { input, ...network } = surveyNetwork({ seed: 3, strips: 3, perStrip: 4, points: 200 });
  const { reconstruction } = orient({ input, ...network });
  const { observations, points, cameras, lenses } = reconstruction;
  const pixel = { u: 0, v: 0, depth: 0 };
  const squares: number[] = [];
  observations.point.forEach((p, k) => {
    const { lens = 0, pose } = cameras[observations.camera[k] ?? 0] ?? {};
    const [x = 0, y = 0, z = 0] = points.subarray(p * 3, p * 3 + 3);
    const brown = lenses[lens];
    if (!pose || !brown || !project(brown, pose, [x, y, z], pixel)) return;
    squares.push(
      (pixel.u - (observations.u[k] ?? 0)) ** 2 + (pixel.v - (observations.v[k] ?? 0)) ** 2,
    );
  });
  expect(squares).toHaveLength(observations.point.length);
  const rms = Math.sqrt(squares.reduce((sum, s) => sum + s, 0) / squares.length);
  expect(rms).toBeCloseTo(reconstruction.summary.rmsPx, 6);
});

it("orientation states a sigma of the scale that 24 draws of GPS noise bear out", () => {
  const draws = Array.from({ length: 24 }, (_, i) => {
    const network = surveyNetwork({
      seed: 100 + i,
      strips: 3,
      perStrip: 3,
      obliques: 0,
      points: 80,
      gpsSigmaM: [1, 1, 1.5],
      gpsBiasM: [1.2, -0.7, 2.5],
    });
    const { reconstruction, figures } = orient(network);
    const { summary } = reconstruction;
    // Never under 1 % (docs/photogrammetry.md#uncertainty-of-a-volume), and as these errors do not drift, hardly ever doubled.
    expect(summary.scaleSigma).toBeGreaterThanOrEqual(Math.max(0.01, figures.formalScaleSigma));
    expect(summary.scaleSigma).toBeLessThan(2.5 * figures.formalScaleSigma);
    expect(summary.scaleFrom).toBe("gps");
    const error = scaleError(centresOf(reconstruction), trueCentres(network, reconstruction));
    return error / figures.formalScaleSigma;
  });
  // Of 24 draws the rms scatters by 1 / sqrt(2 * 24) = 0.14; three times that, plus that the sigma
  // of each draw is itself found from 9 residuals.
  const rms = Math.sqrt(draws.reduce((sum, d) => sum + d * d, 0) / draws.length);
  expect(rms).toBeGreaterThan(0.55);
  expect(rms).toBeLessThan(1.45);
});

it("orientation moves with the positions as a whole: a shift of all tags is a shift of the model", () => {
  const network = surveyNetwork({ seed: 5, strips: 3, perStrip: 4, obliques: 0, points: 150 });
  const shifted = network.input.priors.map((prior) => {
    const [x = 0, y = 0, z = 0] = prior.centre ?? [];
    return { ...prior, centre: [x + 300, y - 200, z + 50] as const };
  });
  const here = orient(network).reconstruction;
  const there = orient(network, { ...network.input, priors: shifted }).reconstruction;
  const moved = centresOf(here).map(([x, y, z]): Triple => [x + 300, y - 200, z + 50]);
  expect(rmsDistance(centresOf(there), moved)).toBeLessThan(1e-3);
  expect(there.summary.rmsPx).toBeCloseTo(here.summary.rmsPx, 5);
  expect(there.summary.gpsBiasM).toEqual([0, 0, 0]);
});

const GPS_WITH_BIAS = {
  seed: 7,
  strips: 3,
  perStrip: 4,
  points: 200,
  gpsSigmaM: [1.5, 1.5, 2.5],
  gpsBiasM: [2, -1, 20],
} as const;

it("orientation takes place and scale from five control points, the GPS bias with them", () => {
  const network = surveyNetwork(GPS_WITH_BIAS);
  const targets = network.points.slice(0, 8).map((position, i) => ({
    name: `P${i}`,
    position,
    sigmaM: { horizontal: 0.01, vertical: 0.01 },
    isCheck: i >= 5,
    marks: marksOf(network, position),
  }));
  const without = orient(network, {
    ...network.input,
    control: targets.filter(({ isCheck }) => isCheck),
  }).reconstruction;
  const { summary, ...reconstruction } = orient(network, {
    ...network.input,
    control: targets,
  }).reconstruction;

  expect(without.summary.control?.rmsM.used).toBeUndefined();
  expect(without.summary.control?.rmsM.check).toBeGreaterThan(10);
  expect(summary.scaleFrom).toBe("control_points");
  expect(summary.control?.rmsM.used).toBeLessThan(0.03);
  // Tie points of 0.3 px at 4.6 cm a pixel carry the checks.
  expect(summary.control?.rmsM.check).toBeGreaterThan(0.0005);
  expect(summary.control?.rmsM.check).toBeLessThan(0.05);
  // 14 cameras with 1.5 / 2.5 m: the mean is good to 0.4 / 0.7 m; three times that.
  expect(Math.abs(summary.gpsBiasM[0] - 2)).toBeLessThan(1.2);
  expect(Math.abs(summary.gpsBiasM[1] + 1)).toBeLessThan(1.2);
  expect(Math.abs(summary.gpsBiasM[2] - 20)).toBeLessThan(2.1);
  expect(summary.scaleSigma).toBeLessThan(0.002);
  const found = { ...reconstruction, summary };
  const error = scaleError(centresOf(found), trueCentres(network, found));
  expect(Math.abs(error)).toBeLessThan(4 * summary.scaleSigma);
});

it("orientation takes the scale from one measured distance", () => {
  const network = surveyNetwork({ ...GPS_WITH_BIAS, seed: 8 });
  const [a, b] = [...network.points]
    .sort((p, q) => p[0] - q[0])
    .filter((p) => Math.abs(p[0]) > 12 && Math.abs(p[1]) < 6)
    .flatMap((p, i, all) => (i === 0 || i === all.length - 1 ? [p] : []));
  if (!a || !b) throw new Error("no two points lie far enough apart");
  const lengthM = Math.hypot(...minus(a, b));
  const { summary, ...rest } = orient(network, {
    ...network.input,
    scaleBars: [
      { lengthM, sigmaM: 0.01, ends: [marksOf(network, a), marksOf(network, b)] },
      // An end that nobody marked: the bar is of no use, and does no harm.
      { lengthM: 5, sigmaM: 0.01, ends: [marksOf(network, a), []] },
    ],
  }).reconstruction;
  expect(summary.scaleFrom).toBe("scale_bars");
  // 1 cm over the bar's length, and marks of 1 px at either end, many times over.
  expect(summary.scaleSigma).toBeGreaterThan(0.01 / lengthM / 2);
  expect(summary.scaleSigma).toBeLessThan(0.005);
  const found = { ...rest, summary };
  const error = scaleError(centresOf(found), trueCentres(network, found));
  expect(Math.abs(error)).toBeLessThan(3 * summary.scaleSigma);
});

it("orientation separates two lenses that fly in turn", () => {
  const second = { ...TRUE_LENS, f: 1010, k1: 0.02, cx: 590 };
  const network = surveyNetwork({ seed: 9, lenses: [TRUE_LENS, second] });
  const { reconstruction } = orient(network);
  expect(reconstruction.lenses).toHaveLength(2);
  expect(Math.abs(focalError(reconstruction, 0))).toBeLessThan(0.003);
  expect(Math.abs(focalError(reconstruction, 1, second.f))).toBeLessThan(0.003);
  expect(reconstruction.lenses[0]?.k1).toBeCloseTo(TRUE_LENS.k1, 2);
  expect(reconstruction.lenses[1]?.k1).toBeCloseTo(second.k1, 2);
  expect(reconstruction.cameras.map(({ lens }) => lens).slice(0, 4)).toEqual([0, 1, 0, 1]);
});

it("orientation finds the same cameras with a fifth of the keypoints anywhere within 60 px", () => {
  const clean = surveyNetwork({ seed: 11, isRtk: true, gpsSigmaM: [0.02, 0.02, 0.03] });
  const dirty = surveyNetwork({
    seed: 11,
    isRtk: true,
    gpsSigmaM: [0.02, 0.02, 0.03],
    outlierShare: 0.2,
  });
  const { reconstruction, figures } = orient(dirty);
  const { observations } = orient(clean).reconstruction;
  expect(reconstruction.cameras).toHaveLength(24);
  // Four fifths of the observations, less those of tracks that lost too many.
  const kept = reconstruction.observations.point.length / observations.point.length;
  expect(kept).toBeGreaterThan(0.6);
  expect(kept).toBeLessThan(0.82);
  expect(figures.sigmaPx).toBeLessThan(0.4);
  expect(Math.abs(focalError(reconstruction))).toBeLessThan(0.0015);
  expect(rmsDistance(centresOf(reconstruction), trueCentres(dirty, reconstruction))).toBeLessThan(
    0.04,
  );
});

it("orientation orients the larger of two blocks and names the images of the other", () => {
  const network = surveyNetwork({ seed: 13, strips: 5, perStrip: 4, obliques: 0, gapAtM: 7 });
  const { reconstruction, leftOut, figures } = orient(network);
  // Strips lie at -28, -14, 0, 14 and 28 m east.
  expect(reconstruction.cameras.map(({ image }) => image)).toEqual([...Array(12).keys()]);
  expect(leftOut).toEqual(
    [12, 13, 14, 15, 16, 17, 18, 19].map((image) => ({ image, reason: "disconnected" })),
  );
  expect(figures.connectedShare).toBe(0.6);
});

it("orientation finds a camera without tags from its neighbours", () => {
  const network = surveyNetwork({
    seed: 15,
    strips: 3,
    perStrip: 4,
    obliques: 0,
    points: 250,
    isRtk: true,
    gpsSigmaM: [0.02, 0.02, 0.03],
  });
  const priors = network.input.priors.map((prior, image) =>
    image === 5 ? { ...prior, centre: undefined, rotation: undefined } : prior,
  );
  const { reconstruction, leftOut } = orient(network, { ...network.input, priors });
  expect(leftOut).toEqual([]);
  expect(reconstruction.cameras[5]?.gpsResidualM).toBeUndefined();
  const found = centresOf(reconstruction)[5] ?? [0, 0, 0];
  expect(Math.hypot(...minus(found, network.cameras[5]?.centre ?? found))).toBeLessThan(0.15);
});

it("orientation gives up one attitude that is half a turn off and one position that is 100 m off, not their images", () => {
  const network = surveyNetwork({ seed: 2, strips: 3, perStrip: 4, obliques: 2, points: 250 });
  const priors = network.input.priors.map((prior, image) => {
    const [x = 0, y = 0, z = 0] = prior.centre ?? [];
    if (image === 6) {
      return { ...prior, rotation: prior.rotation?.map((r, i) => (i < 6 ? -r : r)) };
    }
    return image === 9 ? { ...prior, centre: [x + 80, y + 60, z] as const } : prior;
  });
  const plain = orient(network).reconstruction;
  const { reconstruction, leftOut, figures } = orient(network, { ...network.input, priors });
  expect(leftOut).toEqual([]);
  expect(figures.distrustedAttitudes).toContain(6);
  expect([6, 9]).toEqual(expect.arrayContaining([...figures.distrustedAttitudes]));
  const [east = 0, north = 0] = reconstruction.cameras[9]?.gpsResidualM ?? [];
  expect(Math.hypot(east, north)).toBeGreaterThan(95);
  expect(Math.hypot(east, north)).toBeLessThan(105);
  // Every camera within what 13 positions of 1 to 1.5 m place instead of 14.
  expect(rmsDistance(centresOf(reconstruction), centresOf(plain))).toBeLessThan(0.5);
  // The false one spoils neither the scatter of the others nor what is said of the scale.
  const ratio = (pick: (summary: typeof plain.summary) => number) =>
    pick(reconstruction.summary) / pick(plain.summary);
  for (const pick of [
    (summary: typeof plain.summary) => summary.gpsResidualM?.horizontal ?? 0,
    (summary: typeof plain.summary) => summary.scaleSigma,
  ]) {
    expect(ratio(pick)).toBeGreaterThan(0.7);
    expect(ratio(pick)).toBeLessThan(1.4);
  }
});

it("orientation leaves out an image whose matches are all wrong, after a second try", () => {
  const network = surveyNetwork({ seed: 4, strips: 3, perStrip: 4, obliques: 0, points: 250 });
  const random = seededRandom(1);
  const keypoints = network.input.keypoints.map((points, image) =>
    image === 5
      ? { ...points, x: points.x.map(() => random() * 1200), y: points.y.map(() => random() * 900) }
      : points,
  );
  const shares: number[] = [];
  const { reconstruction, leftOut, figures } = orient(network, {
    ...network.input,
    keypoints,
    onProgress: (share) => shares.push(share),
  });
  expect(leftOut).toEqual([{ image: 5, reason: "too_few_observations" }]);
  expect(figures.distrustedAttitudes).toEqual([]);
  expect(reconstruction.cameras.map(({ image }) => image)).not.toContain(5);
  expect(figures.sigmaPx).toBeLessThan(0.35);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

it("orientation leaves out images that no lens belongs to, and pairs with them", () => {
  const network = surveyNetwork({ seed: 6, strips: 2, perStrip: 4, obliques: 0, points: 120 });
  const priors = network.input.priors.map((prior, image) =>
    image === 2 ? { ...prior, lens: -1 } : prior,
  );
  const { reconstruction, leftOut, figures } = orient(network, { ...network.input, priors });
  expect(leftOut).toEqual([{ image: 2, reason: "no_lens" }]);
  expect(reconstruction.cameras.map(({ image }) => image)).toEqual([0, 1, 3, 4, 5, 6, 7]);
  expect(figures.connectedImages).toBe(7);
});

it("orientation gives nothing where no image has tags, and says which tag is missing", () => {
  const network = surveyNetwork({ seed: 17, strips: 2, perStrip: 3, obliques: 0, points: 100 });
  const bare = (missing: "centre" | "rotation") =>
    orientSurvey({
      ...network.input,
      priors: network.input.priors.map((prior) => ({ ...prior, [missing]: undefined })),
    });
  expect(bare("centre").reconstruction).toBeUndefined();
  expect(new Set(bare("centre").leftOut.map(({ reason }) => reason))).toEqual(
    new Set(["no_position"]),
  );
  expect(new Set(bare("rotation").leftOut.map(({ reason }) => reason))).toEqual(
    new Set(["no_attitude"]),
  );
  expect(orientSurvey({ ...network.input, pairs: [] }).leftOut.at(-1)).toEqual({
    image: 5,
    reason: "disconnected",
  });
});

it("orientation gives the same bytes twice, reports its progress, and stops when asked to", () => {
  const network = surveyNetwork({ seed: 19, strips: 2, perStrip: 4, obliques: 0, points: 120 });
  const shares: number[] = [];
  const first = orientSurvey({ ...network.input, onProgress: (share) => shares.push(share) });
  const second = orientSurvey(structuredClone(network.input));
  expect(second).toStrictEqual(first);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  let asked = 0;
  const cancelled = () => {
    asked += 1;
    return asked === 3;
  };
  expect(() => orientSurvey({ ...network.input, isCancelled: cancelled })).toThrow(
    expect.objectContaining({ name: "AbortError" }),
  );
  expect(asked).toBe(3);
});

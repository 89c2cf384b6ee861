import { expect, it } from "vitest";
import { surfaceImages } from "../../../../../processing/engine/local/surface-images.ts";
import { compose, rotate } from "../../../../../processing/geometry/rotation.ts";
import { project } from "../../../../../processing/photogrammetry/camera/camera.ts";
import { planSurface } from "../../../../../processing/photogrammetry/dense/surface-plan.ts";
import type {
  ImageMark,
  OrientInput,
} from "../../../../../processing/photogrammetry/orient/block/orientation.ts";
import { orientSurvey } from "../../../../../processing/photogrammetry/orient/orient-survey.ts";
import { barAcross, CORNERS, controlAt } from "../../../../support/network-control.ts";
import { someOf } from "../../../../support/some-of.ts";
import {
  minus,
  scaleError,
  surveyNetwork,
  TRUE_LENS,
  type Triple,
} from "../../../../support/survey-network.ts";

const HALF_TURN = Float64Array.of(-1, 0, 0, 0, -1, 0, 0, 0, 1);
const [WIDTH_PX, HEIGHT_PX] = [1200, 900];
const TURNED = [3, 4, 11, 12, 13, 22];

/** Principal point 12 and 9 px beside the middle, as cheap cameras have it. */
const LENS = { ...TRUE_LENS, cx: 611.5, cy: 440.5 };

/** What the engine has of images that a viewer turned: their pixels, pairs and attitudes all turned. */
function asViewed(input: OrientInput, turned: readonly number[] = TURNED): OrientInput {
  const isTurned = (image: number) => turned.includes(image);
  const viewed = (mark: ImageMark): ImageMark =>
    isTurned(mark.image) ? { ...mark, u: WIDTH_PX - 1 - mark.u, v: HEIGHT_PX - 1 - mark.v } : mark;
  return {
    ...input,
    turned,
    priors: input.priors.map((prior, i) =>
      isTurned(i) && prior.rotation
        ? { ...prior, rotation: compose(HALF_TURN, prior.rotation) }
        : prior,
    ),
    keypoints: input.keypoints.map((points, i) =>
      isTurned(i)
        ? {
            count: points.count,
            x: points.x.map((x) => WIDTH_PX - 1 - x),
            y: points.y.map((y) => HEIGHT_PX - 1 - y),
          }
        : points,
    ),
    pairs: input.pairs.map((pair) => {
      const ofFirst = isTurned(pair.first) ? compose(pair.rotation, HALF_TURN) : pair.rotation;
      return {
        ...pair,
        rotation: isTurned(pair.second) ? compose(HALF_TURN, ofFirst) : ofFirst,
        direction: isTurned(pair.first) ? rotate(HALF_TURN, pair.direction) : pair.direction,
      };
    }),
    control: input.control.map((point) => ({ ...point, marks: point.marks.map(viewed) })),
    scaleBars: input.scaleBars.map((bar) => ({
      ...bar,
      ends: [bar.ends[0].map(viewed), bar.ends[1].map(viewed)] as const,
    })),
  };
}

/** Four points on the ground with their exact marks. */
function withControl({ input, see, cameras }: ReturnType<typeof surveyNetwork>): OrientInput {
  const places: readonly Triple[] = [
    [-20, -15, 0],
    [20, -15, 0.5],
    [-20, 15, 1],
    [20, 15, 0.2],
  ];
  return {
    ...input,
    control: places.map((position, i) => ({
      name: `p${i}`,
      position,
      sigmaM: { horizontal: 0.02, vertical: 0.03 },
      isCheck: false,
      marks: cameras.flatMap((_, image) => {
        const pixel = see(image, position);
        return pixel ? [{ image, u: pixel[0], v: pixel[1] }] : [];
      }),
    })),
  };
}

function oriented(input: OrientInput) {
  const { reconstruction } = orientSurvey(input);
  if (reconstruction === undefined) throw new Error("no reconstruction");
  return reconstruction;
}

it.each(
  someOf([
    {
      what: "positions by RTK",
      isRtk: true,
      prepare: (n: ReturnType<typeof surveyNetwork>) => n.input,
    },
    { what: "control points", isRtk: false, prepare: withControl },
  ]),
)("orientation finds the same cameras where a viewer turned 6 of 24 images, held by $what", ({
  isRtk,
  prepare,
}) => {
  const gpsSigmaM: Triple = isRtk ? [0.02, 0.02, 0.03] : [0.8, 0.8, 1.2];
  const network = surveyNetwork({ seed: 41, lenses: [LENS], isRtk, gpsSigmaM });
  const input = prepare(network);
  const plain = oriented(input);
  const viewed = oriented(asViewed(input));

  // Pixels are rounded to 1e-4 when they are turned. One lens for both kinds of images put cameras 1.2 m off.
  const apartM = viewed.cameras.map(({ pose }, i) =>
    Math.hypot(...minus(pose.centre, plain.cameras[i]?.pose.centre ?? [0, 0, 0])),
  );
  expect(Math.max(...apartM)).toBeLessThan(0.002);
  expect(viewed.summary.rmsPx).toBeCloseTo(plain.summary.rmsPx, 3);
  expect(viewed.lenses).toHaveLength(2);
  expect(viewed.summary.focal).toHaveLength(2);
  expect(viewed.lenses[0]?.cxPx).toBeCloseTo(LENS.cx, 0);
  expect(viewed.lenses[1]?.cxPx).toBeCloseTo(WIDTH_PX - 1 - LENS.cx, 0);
  expect(viewed.cameras.filter(({ lens }) => lens === 1).map(({ image }) => image)).toEqual(TURNED);
});

it("orientation scales by a bar whose ends were marked in turned images too, as by one in images as they were taken", () => {
  const network = surveyNetwork({ seed: 44, lenses: [LENS] });
  const bar = barAcross(network, { seed: 44, errorM: 0, sigmaM: 0.005 });
  // Marks of half of the images lie in turned ones.
  const every2nd = network.cameras.map((_, image) => image).filter((image) => image % 2 === 1);
  const input = { ...network.input, scaleBars: [bar] };
  const alone = oriented(network.input);
  const plain = oriented(input);
  const viewed = oriented(asViewed(input, every2nd));
  const truth = network.cameras.map(({ centre }) => centre);
  const errorOf = ({ cameras }: ReturnType<typeof oriented>) =>
    scaleError(
      cameras.map(({ pose }) => pose.centre),
      truth,
    );

  expect(viewed.summary.scaleFrom).toBe("scale_bars");
  expect(Math.abs(errorOf(alone))).toBeGreaterThan(0.004);
  expect(Math.abs(errorOf(viewed))).toBeLessThan(0.001);
  expect(errorOf(viewed)).toBeCloseTo(errorOf(plain), 4);
});

it("orientation takes marks of turned images for made on pictures of half the width, from the corner they were counted from", () => {
  const network = surveyNetwork({ seed: 45, lenses: [LENS] });
  const control = controlAt(network, CORNERS, { seed: 45, errorM: 0.02, sigmaM: 0.02 });
  const lenses = network.input.lenses.map((lens) => ({ ...lens, fullWidthPx: WIDTH_PX }));
  const viewed = asViewed({ ...network.input, lenses, control });
  const halved = viewed.control.map((target) => ({
    ...target,
    marks: target.marks.map(({ image, u, v }) => ({ image, u: u / 2 - 0.25, v: v / 2 - 0.25 })),
  }));
  const { control: atFullSize } = oriented(viewed).summary;
  const { control: atHalfSize } = oriented({ ...viewed, control: halved }).summary;

  expect(atHalfSize?.markScale).toBe(2);
  expect(atHalfSize?.points.map(({ use }) => use)).toEqual(CORNERS.map(() => "used"));
  const marks = (figures: typeof atHalfSize) =>
    figures?.points.flatMap((point) => point.marks) ?? [];
  expect(marks(atHalfSize).map(({ isUsed }) => isUsed)).not.toContain(false);
  expect(marks(atHalfSize).some(({ image }) => TURNED.includes(image))).toBe(true);
  expect(atHalfSize?.rmsM.used).toBeCloseTo(atFullSize?.rmsM.used ?? 0, 6);
});

it("orientation leaves points, lenses and pixels of turned images as they are stored", () => {
  const { input } = surveyNetwork({ seed: 42, lenses: [LENS] });
  const { cameras, lenses, points, observations } = oriented(asViewed(input));
  const image = { u: 0, v: 0, depth: 0 };
  const offPx = [...observations.point].flatMap((point, i) => {
    const camera = cameras[observations.camera[i] ?? -1];
    const lens = lenses[camera?.lens ?? -1];
    if (camera === undefined || lens === undefined || !TURNED.includes(camera.image)) return [];
    const [x = 0, y = 0, z = 0] = points.subarray(3 * point, 3 * point + 3);
    if (!project(lens, camera.pose, [x, y, z], image)) return [Number.POSITIVE_INFINITY];
    return [Math.hypot(image.u - (observations.u[i] ?? 0), image.v - (observations.v[i] ?? 0))];
  });
  expect(offPx.length).toBeGreaterThan(200);
  const rmsPx = Math.sqrt(offPx.reduce((sum, px) => sum + px ** 2, 0) / offPx.length);
  // Noise of 0.3 px on each coordinate, less what the unknowns take; one lens for both: 0.95 px.
  expect(rmsPx).toBeGreaterThan(0.3);
  expect(rmsPx).toBeLessThan(0.3 * Math.SQRT2);
});

it("orientation plans the same surface where a viewer turned every image as where it turned none", () => {
  const { input } = surveyNetwork({
    seed: 43,
    lenses: [LENS],
    strips: 3,
    perStrip: 4,
    points: 220,
  });
  // In sixteenths of a pixel, which turning does not round.
  const sixteenths = (values: Float32Array) => values.map((value) => Math.round(value * 16) / 16);
  const keypoints = input.keypoints.map(({ count, x, y }) => ({
    count,
    x: sixteenths(x),
    y: sixteenths(y),
  }));
  const exact = { ...input, keypoints };
  const every = input.priors.map((_, image) => image);
  const photo = { widthPx: 4800, heightPx: 3600 };
  const photographs = {
    images: every.map(() => photo),
    files: every.map((image) => ({ path: `${image}.jpg`, ...photo })),
  } as unknown as Parameters<typeof surfaceImages>[0];
  const surfaceOf = (given: OrientInput) => surfaceImages(photographs, oriented(given), 2400);
  const plain = surfaceOf(exact);
  const viewed = surfaceOf(asViewed(exact, every));

  expect(viewed.reconstruction.lenses).toHaveLength(1);
  expect(viewed.reconstruction.summary.focal).toHaveLength(1);
  expect(viewed.reconstruction.cameras.map(({ lens }) => lens)).toEqual(every.map(() => 0));
  expect(viewed.reconstruction.lenses[0]?.widthPx).toBe(2400);
  expect(planSurface(viewed.reconstruction)).toEqual(planSurface(plain.reconstruction));
});

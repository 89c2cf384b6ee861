import { expect, it } from "vitest";
import {
  type EarlierFlight,
  orientBlock,
} from "../../../../processing/engine/local/orient-stage.ts";
import type { SurveyBlock } from "../../../../processing/engine/local/survey-block.ts";
import type { SurveyInput } from "../../../../processing/engine/port/engine.ts";
import type { SurveyRun } from "../../../../processing/engine/run/survey-run.ts";
import { compose, rotate } from "../../../../processing/geometry/rotation.ts";
import type { OrientInput } from "../../../../processing/photogrammetry/orient/block/orientation.ts";
import { surveyNetwork, type Triple } from "../../../support/survey-network.ts";

const HALF_TURN = Float64Array.of(-1, 0, 0, 0, -1, 0, 0, 0, 1);
const { input } = surveyNetwork({ seed: 6, strips: 3, perStrip: 4, obliques: 0, points: 220 });
const COUNT = input.priors.length;
const TURNED = [2, 7];
const isTurned = (image: number) => TURNED.includes(image);
/** As the pictures have them, of which two were turned by a viewer; the tags know nothing of it. */
const pairs = input.pairs.map((pair) => {
  const ofFirst = isTurned(pair.first) ? compose(pair.rotation, HALF_TURN) : pair.rotation;
  return {
    ...pair,
    rotation: isTurned(pair.second) ? compose(HALF_TURN, ofFirst) : ofFirst,
    direction: isTurned(pair.first) ? rotate(HALF_TURN, pair.direction) : pair.direction,
  };
});

const names = input.priors.map((_, i) => `${i}.jpg`);
const block = {
  origin: input.origin,
  images: names.map((name) => ({ name, widthPx: 4_800, heightPx: 3_600 })),
  files: names.map((name) => ({ name, widthPx: 1_200, heightPx: 900 })),
  lenses: { lenses: input.lenses },
  priors: input.priors,
} as unknown as SurveyBlock;

/** Two images of a flight before, 100 m further east so that they differ from those of the block. */
const moved = (centre: Triple): Triple => [centre[0] + 100, centre[1], centre[2]];
const earlier: EarlierFlight = {
  priors: input.priors.slice(0, 2).map((prior) => ({
    ...prior,
    centre: prior.centre && moved(prior.centre),
    isOfEarlierFlight: true,
  })),
  turned: [1],
  lenses: input.lenses,
  keypoints: input.keypoints.slice(0, 2),
  pairs: input.pairs.slice(0, 1).map((pair) => ({ ...pair, first: COUNT, second: COUNT + 1 })),
  keys: ["earlier"],
};

/** What is sent to be oriented. */
async function sent(survey: Partial<SurveyInput>, flight?: EarlierFlight): Promise<OrientInput> {
  const asked: OrientInput[] = [];
  const run = {
    input: { controlPoints: [], scaleBars: [], ...survey },
    signal: new AbortController().signal,
    advance: () => undefined,
    pool: {
      async run(_task: unknown, orient: OrientInput) {
        asked.push(orient);
        return {};
      },
    },
    once: async (_stage: unknown, _keys: unknown, work: () => Promise<unknown>) => ({
      value: await work(),
    }),
  } as unknown as SurveyRun;
  const keypoints = { keypoints: input.keypoints } as unknown as Parameters<typeof orientBlock>[2];
  const matches = { key: "m", value: { pairs } } as unknown as Parameters<typeof orientBlock>[3];
  await orientBlock(run, block, keypoints, matches, [], flight);
  const [first] = asked;
  if (first === undefined) throw new Error("nothing was oriented");
  return first;
}

it("images of an earlier flight come after those of the block, with their positions, pixels and turns", async () => {
  expect((await sent({})).turned).toEqual(TURNED);
  const { priors, keypoints, pairs: all, turned } = await sent({}, earlier);
  expect(turned).toEqual([...TURNED, COUNT + 1]);
  expect(priors.map(({ centre }) => centre)).toEqual(
    [...input.priors, ...earlier.priors].map(({ centre }) => centre),
  );
  expect(priors.map(({ isOfEarlierFlight }) => isOfEarlierFlight === true)).toEqual([
    ...names.map(() => false),
    true,
    true,
  ]);
  expect(keypoints.map(({ x }) => x)).toEqual(
    [...input.keypoints, ...earlier.keypoints].map(({ x }) => x),
  );
  expect(all).toHaveLength(pairs.length + 1);
  expect(all.at(-1)).toMatchObject({ first: COUNT, second: COUNT + 1 });
});

it("marks of control points and scale bars are those of the working size, their places ENU", async () => {
  const marks = [
    { image: "3.jpg", u: 0, v: 3_599 },
    { image: "elsewhere.jpg", u: 1, v: 1 },
  ];
  const { latDeg, lonDeg, heightM } = input.origin;
  const sigmaM = { horizontal: 0.02, vertical: 0.03 };
  const point = { name: "P", latDeg, lonDeg, heightM: heightM + 5, sigmaM, isCheck: false, marks };
  const bar = { lengthM: 8, sigmaM: 0.01, ends: [{ marks }, { marks: [] }] as const };
  const { control, scaleBars } = await sent({ controlPoints: [point], scaleBars: [bar] });
  // A quarter of the size, about the corner half a pixel beside the middle of pixel 0.
  const expected = [{ image: 3, u: 0.5 / 4 - 0.5, v: 3_599.5 / 4 - 0.5 }];
  expect(control[0]?.marks).toEqual(expected);
  const [east = 1, north = 1, up = 0] = control[0]?.position ?? [];
  expect(Math.hypot(east, north)).toBeLessThan(1e-6);
  expect(up).toBeCloseTo(5, 6);
  expect(scaleBars).toEqual([{ lengthM: 8, sigmaM: 0.01, ends: [expected, []] }]);
});

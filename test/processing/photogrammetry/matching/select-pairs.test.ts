import { describe, expect, it } from "vitest";
import type { CameraPrior } from "../../../../processing/photogrammetry/camera/camera-prior.ts";
import { rotationFromGimbal } from "../../../../processing/photogrammetry/camera/gimbal-rotation.ts";
import { lensPriors } from "../../../../processing/photogrammetry/camera/lens-priors.ts";
import {
  selectPairs,
  selectPairsBetween,
} from "../../../../processing/photogrammetry/matching/select-pairs.ts";
import { flownBlock, taggedPriors } from "../../../support/block.ts";
import { surveyImage } from "../../../support/survey-image.ts";

// From 40 m with a 24 mm equivalent an image shows 69 m x 52 m less the corners; strips are 10 m apart.
const cameras = flownBlock(6, 5);
const priors = taggedPriors(cameras, 1);

function select(of: readonly CameraPrior[], relativeAltitudeM: number | undefined = 40) {
  const images = of.map((_, i) => surveyImage({ relativeAltitudeM, capturedAtMs: i * 2000 }));
  return selectPairs(images, of, lensPriors(images, 1200).lenses);
}

function isChosen(pairs: ReturnType<typeof select>, a: number, b: number): boolean {
  return pairs.some(([first, second]) => first === Math.min(a, b) && second === Math.max(a, b));
}

describe("selectPairs", () => {
  it("selectPairs ties each image to the next in its strip and to the next strip, 6 to 11 partners an image", () => {
    const pairs = select(priors);

    for (let i = 0; i + 1 < 30; i += 1) expect(isChosen(pairs, i, i + 1), `${i}`).toBe(true);
    // Strips run to and fro: image 3 of the first lies beside image 8 of the second.
    expect(isChosen(pairs, 3, 8)).toBe(true);
    expect(pairs.length).toBeGreaterThan((30 * 6) / 2);
    expect(pairs.length).toBeLessThan((30 * 14) / 2);
    expect(pairs).toEqual(pairs.toSorted(([a, b], [c, d]) => a - c || b - d));
  });

  it("selectPairs tries all pairs where no image has a position, and of many images those near in time", () => {
    const blind = priors.map((prior) => ({ ...prior, centre: undefined }));
    expect(select(blind)).toHaveLength((30 * 29) / 2);
    const [one] = blind;
    if (!one) throw new Error("no prior");
    const many = select(Array.from({ length: 100 }, () => one));
    expect(many).toHaveLength((100 * 99) / 2 - (70 * 69) / 2);
    expect(isChosen(many, 10, 40)).toBe(true);
    expect(isChosen(many, 10, 41)).toBe(false);
  });

  it("selectPairs does not pair images whose footprints are apart", () => {
    const far = priors.map((prior, i) =>
      i === 29 ? { ...prior, centre: [900, 900, 40] as const } : prior,
    );

    expect(select(far).filter((pair) => pair.includes(29))).toEqual([]);
  });

  it.each([
    ["without gimbal tags", 40, true],
    ["without height above take-off", undefined, false],
    ["with a height above take-off of 4000 m", 4000, false],
  ])("selectPairs ties strips together %s", (_, relativeAltitudeM, isUntagged) => {
    const of = isUntagged ? priors.map((prior) => ({ ...prior, rotation: undefined })) : priors;
    const pairs = select(of, relativeAltitudeM);

    expect(isChosen(pairs, 3, 8)).toBe(true);
    expect(isChosen(pairs, 8, 15)).toBe(true);
    expect(pairs.length).toBeLessThan((30 * 14) / 2);
  });

  it("selectPairs pairs an oblique image with what it shows, not with what is below its camera", () => {
    const rotation = rotationFromGimbal({ yawDeg: 90, pitchDeg: -45, rollDeg: 0 });
    const line = Array.from({ length: 12 }, (_, i) => i * 12).map((x) => ({
      rotation: rotationFromGimbal({ yawDeg: 90, pitchDeg: -90, rollDeg: 0 }),
      centre: [x, 0, 40] as const,
    }));
    const of = taggedPriors([...line, { rotation, centre: [30, 3, 40] as const }], 2);

    const partners = select(of)
      .filter(([, second]) => second === 12)
      .map(([first]) => first);

    // The middle of its image lies 40 m ahead of it, at x = 70: images 5 and 6 point there.
    expect(partners).toContain(6);
    expect(partners).not.toContain(0);
  });

  it("selectPairs pairs an image without a position with those before and after it in time", () => {
    const lost = priors.map((prior, i) => (i === 14 ? { ...prior, centre: undefined } : prior));

    expect(select(lost).filter((pair) => pair.includes(14))).toEqual([
      [13, 14],
      [14, 15],
    ]);
  });
});

describe("selectPairsBetween", () => {
  const flight = (of: readonly CameraPrior[], relativeAltitudeM: number) => ({
    images: of.map(() => surveyImage({ relativeAltitudeM })),
    priors: of,
  });
  const own = flight(priors, 40);
  const { lenses } = lensPriors(own.images, 1200);

  it("selectPairsBetween pairs each image with the four nearest of the other flight, and all of those with one", () => {
    // Flown 2 m to the east; its barometer began 35 m lower.
    const other = priors.map(({ centre, ...rest }) => ({
      ...rest,
      centre: centre && ([centre[0] + 2, centre[1], centre[2]] as const),
    }));
    const pairs = selectPairsBetween(own, flight(other, 75), lenses);

    expect(pairs.length).toBeGreaterThanOrEqual(30 * 4);
    expect(pairs.length).toBeLessThanOrEqual(30 * 5);
    expect(new Set(pairs.map(([, j]) => j)).size).toBe(30);
    expect(pairs.filter(([i, j]) => i === j).length).toBeGreaterThan(25);
  });

  it("selectPairsBetween finds nothing between flights over two sites", () => {
    const other = priors.map((prior) => ({ ...prior, centre: [500, 0, 40] as const }));

    expect(selectPairsBetween(own, flight(other, 40), lenses)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { heightRangeUnder } from "../../../../processing/grid/elevation-at.ts";
import { drawDepthBuffer } from "../../../../processing/photogrammetry/ortho/depth-buffer.ts";
import {
  photometricPoints,
  sampleColours,
} from "../../../../processing/photogrammetry/ortho/photometric-samples.ts";
import { solveGains } from "../../../../processing/photogrammetry/ortho/solve-gains.ts";
import { boxPoses, boxSurface, renderBox } from "./box-scene.ts";

describe("gains from overlaps", () => {
  const surface = boxSurface();
  const levels = [1, 0.8, 1.2, 0.9, 1.1, 1, 0.85, 1.15, 0.95, 1.05, 0.9];
  const falloff = 0.25;
  const points = photometricPoints(surface);
  const samples = boxPoses().map((pose, i) => {
    const image = renderBox(pose, levels[i], falloff);
    return sampleColours(
      image,
      drawDepthBuffer(surface, heightRangeUnder(surface, surface), image.lens, pose),
      points,
    );
  });
  const lensOfImage = levels.map(() => 0);

  /** Gain times level is one constant for all images: the overall brightness is free. */
  function spread(gains: readonly number[]): number {
    const products = gains.map((gain, i) => Math.log(gain * (levels[i] ?? 1)));
    return Math.max(...products) - Math.min(...products);
  }

  it("the fit of gains from overlaps recovers levels of 0.8 to 1.2 within 1 % and the lens's falloff of 0.25 within 0.03", () => {
    const gains = solveGains(samples, lensOfImage);
    for (const channel of [0, 1, 2] as const) {
      // Grey levels are whole numbers: an error of exactly nothing would mean that nothing was measured.
      const error = spread(gains.map(({ gain }) => gain[channel]));
      expect(error).toBeLessThan(0.01);
      expect(error).toBeGreaterThan(0);
      expect(Math.abs((gains[0]?.falloff[channel] ?? 0) - falloff)).toBeLessThan(0.03);
    }
  });

  it("the fit of gains from overlaps is not pulled by a passing cloud over a tenth of one image's samples", () => {
    const [first, ...others] = samples;
    if (first === undefined) throw new Error("no samples");
    const shaded = first.logColour.map((value, i) => (i % 30 < 3 ? value - 1 : value));
    const gains = solveGains([{ ...first, logColour: shaded }, ...others], lensOfImage);
    expect(spread(gains.map(({ gain }) => gain[0]))).toBeLessThan(0.015);
  });

  it("leaves an image without overlap as it is", () => {
    const [first, second] = samples;
    if (first === undefined || second === undefined) throw new Error("no samples");
    const blind = { ...second, logColour: second.logColour.map(() => Number.NaN) };
    expect(solveGains([first, blind], [0, 0])).toEqual([
      { gain: [1, 1, 1], falloff: [0, 0, 0] },
      { gain: [1, 1, 1], falloff: [0, 0, 0] },
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { accuracyNote, accuracyText } from "../../../processing/volume/accuracy-text.ts";
import type { VolumeUncertainty } from "../../../processing/volume/volume-uncertainty.ts";

const none = { scale: 0, focal: 0, base: 0, dome: 0, noise: 0, gaps: 0, alignment: 0 };

function uncertaintyOf(
  terms: Partial<VolumeUncertainty["terms"]>,
  changes: Partial<VolumeUncertainty> = {},
): VolumeUncertainty {
  const all = { ...none, ...terms };
  return {
    terms: all,
    sigmaM3: Math.hypot(...Object.values(all)),
    volumeM3: 523.26,
    alignment: "first",
    scaleFrom: "gps",
    nadirShare: 0.75,
    isInside: false,
    isGiven: false,
    ...changes,
  };
}

describe("accuracy as a text", () => {
  it.each([
    [200, 1.4286, "98.6%"],
    [523.26, 17.7, "93.4%"],
    [100, 0, "100.0%"],
    [100, 60, "0.0%"],
    [0, 3, "0.0%"],
    [0, 0, "0.0%"],
  ])("%d m3 with a sigma of %d m3", (volumeM3, sigmaM3, text) => {
    expect(accuracyText(volumeM3, sigmaM3)).toBe(text);
  });
});

describe("accuracy in words", () => {
  it("accuracy in words names what dominates and what would lower it (the example of docs/photogrammetry.md#uncertainty-of-a-volume)", () => {
    // Terms of 16, 6 and 4.6 m3: sigma 17.70, 95 % 34.69; with 2 % of the scale's left 1.96 * 7.57 = 14.83.
    const note = accuracyNote(uncertaintyOf({ scale: 16, base: 6, noise: 4.6 }));
    expect(note).toBe(
      "523.3 m3 +-34.7 m3 (95 %, +-6.6 %): mostly the scale from GPS; RTK, control points or a measured " +
        "scale bar would reduce it to about +-14.8 m3.",
    );
  });

  it("accuracy in words advises nothing that would not help", () => {
    const note = accuracyNote(uncertaintyOf({ focal: 2, base: 1.9, noise: 1.9 }));
    expect(note).toBe("523.3 m3 +-6.6 m3 (95 %, +-1.3 %): mostly the focal length.");
  });

  it("accuracy in words says when a volume only indicates", () => {
    const note = accuracyNote(uncertaintyOf({ base: 60 }));
    expect(note).toContain("would reduce it to about +-0.0 m3");
    expect(note).toMatch(/Indicative only\.$/);
  });

  it("accuracy in words of no volume gives no percentage", () => {
    expect(accuracyNote(uncertaintyOf({ base: 1 }, { volumeM3: 0 }))).toMatch(
      /^0\.0 m3 \+-2\.0 m3 \(95 %\): mostly uneven ground/,
    );
  });

  it("has words for every term", () => {
    for (const term of Object.keys(none)) {
      const note = accuracyNote(uncertaintyOf({ [term]: 5 }));
      expect(note).toMatch(/\(95 %, \+-1\.9 %\): mostly [a-z]/);
    }
  });
});

import { expect, it } from "vitest";
import { orientSurvey } from "../../../../processing/photogrammetry/orient/orient-survey.ts";
import { someOf } from "../../../support/some-of.ts";
import { scaleError, surveyNetwork } from "../../../support/survey-network.ts";
import { HEIGHT_ERRORS, tiltDeg, withHeights } from "../../../support/tagged-networks.ts";

/** Before: 18 and 55 degrees, scale off by 226 % and 42 %; five seeds of each case: check `level`. */
it.each(
  someOf([
    { heights: "drift", isTagged: false },
    { heights: "drift", isTagged: true },
    { heights: "barometer", isTagged: false },
  ] as const),
)("a nadir flight with heights of kind $heights comes out level, attitude tags: $isTagged", ({
  heights,
  isTagged,
}) => {
  const flown = surveyNetwork({
    ...{ seed: 1, strips: 4, perStrip: 6, obliques: 0, points: 250, gpsSigmaM: [0.8, 0.8, 1.2] },
  });
  const network = withHeights(flown, HEIGHT_ERRORS[heights], isTagged);
  const { reconstruction } = orientSurvey(network.input);
  if (!reconstruction) throw new Error("no reconstruction");
  const { cameras, summary } = reconstruction;
  const tilt = tiltDeg(network, reconstruction);
  expect(tilt).toBeLessThan(1.5);
  expect(tilt).toBeLessThan((2 * summary.tiltSigmaRad * 180) / Math.PI);
  expect(summary.heights?.isDoubted).toBe(true);
  expect(summary.nadirShare).toBe(1);
  // The ground rises by less than a degree; a lean of the model would be in it.
  expect((summary.groundTiltRad * 180) / Math.PI).toBeLessThan(3);
  const error = scaleError(
    cameras.map(({ pose }) => pose.centre),
    cameras.map(({ image, pose }) => network.cameras[image]?.centre ?? pose.centre),
  );
  expect(Math.abs(error)).toBeLessThan(2 * summary.scaleSigma);
});

import { describe, expect, it } from "vitest";
import { createEnuFrame } from "../../../../processing/geometry/enu.ts";
import { lensPriors } from "../../../../processing/photogrammetry/camera/lens-priors.ts";
import type {
  PositionTags,
  SurveyImage,
} from "../../../../processing/photogrammetry/camera/survey-image.ts";
import { cameraPriors } from "../../../../processing/photogrammetry/reconstruction/camera-priors.ts";
import { surveyImage } from "../../../support/survey-image.ts";

const place: PositionTags = {
  latDeg: 0,
  lonDeg: 0,
  altitudeM: 140,
  sigmaM: undefined,
  isRtk: false,
};

function priors(...images: readonly SurveyImage[]) {
  const frame = createEnuFrame({ latDeg: 0, lonDeg: 0, heightM: 100 });
  return cameraPriors(images, lensPriors(images, 1200), frame);
}

describe("cameraPriors", () => {
  it("cameraPriors places a consumer's image by its altitude with 1.5 m and 2.5 m, 3.5 degrees", () => {
    const [prior] = priors(surveyImage());

    expect(prior).toMatchObject({
      lens: 0,
      centre: [0, 0, 40],
      centreSigmaM: [1.5, 1.5, 2.5],
      isRtk: false,
    });
    expect(prior?.rotationSigmaRad).toBeCloseTo(0.0611, 4);
  });

  it("cameraPriors takes what an RTK receiver states, but not below 1 cm", () => {
    const sigmaM = { horizontal: 0.004, vertical: 0.023 };
    const [prior] = priors(surveyImage({ position: { ...place, isRtk: true, sigmaM } }));

    expect(prior).toMatchObject({ isRtk: true, centreSigmaM: [0.01, 0.01, 0.023] });
  });

  it("cameraPriors takes heights above take-off for all images when none has an altitude", () => {
    const position = { ...place, altitudeM: undefined };

    const [first, second] = priors(
      surveyImage({ position, relativeAltitudeM: 140 }),
      surveyImage({ position, relativeAltitudeM: 141 }),
    );

    expect((second?.centre?.[2] ?? 0) - (first?.centre?.[2] ?? 0)).toBe(1);
  });

  it("cameraPriors does not mix two sources of height: one image without altitude is unsure by 100 m", () => {
    const [, second] = priors(
      surveyImage(),
      surveyImage({ position: { ...place, altitudeM: undefined } }),
    );

    expect(second).toMatchObject({ centre: [0, 0, 0], centreSigmaM: [1.5, 1.5, 100] });
  });

  it("cameraPriors has no centre without position and no rotation without gimbal", () => {
    const [prior] = priors(surveyImage({ position: undefined, gimbal: undefined }));

    expect(prior?.centre).toBeUndefined();
    expect(prior?.rotation).toBeUndefined();
  });
});

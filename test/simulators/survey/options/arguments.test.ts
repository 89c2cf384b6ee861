import { describe, expect, it } from "vitest";
import {
  parseSurveyArguments,
  SURVEY_HELP,
} from "../../../../simulators/survey/options/arguments.ts";
import { SURVEY_DEFAULTS } from "../../../../simulators/survey/options/options.ts";

describe("parseSurveyArguments", () => {
  it("parseSurveyArguments has 36 images of 1200 px, 8 of them oblique, without arguments", () => {
    const asked = parseSurveyArguments(["--workers", "2"]);
    expect(asked).toEqual({
      options: SURVEY_DEFAULTS,
      out: "./survey",
      workers: 2,
      listPiles: false,
    });
  });

  it("parseSurveyArguments reads every option", () => {
    const asked = parseSurveyArguments(
      "--seed 7 --out x --width 800 --images 12 --obliques 4 --epoch 2 --piles --rtk --gps-sigma 0.05 --altitude 50 --overlap 80,70 --slope 8.5 --contrast 0.3 --focal-off=-2.5 --speed 6 --exposure-ms 2 --readout-ms 30 --noise 3 --quality 80 --gcp 5 --workers 0 --faults blank,rotated=#2-3,blurred=1,no-gps".split(
        " ",
      ),
    );
    expect(asked).toEqual({
      out: "x",
      workers: 0,
      listPiles: true,
      options: {
        seed: 7,
        widthPx: 800,
        images: 12,
        obliques: 4,
        epoch: 2,
        gps: "rtk",
        gpsSigmaM: 0.05,
        altitudeM: 50,
        overlap: { forward: 80, side: 70 },
        slopePercent: 8.5,
        contrast: 0.3,
        focalOffPercent: -2.5,
        speedMps: 6,
        exposureMs: 2,
        readoutMs: 30,
        noise: 3,
        jpegQuality: 80,
        controlPoints: 5,
        faults: [
          { fault: "blank" },
          { fault: "rotated", images: { indices: [2, 3] } },
          { fault: "blurred", images: { count: 1 } },
          { fault: "no-gps", images: "all" },
        ],
      },
    });
  });

  it.each([
    ["--images 0", '--images "0" is not a whole number from 1 to 1000'],
    ["--width 99", '--width "99" is not a whole number from 160 to 4000'],
    ["--epoch x", '--epoch "x" is not a whole number from 1 to 9'],
    [
      "--gps sbas",
      '--gps "sbas" is not one of rtk, white, bias, ar1, plan-drift, barometer, altitude-drift, exact',
    ],
    ["--rtk --gps white", "--rtk and --gps white exclude each other"],
    ["--overlap 75", '--overlap "75" is not two numbers from 0 to 95'],
    ["--images 5 --obliques 6", "--obliques 6 is more than --images 5"],
    ["--faults fog", '--faults "fog": there is no fault "fog"; there are: rotated'],
    ["--faults rotated=40", '"40" is neither a number of images from 1 to 36'],
    ["--faults rotated=#5-40", '--faults "rotated=#5-40": images are #0 to #35'],
    ["--faults blank=2", "blank concerns the whole survey"],
    ["--colour red", "--colour"],
  ])("parseSurveyArguments refuses %s and says what is allowed", (line, message) => {
    expect(() => parseSurveyArguments(line.split(" "))).toThrow(message);
  });

  it("parseSurveyArguments answers --help with every option and fault", () => {
    expect(parseSurveyArguments(["--help"])).toBeUndefined();
    for (const name of ["--readout-ms", "--gcp", "lens-cap", "half-block", "mixed-cameras"]) {
      expect(SURVEY_HELP).toContain(name);
    }
  });
});

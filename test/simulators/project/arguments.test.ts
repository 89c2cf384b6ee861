import { describe, expect, it } from "vitest";
import { parseProjectArguments } from "../../../simulators/project/arguments.ts";
import { PROJECT_DEFAULTS } from "../../../simulators/project/plan/options.ts";
import { planProject } from "../../../simulators/project/plan/plan-project.ts";

describe("parseProjectArguments", () => {
  it("parseProjectArguments takes the defaults where nothing is asked for", () => {
    expect(parseProjectArguments([])).toMatchObject({
      out: "./project",
      withFlights: true,
      withCameras: true,
      onlyWeek: undefined,
      options: PROJECT_DEFAULTS,
    });
  });

  it("parseProjectArguments reads what is asked for", () => {
    const asked = parseProjectArguments(
      "--seed 7 --weeks 4 --images 20 --gps ar1 --zones emb,EXC --knock 2,3 --baseline none --only-week 4 --no-cameras"
        .split(" ")
        .concat("--project", "north_yard"),
    );
    expect(asked).toMatchObject({ withCameras: false, onlyWeek: 4 });
    expect(asked?.options).toMatchObject({
      ...{ seed: 7, weeks: 4, images: 20, obliques: 4, gps: "ar1", project: "north_yard" },
      ...{ zones: ["EMB", "EXC"], knocked: { camera: 2, week: 3 }, baseline: "none" },
    });
  });

  it.each([
    ["--weeks 1", '--weeks "1" is not a whole number from 2 to 52'],
    ["--images 8 --obliques 4", "6 of the images or more must look straight down"],
    ["--only-week 13", '--only-week "13" is not a whole number from 1 to 12'],
    ["--knock 3,4", "is not a camera from 1 to 2 and a week from 2 to 12"],
    ["--knock 1,1", "is not a camera from 1 to 2 and a week from 2 to 12"],
    ["--cameras 5", '--cameras "5" is not a whole number from 0 to 4'],
    ["--baseline lidar", '--baseline "lidar" is not one of none, raster'],
    ["--project a/b", '--project "a/b" is not 1 to 40 of'],
    ["--gps good", '--gps "good" is not one of rtk'],
    ["--rtk --gps ar1", "--rtk and --gps ar1 exclude each other"],
    ["--speed 4", "--help lists the options"],
  ])("parseProjectArguments refuses %s", (text, message) => {
    expect(() => parseProjectArguments(text.split(" "))).toThrow(message);
  });

  it("parseProjectArguments yields nothing where help is asked for", () => {
    expect(parseProjectArguments(["--help"])).toBeUndefined();
  });
});

describe("planProject", () => {
  it("planProject refuses zones that there are not, naming those that there are", () => {
    const options = { ...PROJECT_DEFAULTS, zones: ["EMB", "XYZ"] };
    expect(() => planProject(options)).toThrow('there is no zone "XYZ"; there are: EMB, EXC');
  });

  it("planProject refuses a height from which the images do not cover the zones, naming the one that would do", () => {
    const options = { ...PROJECT_DEFAULTS, altitudeM: 30 };
    expect(() => planProject(options)).toThrow(
      /--altitude 30 .* does not cover .* \d\d m or higher/,
    );
  });

  it("planProject flies on Sundays, a week apart and from the day before work begins, low enough to see 3 x the images", () => {
    const { weeks, altitudeM } = planProject(PROJECT_DEFAULTS);
    const days = weeks.map(({ startMs }) => Math.floor(startMs / 86_400_000));
    // 2025-05-04 is a Sunday.
    expect(days).toEqual(weeks.map((_, i) => Date.UTC(2025, 4, 4) / 86_400_000 + 7 * i));
    const finer = planProject({ ...PROJECT_DEFAULTS, images: 54, obliques: 12 });
    expect(finer.altitudeM).toBeLessThan(0.65 * altitudeM);
  });
});

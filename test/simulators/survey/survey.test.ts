import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import exifr from "exifr";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { SURVEY_DEFAULTS } from "../../../simulators/survey/options/options.ts";
import { runSurvey } from "../../../simulators/survey/run.ts";
import {
  readTruthRaster,
  type SurveySet,
  surveySet,
  TINY_SURVEY,
} from "../../support/survey-sets.ts";

let set: SurveySet;
beforeAll(async () => {
  set = await surveySet(TINY_SURVEY, 0);
});

describe("a tiny survey", () => {
  it("a tiny survey has 12 images of 480 x 360, named and ordered as in its truth", async () => {
    expect(set.images).toHaveLength(12);
    for (const path of set.images) {
      const { width, height, format, orientation } = await sharp(path).metadata();
      expect({ width, height, format, orientation }).toEqual({
        width: 480,
        height: 360,
        format: "jpeg",
        orientation: 1,
      });
    }
  });

  it("a tiny survey tags position and gimbal as the truth with its stated errors says", async () => {
    const camera = set.truth.cameras[10];
    const tags = await exifr.parse(set.images[10] ?? "", {
      multiSegment: true,
      xmp: true,
      tiff: true,
      exif: true,
      gps: true,
    });
    const { origin } = set.truth;
    // Metres per degree at 51.47 north on WGS 84, from the meridian's and the parallel's radius.
    const north = (tags.latitude - origin.latDeg) * 111_267;
    const east = (tags.longitude - origin.lonDeg) * 69_487;
    expect(east).toBeCloseTo((camera?.centre[0] ?? 0) + (camera?.tagError.position[0] ?? 0), 1);
    expect(north).toBeCloseTo((camera?.centre[1] ?? 0) + (camera?.tagError.position[1] ?? 0), 1);
    expect(tags.GPSAltitude).toBeCloseTo(
      origin.heightM + (camera?.centre[2] ?? 0) + (camera?.tagError.position[2] ?? 0),
      2,
    );
    expect(tags.GimbalPitchDegree).toBeCloseTo(
      (camera?.pitchDeg ?? 0) + (camera?.tagError.pitchDeg ?? 0),
      2,
    );
    expect(tags).toMatchObject({
      Make: "DJI",
      Model: "SIM-24",
      RtkFlag: 50,
      FocalLengthIn35mmFormat: 24,
    });
  });

  it("a tiny survey shows its targets where the truth marks them: a corner of black and white fields", async () => {
    const [bar] = set.truth.scaleBars;
    const marks = (bar?.ends ?? []).flatMap((end) => end.marks);
    expect(marks.length).toBeGreaterThan(4);
    const { data } = await sharp(set.images[imageIndex(marks[0]?.image)])
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { trueU = 0, trueV = 0 } = marks[0] ?? {};
    // Around the middle of the plate opposite fields are alike and neighbours differ: the sum over
    // (left - right) * (upper - lower) of a checkered square is far from zero.
    const at = (du: number, dv: number) =>
      data[Math.round(trueV + dv) * 480 + Math.round(trueU + du)] ?? 0;
    const checkered = Math.abs(at(-2, -2) + at(2, 2) - at(-2, 2) - at(2, -2));
    expect(checkered).toBeGreaterThan(80);
  });

  it("a tiny survey has a true surface that lies a pile's volume above the true ground, within 0.5 % at 10 cm", async () => {
    const surface = await readTruthRaster(set, "surfaceEnu");
    const ground = await readTruthRaster(set, "groundEnu");
    for (const pile of set.truth.piles) {
      const [east, north] = pile.centre;
      let volumeM3 = 0;
      for (let row = 0; row < surface.height; row += 1) {
        for (let column = 0; column < surface.width; column += 1) {
          const e = surface.westM + (column + 0.5) * surface.cellM - east;
          const n = surface.northM - (row + 0.5) * surface.cellM - north;
          if (Math.hypot(e, n) > 7) continue;
          const i = row * surface.width + column;
          volumeM3 += (surface.elevationM[i] ?? 0) - (ground.elevationM[i] ?? 0);
        }
      }
      expect(Math.abs((volumeM3 * 0.01) / pile.volumeM3 - 1)).toBeLessThan(0.005);
    }
    expect(set.truth.piles.length).toBeGreaterThanOrEqual(2);
  });

  it("a tiny survey is the same on two threads as on none, byte by byte (three images of 160 px)", async () => {
    const options = { ...SURVEY_DEFAULTS, ...TINY_SURVEY, widthPx: 160, images: 3, obliques: 1 };
    const { signal } = new AbortController();
    const folders = await Promise.all(
      [0, 2].map(() => mkdtemp(join(tmpdir(), "plumbline-survey-"))),
    );
    try {
      const [alone = "", threaded = ""] = folders;
      await runSurvey(options, { out: alone, workers: 0, signal });
      await runSurvey(options, { out: threaded, workers: 2, signal });
      const names = (await readdir(alone)).sort();
      expect(names).toHaveLength(7);
      for (const name of names) {
        const [one, other] = [
          await readFile(join(alone, name)),
          await readFile(join(threaded, name)),
        ];
        expect({ name, isSame: one.equals(other) }).toEqual({ name, isSame: true });
      }
    } finally {
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    }
  });
});

function imageIndex(name: string | undefined): number {
  return set.truth.cameras.findIndex(({ image }) => image === name);
}

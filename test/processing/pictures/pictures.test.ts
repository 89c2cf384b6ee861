import { describe, expect, it } from "vitest";
import { viridis } from "../../../processing/pictures/colour-ramp.ts";
import { hillshade } from "../../../processing/pictures/hillshade.ts";
import {
  heightPicture,
  hillshadePicture,
  orthoPicture,
  roundLength,
  scorePicture,
  viewsPicture,
} from "../../../processing/pictures/map-pictures.ts";
import { smallSurface } from "../photogrammetry/products/small-survey.ts";

function tilted(toEast: number, toNorth: number) {
  const elevationM = Float32Array.from(
    { length: 25 },
    (_, i) => toEast * (i % 5) - toNorth * Math.floor(i / 5),
  );
  return { westM: 0, northM: 5, cellM: 1, width: 5, height: 5, elevationM };
}
const middle = 12;

describe("hillshade", () => {
  it("hillshade lights level ground with the sine of 30 degrees: 128 of 255", () => {
    expect(hillshade(tilted(0, 0))[middle]).toBe(128);
  });

  it("hillshade follows Mark's formula on a slope that faces north-west", () => {
    // Slope 1 in 2, doubled to 1 in 1, rising to the south-east: gradient (g, -g), g = 1 / sqrt 2.
    const g = 0.5 / Math.SQRT2;
    const [sine, cosine] = [0.5, Math.sqrt(3) / 2];
    // Lamps at 225, 270, 315, 360 deg; downhill is 315: weights sin2 of 90, 45, 0, 45 degrees.
    const lit = (degreesOff: number) =>
      (sine + cosine * Math.cos((degreesOff * Math.PI) / 180)) / Math.SQRT2;
    const expected = (1 * lit(90) + 0.5 * lit(45) + 0 + 0.5 * lit(45)) / 2;
    expect(hillshade(tilted(g, -g))[middle]).toBe(Math.round(255 * expected));
  });

  it("hillshade is 0 where there is no data and never elsewhere", () => {
    const surface = tilted(3, 3);
    surface.elevationM[7] = Number.NaN;
    const zeros = [...hillshade(surface)].flatMap((shade, i) => (shade === 0 ? [i] : []));
    expect(zeros).toEqual([7]);
  });
});

describe("pictures", () => {
  const surface = smallSurface();

  it("pictures draw each map large enough for its legend, no data white", () => {
    for (const picture of [
      heightPicture(surface),
      hillshadePicture(surface),
      scorePicture(surface),
      viewsPicture(surface),
    ]) {
      // 40 cells x 12, 32 cells x 12 and the strip of 44.
      expect([picture.width, picture.height]).toEqual([480, 428]);
      expect(picture.rgba).toHaveLength(480 * 428 * 4);
    }
    expect([...heightPicture(surface).rgba.slice(0, 4)]).toEqual([255, 255, 255, 255]);
  });

  it("pictures show two views in red and three in the ramp's first colour", () => {
    const { rgba, width } = viewsPicture(surface);
    const colourOf = (cell: number) => {
      const at = (Math.floor(cell / 40) * 12 * width + (cell % 40) * 12) * 4;
      return [...rgba.slice(at, at + 3)];
    };
    expect(colourOf(200)).toEqual([196, 60, 60]);
    expect(colourOf(201)).toEqual([0x44, 0x01, 0x54]);
  });

  it("pictures draw a scale bar of a round length: 20 m wide ground gets 5 m, 120 pixels", () => {
    const { rgba, width, height } = scorePicture(surface);
    const y = height - 15;
    let ink = 0;
    for (let x = 0; x < width / 2; x += 1) if (rgba[(y * width + x) * 4] === 30) ink += 1;
    expect(ink).toBeGreaterThanOrEqual(60);
    expect([0.07, 0.99, 1, 6.6, 23, 900].map(roundLength)).toEqual([0.05, 0.5, 1, 5, 20, 500]);
  });

  it("viridis grows steadily lighter: it is readable in grey print", () => {
    let last = -1;
    for (let share = 0; share <= 1.0001; share += 0.02) {
      const [r, g, b] = viridis(share);
      const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
      expect(luminance).toBeGreaterThan(last);
      last = luminance;
    }
  });

  it("an orthophoto's preview is halved to fit, on white", () => {
    const rgba = new Uint8Array(100 * 60 * 4);
    for (let i = 0; i < 100 * 60; i += 1) if (i % 100 < 50) rgba.set([10, 20, 30, 255], i * 4);
    const frame = { westM: 0, northM: 0, cellM: 1, width: 100, height: 60 };
    const preview = orthoPicture({ ...frame, rgba }, 40);
    expect([preview.width, preview.height]).toEqual([25, 15]);
    expect([...preview.rgba.slice(0, 4)]).toEqual([10, 20, 30, 255]);
    expect([...preview.rgba.slice(24 * 4, 25 * 4)]).toEqual([255, 255, 255, 255]);
  });
});

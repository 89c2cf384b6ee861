import { describe, expect, it } from "vitest";
import { texturePicture } from "../../../../processing/photogrammetry/products/fill-unseen.ts";

const frame = { westM: 0, northM: 0, cellM: 1 };

function orthoOf(width: number, height: number, colourAt: (x: number, y: number) => number[]) {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i += 1) {
    rgba.set(colourAt(i % width, Math.floor(i / width)), i * 4);
  }
  return { ...frame, width, height, rgba };
}

describe("an orthophoto as a texture", () => {
  it("an orthophoto as a texture keeps what was seen, and fills gaps with the colours from around them", () => {
    // Red in the west, blue in the east, a gap of four columns in each half's middle.
    const ortho = orthoOf(32, 8, (x) => {
      if (x % 16 >= 6 && x % 16 < 10) return [0, 0, 0, 0];
      return x < 16 ? [200, 10, 10, 255] : [10, 10, 200, 255];
    });
    const { width, height, rgba } = texturePicture(ortho, 64);
    expect([width, height]).toEqual([32, 8]);
    for (let i = 0; i < 32 * 8; i += 1) {
      const expected = i % 32 < 16 ? [200, 10, 10, 255] : [10, 10, 200, 255];
      expect([...rgba.slice(i * 4, i * 4 + 4)]).toEqual(expected);
    }
  });

  it("spreads a single colour over all that was not seen, at odd sizes too", () => {
    const ortho = orthoOf(13, 7, (x, y) => (x === 12 && y === 0 ? [1, 2, 3, 255] : [0, 0, 0, 0]));
    const { rgba } = texturePicture(ortho, 64);
    const colours = new Set(
      Array.from({ length: 91 }, (_, i) => rgba.slice(i * 4, i * 4 + 4).join()),
    );
    expect(colours).toEqual(new Set(["1,2,3,255"]));
  });

  it("an orthophoto as a texture is halved until it fits, white where nothing was seen", () => {
    const { width, height, rgba } = texturePicture(
      orthoOf(100, 60, () => [9, 9, 9, 0]),
      40,
    );
    expect([width, height]).toEqual([25, 15]);
    expect(new Set(rgba)).toEqual(new Set([255]));
  });
});

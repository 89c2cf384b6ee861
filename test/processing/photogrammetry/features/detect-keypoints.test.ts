import { describe, expect, it } from "vitest";
import { detectKeypoints } from "../../../../processing/photogrammetry/features/detect-keypoints.ts";
import type { Keypoints } from "../../../../processing/photogrammetry/features/keypoints.ts";
import { spreadOverGrid } from "../../../../processing/photogrammetry/features/spread.ts";
import { matchKeypoints } from "../../../../processing/photogrammetry/matching/match-keypoints.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

interface Blob {
  readonly x: number;
  readonly y: number;
  readonly sigma: number;
  readonly height: number;
}

function blobs(count: number, width: number, height: number): readonly Blob[] {
  const random = seededRandom(4);
  return Array.from({ length: count }, () => ({
    x: width * random(),
    y: height * random(),
    sigma: 1.5 + 5 * random() ** 2,
    height: 90 * (random() - 0.5),
  }));
}

/** Gaussian blobs on grey, as bytes. */
function picture(width: number, height: number, all: readonly Blob[]): Uint8Array {
  const sum = new Float64Array(width * height).fill(128);
  for (const { x, y, sigma, height: peak } of all) {
    const reach = Math.ceil(4 * sigma);
    for (let v = Math.max(0, Math.ceil(y - reach)); v < Math.min(height, y + reach); v += 1) {
      for (let u = Math.max(0, Math.ceil(x - reach)); u < Math.min(width, x + reach); u += 1) {
        const place = v * width + u;
        const value = peak * Math.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * sigma ** 2));
        sum[place] = (sum[place] ?? 0) + value;
      }
    }
  }
  return Uint8Array.from(sum, (value) => Math.min(255, Math.max(0, Math.round(value))));
}

const [WIDTH, HEIGHT] = [321, 257];
const scene = blobs(700, WIDTH, HEIGHT);
const image = picture(WIDTH, HEIGHT, scene);

/** Share of `a`'s keypoints that match one of `b` where `place` has it, within 1 px. */
function foundAgain(
  a: Keypoints,
  b: Keypoints,
  place: (x: number, y: number) => readonly number[],
) {
  const matches = matchKeypoints(a, b);
  let right = 0;
  for (let k = 0; k < matches.length; k += 2) {
    const i = matches[k] ?? 0;
    const j = matches[k + 1] ?? 0;
    const [x = 0, y = 0] = place(a.x[i] ?? 0, a.y[i] ?? 0);
    if (Math.hypot(x - (b.x[j] ?? 0), y - (b.y[j] ?? 0)) < 1) right += 1;
  }
  return { ofKeypoints: right / a.count, ofMatches: right / (matches.length / 2) };
}

describe("detectKeypoints", () => {
  it.each([
    2.5, 4, 7,
  ])("detectKeypoints finds a blob of sigma %f px between pixels, with its size", (sigma) => {
    const bytes = picture(160, 128, [{ x: 70.3, y: 61.8, sigma, height: 90 }]);
    const { count, x, y, scale } = detectKeypoints(bytes, 160, 128, { maxKeypoints: 50 });

    expect(count).toBeGreaterThan(0);
    // Bytes are rounded: a blob of 90 levels can be located to a tenth of a pixel.
    expect(Math.abs((x[0] ?? 0) - 70.3)).toBeLessThan(0.15);
    expect(Math.abs((y[0] ?? 0) - 61.8)).toBeLessThan(0.15);
    // The normalised Laplacian of a Gaussian is largest at its own sigma (Lindeberg 1998); the
    // difference of two levels a third of an octave apart lies up to 12 % beside it.
    expect((scale[0] ?? 0) / sigma).toBeGreaterThan(0.8);
    expect((scale[0] ?? 0) / sigma).toBeLessThan(1.1);
  });

  it("detectKeypoints finds most keypoints of a picture again when it is darker, paler and 3 px to the side", () => {
    const moved = scene.map((blob) => ({
      ...blob,
      x: blob.x + 3,
      y: blob.y + 2,
      height: 0.6 * blob.height,
    }));
    const darker = picture(WIDTH, HEIGHT, moved).map((value) => value - 40);
    const a = detectKeypoints(image, WIDTH, HEIGHT, { maxKeypoints: 400 });
    const b = detectKeypoints(darker, WIDTH, HEIGHT, { maxKeypoints: 400 });

    const again = foundAgain(a, b, (x, y) => [x + 3, y + 2]);
    expect(again.ofKeypoints).toBeGreaterThan(0.6);
    expect(again.ofMatches).toBeGreaterThan(0.97);
  });

  it("detectKeypoints finds most keypoints again, turned by 90 degrees, when the picture is", () => {
    // Both edges are odd, so that halving takes the same pixels of the turned picture.
    const turned = new Uint8Array(WIDTH * HEIGHT);
    image.forEach((value, i) => {
      const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
      turned[x * HEIGHT + (HEIGHT - 1 - y)] = value;
    });
    const a = detectKeypoints(image, WIDTH, HEIGHT, { maxKeypoints: 400 });
    const b = detectKeypoints(turned, HEIGHT, WIDTH, { maxKeypoints: 400 });

    const again = foundAgain(a, b, (x, y) => [HEIGHT - 1 - y, x]);
    expect(again.ofKeypoints).toBeGreaterThan(0.7);
    expect(again.ofMatches).toBeGreaterThan(0.97);
    const matches = matchKeypoints(a, b);
    const turns = Array.from({ length: matches.length / 2 }, (_, k) => {
      const turn = (b.angle[matches[2 * k + 1] ?? 0] ?? 0) - (a.angle[matches[2 * k] ?? 0] ?? 0);
      return Math.abs(Math.atan2(-Math.cos(turn), Math.sin(turn)));
    });
    expect(turns.filter((turn) => turn < 0.05).length / turns.length).toBeGreaterThan(0.95);
  });

  it("detectKeypoints finds most keypoints again, turned by 30 degrees, 1.25 times as large", () => {
    const [cosine, sine] = [1.25 * Math.cos(Math.PI / 6), 1.25 * Math.sin(Math.PI / 6)];
    const place = (x: number, y: number) =>
      [
        160 + cosine * (x - 160) - sine * (y - 128),
        128 + sine * (x - 160) + cosine * (y - 128),
      ] as const;
    const larger = scene.map((blob) => {
      const [x, y] = place(blob.x, blob.y);
      return { ...blob, x, y, sigma: 1.25 * blob.sigma };
    });
    const a = detectKeypoints(image, WIDTH, HEIGHT, { maxKeypoints: 400 });
    const b = detectKeypoints(picture(WIDTH, HEIGHT, larger), WIDTH, HEIGHT, { maxKeypoints: 400 });

    const again = foundAgain(a, b, place);
    // About a third of the picture is turned out of the frame.
    expect(again.ofKeypoints).toBeGreaterThan(0.3);
    expect(again.ofMatches).toBeGreaterThan(0.95);
  });

  it("detectKeypoints gives the same bytes again after another image, and no more keypoints than asked for", () => {
    const before = detectKeypoints(image, WIDTH, HEIGHT, { maxKeypoints: 200 });
    detectKeypoints(picture(500, 90, blobs(300, 500, 90)), 500, 90, { maxKeypoints: 200 });
    const again = detectKeypoints(image, WIDTH, HEIGHT, { maxKeypoints: 200 });

    expect(before.count).toBe(200);
    expect(again.count).toBe(200);
    for (const part of ["x", "y", "scale", "angle", "descriptors"] as const) {
      const [a, b] = [before[part], again[part]].map(({ buffer }) => Buffer.from(buffer));
      expect(a?.equals(b ?? Buffer.alloc(0)), part).toBe(true);
    }
  });

  it("detectKeypoints gives descriptors of length 512 within 1 %", () => {
    const { count, descriptors } = detectKeypoints(image, WIDTH, HEIGHT, { maxKeypoints: 200 });
    const lengths = Array.from({ length: count }, (_, k) =>
      Math.hypot(...descriptors.subarray(128 * k, 128 * (k + 1))),
    );

    expect(Math.min(...lengths)).toBeGreaterThan(507);
    expect(Math.max(...lengths)).toBeLessThan(517);
  });

  it("detectKeypoints finds nothing in a blank image, and nothing in one that is too small", () => {
    expect(
      detectKeypoints(new Uint8Array(200 * 150).fill(90), 200, 150, { maxKeypoints: 99 }).count,
    ).toBe(0);
    expect(
      detectKeypoints(new Uint8Array(12 * 9).fill(90), 12, 9, { maxKeypoints: 99 }).count,
    ).toBe(0);
  });
});

describe("spreadOverGrid", () => {
  it("spreadOverGrid takes the strongest of each cell before the second strongest of any", () => {
    // Cells of 10 px: 30 strong places in one, one weak place in each of 20 others.
    const strong = Array.from({ length: 30 }, (_, i) => ({ x: 5, y: 5, strength: 100 + i }));
    const weak = Array.from({ length: 20 }, (_, i) => ({
      x: 15 + 10 * (i % 10),
      y: 25 + 10 * Math.floor(i / 10),
      strength: 1,
    }));

    const chosen = spreadOverGrid([...strong, ...weak], 120, 90, 21);

    expect(chosen[0]).toBe(29);
    expect(chosen.slice(1)).toEqual(weak.map((_, i) => 30 + i));
  });

  it("spreadOverGrid fills up with the strongest that are left, and gives no more than there are", () => {
    const places = [3, 1, 2].map((strength) => ({ x: 1, y: 1, strength }));

    expect(spreadOverGrid(places, 100, 100, 2)).toEqual([0, 2]);
    expect(spreadOverGrid(places, 100, 100, 9)).toEqual([0, 2, 1]);
  });

  it("spreadOverGrid takes more places in one cell than a call takes arguments", () => {
    const places = Array.from({ length: 300_000 }, (_, i) => ({ x: 1, y: 1, strength: i }));

    expect(spreadOverGrid(places, 100, 100, 3)).toEqual([299_999, 299_998, 299_997]);
  });
});

import { describe, expect, it } from "vitest";
import { kernel } from "../../../../processing/photogrammetry/features/scale-space.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

/** A plane of random values in the kernel's memory at `address`, and the same in ours. */
function randomPlane(address: number, stride: number, height: number, seed: number): Float32Array {
  const random = seededRandom(seed);
  const values = Float32Array.from({ length: stride * height }, () => random() - 0.5);
  kernel.f32(address, values.length).set(values);
  return values;
}

describe("the SIFT kernel", () => {
  it.each([
    [37, 23, 4],
    [40, 9, 10],
    [18, 30, 1],
  ])("the SIFT kernel blurs %i x %i pixels at radius %i as plain loops do, edges repeated", (width, height, radius) => {
    const stride = (width + 3) & ~3;
    const plane = stride * height * 4 + 64;
    const temporaryBytes = plane + 2 * radius * stride * 4;
    const at = kernel.layout({
      from: plane,
      to: plane,
      temporary: temporaryBytes,
      line: 512,
      weights: 64,
    });
    const values = randomPlane(at.from, stride, height, 7);
    const weights = Float32Array.from({ length: radius + 1 }, (_, i) => 1 / (radius + i + 2));
    kernel.f32(at.weights, radius + 1).set(weights);

    const { from, to, temporary, line } = at;
    kernel.functions.blur(from, width, height, stride, at.weights, radius, line, temporary, to);

    const blurred = kernel.f32(at.to, stride * height);
    const pixel = (x: number, y: number) =>
      values[Math.min(height - 1, Math.max(0, y)) * stride + Math.min(width - 1, Math.max(0, x))] ??
      0;
    let worst = 0;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        let sum = 0;
        for (let dy = -radius; dy <= radius; dy += 1) {
          for (let dx = -radius; dx <= radius; dx += 1) {
            const weight = (weights[Math.abs(dx)] ?? 0) * (weights[Math.abs(dy)] ?? 0);
            sum += weight * pixel(x + dx, y + dy);
          }
        }
        worst = Math.max(worst, Math.abs(sum - (blurred[y * stride + x] ?? 0)));
      }
    }
    // Single precision: some 1e-7 a term.
    expect(worst).toBeLessThan(1e-5);
  });

  it("the SIFT kernel finds the extrema among 26 neighbours that plain loops find", () => {
    const [width, height, stride, border] = [41, 29, 44, 3];
    const plane = stride * height * 4 + 64;
    const at = kernel.layout({ finer: plane, here: plane, coarser: plane, out: 8000 });
    const planes = [at.finer, at.here, at.coarser].map((address, k) =>
      randomPlane(address, stride, height, k + 1),
    );
    const expected: number[] = [];
    for (let y = border; y < height - border; y += 1) {
      for (let x = border; x < width - border; x += 1) {
        const value = planes[1]?.[y * stride + x] ?? 0;
        const around = planes.flatMap((values) =>
          [-1, 0, 1].flatMap((dy) =>
            [-1, 0, 1].map((dx) => values[(y + dy) * stride + x + dx] ?? 0),
          ),
        );
        const isTop = value > 0 && value === Math.max(...around);
        const isBottom = value < 0 && value === Math.min(...around);
        if (Math.abs(value) > 0.3 && (isTop || isBottom)) expected.push(x, y);
      }
    }

    const { finer, here, coarser, out } = at;
    const find = (capacity: number) =>
      kernel.functions.extrema(
        finer,
        here,
        coarser,
        width,
        height,
        stride,
        border,
        0.3,
        out,
        capacity,
      );

    expect(expected.length).toBeGreaterThan(20);
    expect(find(1000)).toBe(expected.length / 2);
    expect([...kernel.i32(out, expected.length)]).toEqual(expected);
    expect(find(5)).toBe(5);
  });

  it.each([
    0, 37, 90, 151, 200, 315,
  ])("the SIFT kernel has all gradients of a ramp along %i degrees in its bins", (deg) => {
    const [size, stride] = [64, 64];
    const at = kernel.layout({
      plane: stride * size * 4 + 64,
      window: 80,
      scratch: 1456 * 4,
      histogram: 144,
    });
    const along = (deg * Math.PI) / 180;
    const ramp = kernel.f32(at.plane, stride * size);
    ramp.forEach((_, i) => {
      ramp[i] = 0.01 * ((i % size) * Math.cos(along) + Math.floor(i / size) * Math.sin(along));
    });
    kernel.f32(at.window, 20).fill(1);

    const { plane, window, scratch, histogram } = at;
    kernel.functions.orientations(
      plane,
      size,
      size,
      stride,
      31.3,
      32.6,
      0.9,
      window,
      scratch,
      histogram,
    );

    const bins = kernel.f32(histogram, 36);
    const total = bins.reduce((sum, value) => sum + value, 0);
    // 400 differences over two steps of 0.9 px at 0.01 a pixel.
    expect(total).toBeCloseTo(400 * 0.018, 3);
    const lower = Math.floor(deg / 10);
    const share = deg / 10 - lower;
    expect((bins[lower] ?? 0) / total).toBeCloseTo(1 - share, 2);
    expect((bins[(lower + 1) % 36] ?? 0) / total).toBeCloseTo(share, 2);
  });
});

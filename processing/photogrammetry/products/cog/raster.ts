/** Pixels of a GeoTIFF at one resolution, row-major, top row first. */
export type Raster =
  | {
      readonly kind: "elevation";
      readonly width: number;
      readonly height: number;
      /** NaN = no data. */
      readonly values: Float32Array;
    }
  | {
      readonly kind: "colour";
      readonly width: number;
      readonly height: number;
      /** Red, green, blue, alpha; alpha 0 = no data. */
      readonly values: Uint8Array;
    };

/** The raster at half the resolution, each pixel the mean of the up to four below it that have data. */
export function halve(raster: Raster): Raster {
  const width = Math.ceil(raster.width / 2);
  const height = Math.ceil(raster.height / 2);
  if (raster.kind === "elevation") {
    return { kind: raster.kind, width, height, values: halveElevation(raster, width, height) };
  }
  return { kind: raster.kind, width, height, values: halveColour(raster, width, height) };
}

interface Pixels<T> {
  readonly width: number;
  readonly height: number;
  readonly values: T;
}

function halveElevation(
  { width: sourceWidth, height: sourceHeight, values }: Pixels<Float32Array>,
  width: number,
  height: number,
): Float32Array {
  const half = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      let sum = 0;
      let count = 0;
      for (let r = row * 2; r < Math.min(sourceHeight, row * 2 + 2); r += 1) {
        for (let c = col * 2; c < Math.min(sourceWidth, col * 2 + 2); c += 1) {
          const value = values[r * sourceWidth + c] ?? Number.NaN;
          if (Number.isNaN(value)) continue;
          sum += value;
          count += 1;
        }
      }
      half[row * width + col] = count === 0 ? Number.NaN : sum / count;
    }
  }
  return half;
}

function halveColour(
  { width: sourceWidth, height: sourceHeight, values }: Pixels<Uint8Array>,
  width: number,
  height: number,
): Uint8Array {
  const half = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      let red = 0;
      let green = 0;
      let blue = 0;
      let alpha = 0;
      for (let r = row * 2; r < Math.min(sourceHeight, row * 2 + 2); r += 1) {
        for (let c = col * 2; c < Math.min(sourceWidth, col * 2 + 2); c += 1) {
          const at = (r * sourceWidth + c) * 4;
          const weight = values[at + 3] ?? 0;
          red += weight * (values[at] ?? 0);
          green += weight * (values[at + 1] ?? 0);
          blue += weight * (values[at + 2] ?? 0);
          alpha += weight;
        }
      }
      if (alpha === 0) continue;
      const to = (row * width + col) * 4;
      half[to] = red / alpha + 0.5;
      half[to + 1] = green / alpha + 0.5;
      half[to + 2] = blue / alpha + 0.5;
      half[to + 3] = 255;
    }
  }
  return half;
}

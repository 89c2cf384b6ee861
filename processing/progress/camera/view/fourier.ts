import FFT from "fft.js";

/**
 * Discrete Fourier transform of complex pictures, in place: interleaved real and imaginary parts, row-major;
 * both sides powers of two. The inverse divides by the number of pixels.
 */
export function transformPicture(
  data: Float64Array,
  width: number,
  height: number,
  direction: "forward" | "inverse",
): void {
  transformLines(data, { count: height, length: width, step: 2, stride: 2 * width }, direction);
  transformLines(data, { count: width, length: height, step: 2 * width, stride: 2 }, direction);
}

interface Lines {
  readonly count: number;
  /** Values of one line. */
  readonly length: number;
  /** From one value of a line to the next, and from one line to the next. */
  readonly step: number;
  readonly stride: number;
}

function transformLines(
  data: Float64Array,
  { count, length, step, stride }: Lines,
  direction: "forward" | "inverse",
): void {
  const fft = new FFT(length);
  const line = new Float64Array(2 * length);
  const out = new Float64Array(2 * length);
  for (let n = 0; n < count; n++) {
    const start = n * stride;
    for (let i = 0; i < length; i++) {
      line[2 * i] = data[start + i * step] ?? 0;
      line[2 * i + 1] = data[start + i * step + 1] ?? 0;
    }
    if (direction === "forward") fft.transform(out, line);
    else fft.inverseTransform(out, line);
    for (let i = 0; i < length; i++) {
      data[start + i * step] = out[2 * i] ?? 0;
      data[start + i * step + 1] = out[2 * i + 1] ?? 0;
    }
  }
}

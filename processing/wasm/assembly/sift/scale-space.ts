/** Grey bytes, row after row without padding, to a plane; the padding repeats the last pixel. */
export function planeFromBytes(
  bytes: usize,
  width: i32,
  height: i32,
  plane: usize,
  stride: i32,
): void {
  for (let y = 0; y < height; y++) {
    const from = bytes + <usize>(y * width);
    const to = plane + ((<usize>(y * stride)) << 2);
    for (let x = 0; x < stride; x++) {
      const value = load<u8>(from + <usize>min(x, width - 1));
      store<f32>(to + ((<usize>x) << 2), <f32>value / 255);
    }
  }
}

/**
 * Convolution by a symmetric kernel along rows, then columns; beyond its edge the image repeats its
 * last pixel. `weights`: `radius + 1` values, the middle one first. `line` holds `stride + 2 radius + 8`
 * values, `temporary` a plane with `radius` rows more on either side. `to` may be `from`.
 */
export function blur(
  from: usize,
  width: i32,
  height: i32,
  stride: i32,
  weights: usize,
  radius: i32,
  line: usize,
  temporary: usize,
  to: usize,
): void {
  const rowBytes = (<usize>stride) << 2;
  const middle = line + ((<usize>radius) << 2);
  const first = temporary + <usize>radius * rowBytes;
  for (let y = 0; y < height; y++) {
    const source = from + <usize>y * rowBytes;
    memory.copy(middle, source, (<usize>width) << 2);
    const leftmost = load<f32>(source);
    for (let i = 0; i < radius; i++) store<f32>(line + ((<usize>i) << 2), leftmost);
    const rightmost = load<f32>(source + ((<usize>(width - 1)) << 2));
    for (let i = width; i < stride + radius + 8; i++) {
      store<f32>(middle + ((<usize>i) << 2), rightmost);
    }
    const target = first + <usize>y * rowBytes;
    for (let x: usize = 0; x < rowBytes; x += 32) {
      const at = middle + x;
      let weight = v128.load32_splat(weights);
      let a = f32x4.mul(weight, v128.load(at));
      let b = f32x4.mul(weight, v128.load(at, 16));
      for (let i: usize = 4; i <= (<usize>radius) << 2; i += 4) {
        weight = v128.load32_splat(weights + i);
        const pairA = f32x4.add(v128.load(at - i), v128.load(at + i));
        const pairB = f32x4.add(v128.load(at - i, 16), v128.load(at + i, 16));
        a = f32x4.add(a, f32x4.mul(weight, pairA));
        b = f32x4.add(b, f32x4.mul(weight, pairB));
      }
      v128.store(target + x, a);
      if (x + 16 < rowBytes) v128.store(target + x, b, 16);
    }
  }
  const last = first + <usize>(height - 1) * rowBytes;
  for (let above: usize = 1; above <= <usize>radius; above++) {
    memory.copy(first - above * rowBytes, first, rowBytes);
    memory.copy(last + above * rowBytes, last, rowBytes);
  }
  for (let y = 0; y < height; y++) {
    const middleRow = first + <usize>y * rowBytes;
    const target = to + <usize>y * rowBytes;
    for (let x: usize = 0; x < rowBytes; x += 32) {
      // The second half of the last step may run into the next row: it is read, and not written.
      const at = middleRow + x;
      let weight = v128.load32_splat(weights);
      let a = f32x4.mul(weight, v128.load(at));
      let b = f32x4.mul(weight, v128.load(at, 16));
      let above = at;
      let below = at;
      for (let i = 1; i <= radius; i++) {
        weight = v128.load32_splat(weights + ((<usize>i) << 2));
        above -= rowBytes;
        below += rowBytes;
        a = f32x4.add(a, f32x4.mul(weight, f32x4.add(v128.load(above), v128.load(below))));
        b = f32x4.add(b, f32x4.mul(weight, f32x4.add(v128.load(above, 16), v128.load(below, 16))));
      }
      v128.store(target + x, a);
      if (x + 16 < rowBytes) v128.store(target + x, b, 16);
    }
  }
}

/** `to = a - b`, `count` values, a multiple of 4; `to` may be `a` or `b`. */
export function subtract(a: usize, b: usize, count: i32, to: usize): void {
  for (let i: usize = 0; i < (<usize>count) << 2; i += 16) {
    v128.store(to + i, f32x4.sub(v128.load(a + i), v128.load(b + i)));
  }
}

/** Every second pixel of every second row; the padding repeats the last one. */
export function halve(
  from: usize,
  stride: i32,
  to: usize,
  toWidth: i32,
  toHeight: i32,
  toStride: i32,
): void {
  for (let y = 0; y < toHeight; y++) {
    const source = from + ((<usize>(2 * y * stride)) << 2);
    const target = to + ((<usize>(y * toStride)) << 2);
    for (let x = 0; x < toStride; x++) {
      const value = load<f32>(source + ((<usize>(2 * min(x, toWidth - 1))) << 2));
      store<f32>(target + ((<usize>x) << 2), value);
    }
  }
}

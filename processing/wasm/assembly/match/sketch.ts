/** Values of a descriptor. */
const VALUES: i32 = 128;
/** Bytes of a row of 16 bits, and of a sketch of sixteen values. */
export const ROW_BYTES: usize = 256;
const SKETCH_BYTES: usize = 32;
/** Values of sketches are kept in 32nds, those of directions in so many parts of one: the shift from both. */
const SHIFT: i32 = 10;
const PARTS: f32 = 32;
/**
 * What rounding may take from a product of sketches or from the square of a rest, at most. Rows are at most 520 long.
 * Sixteen directions of 128 values that are off by 2^-16 each, and sixteen values off by 1/64, move a sketch by
 * 0.42; so two of them change their product by 0.42 * (520 + 520) = 437 and one its square by as much.
 */
const LOOSE: f32 = 448;

/**
 * Widens `count` descriptors of 128 bytes to rows of 16 bits, and sketches each: its products with sixteen directions
 * at right angles to each other. Two rows' product is that of their sketches and that of the rests, and the latter
 * is at most the product of the rests' lengths (Cauchy-Schwarz).
 *
 * `directions`: sixteen rows of 16 bits, in parts of 2^15. Out, `count` rounded up to a multiple of 16 by zeros:
 * `rows`, 256 bytes each; `sketches`, 16 bits, 32 bytes each; `fours`, the same values, of four sketches in turn their
 * next two; `rests`, f32. Behind the descriptors there is room for as many.
 */
export function sketch(
  descriptors: usize,
  count: i32,
  directions: usize,
  rows: usize,
  sketches: usize,
  fours: usize,
  rests: usize,
): void {
  const padded = (count + 15) & ~15;
  memory.fill(descriptors + <usize>(count * VALUES), 0, <usize>((padded - count) * VALUES));
  for (let at: usize = 0; at < <usize>padded * ROW_BYTES; at += 16) {
    v128.store(rows + at, v128.load8x8_u(descriptors + (at >> 1)));
  }
  for (let i = 0; i < padded; i++) {
    const row = rows + <usize>i * ROW_BYTES;
    const four = fours + <usize>(i >> 2) * (SKETCH_BYTES << 2) + ((<usize>(i & 3)) << 2);
    const own = sketches + <usize>i * SKETCH_BYTES;
    const lower = i16x8.narrow_i32x4_s(along(row, directions), along(row, directions + 1024));
    const upper = i16x8.narrow_i32x4_s(
      along(row, directions + 2048),
      along(row, directions + 3072),
    );
    v128.store(own, lower);
    v128.store(own, upper, 16);
    for (let k: usize = 0; k < SKETCH_BYTES; k += 4)
      store<i32>(four + (k << 2), load<i32>(own + k));
    const kept = i32x4.add(i32x4.dot_i16x8_s(lower, lower), i32x4.dot_i16x8_s(upper, upper));
    const rest = <f32>product(row, row) - <f32>sumOf(kept) / (PARTS * PARTS);
    store<f32>(rests + ((<usize>i) << 2), sqrt<f32>(max<f32>(rest, 0) + LOOSE));
  }
}

/** Products of a row with four directions, in 32nds. */
function along(row: usize, directions: usize): v128 {
  let a = i32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (let k: usize = 0; k < ROW_BYTES; k += 16) {
    const values = v128.load(row + k);
    a = i32x4.add(a, i32x4.dot_i16x8_s(values, v128.load(directions + k)));
    b = i32x4.add(b, i32x4.dot_i16x8_s(values, v128.load(directions + k, 256)));
    c = i32x4.add(c, i32x4.dot_i16x8_s(values, v128.load(directions + k, 512)));
    d = i32x4.add(d, i32x4.dot_i16x8_s(values, v128.load(directions + k, 768)));
  }
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 2, 6), v128.shuffle<i32>(a, b, 1, 5, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 2, 6), v128.shuffle<i32>(c, d, 1, 5, 3, 7));
  const all = i32x4.add(
    v128.shuffle<i32>(ab, cd, 0, 1, 4, 5),
    v128.shuffle<i32>(ab, cd, 2, 3, 6, 7),
  );
  return i32x4.shr_s(i32x4.add(all, i32x4.splat(1 << (SHIFT - 1))), SHIFT);
}

/** Product of two rows. */
export function product(a: usize, b: usize): i32 {
  let even = i32x4.splat(0);
  let odd = even;
  for (let k: usize = 0; k < ROW_BYTES; k += 64) {
    even = i32x4.add(even, i32x4.dot_i16x8_s(v128.load(a + k), v128.load(b + k)));
    odd = i32x4.add(odd, i32x4.dot_i16x8_s(v128.load(a + k, 16), v128.load(b + k, 16)));
    even = i32x4.add(even, i32x4.dot_i16x8_s(v128.load(a + k, 32), v128.load(b + k, 32)));
    odd = i32x4.add(odd, i32x4.dot_i16x8_s(v128.load(a + k, 48), v128.load(b + k, 48)));
  }
  return sumOf(i32x4.add(even, odd));
}

function sumOf(lanes: v128): i32 {
  const pairs = i32x4.add(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

/**
 * What the products of four rows of one image with each of `count` rows of another are at most, f32: to `out` those of
 * row `i`, then those of `j`, `k` and `l`. `count` is a multiple of 4.
 */
export function bounds(
  sketches: usize,
  rests: usize,
  i: i32,
  j: i32,
  k: i32,
  l: i32,
  fours: usize,
  restsOfFours: usize,
  count: i32,
  out: usize,
): void {
  const a = sketches + <usize>i * SKETCH_BYTES;
  const b = sketches + <usize>j * SKETCH_BYTES;
  const c = sketches + <usize>k * SKETCH_BYTES;
  const d = sketches + <usize>l * SKETCH_BYTES;
  const restA = v128.load32_splat(rests + ((<usize>i) << 2));
  const restB = v128.load32_splat(rests + ((<usize>j) << 2));
  const restC = v128.load32_splat(rests + ((<usize>k) << 2));
  const restD = v128.load32_splat(rests + ((<usize>l) << 2));
  const bytes = (<usize>count) << 2;
  for (let place: usize = 0; place < bytes; place += 16) {
    let ofA = i32x4.splat(0);
    let ofB = ofA;
    let ofC = ofA;
    let ofD = ofA;
    for (let at: usize = 0; at < SKETCH_BYTES; at += 16) {
      const first = v128.load(fours);
      const second = v128.load(fours, 16);
      const third = v128.load(fours, 32);
      const fourth = v128.load(fours, 48);
      ofA = i32x4.add(ofA, products(a + at, first, second, third, fourth));
      ofB = i32x4.add(ofB, products(b + at, first, second, third, fourth));
      ofC = i32x4.add(ofC, products(c + at, first, second, third, fourth));
      ofD = i32x4.add(ofD, products(d + at, first, second, third, fourth));
      fours += 64;
    }
    const rest = v128.load(restsOfFours + place);
    const to = out + place;
    v128.store(to, bound(ofA, restA, rest));
    v128.store(to + bytes, bound(ofB, restB, rest));
    v128.store(to + 2 * bytes, bound(ofC, restC, rest));
    v128.store(to + 3 * bytes, bound(ofD, restD, rest));
  }
}

/** Eight values of a sketch times those of four others. */
function products(at: usize, first: v128, second: v128, third: v128, fourth: v128): v128 {
  const one = i32x4.dot_i16x8_s(v128.load32_splat(at), first);
  const two = i32x4.dot_i16x8_s(v128.load32_splat(at, 4), second);
  const three = i32x4.dot_i16x8_s(v128.load32_splat(at, 8), third);
  const four = i32x4.dot_i16x8_s(v128.load32_splat(at, 12), fourth);
  return i32x4.add(i32x4.add(one, two), i32x4.add(three, four));
}

function bound(ofSketches: v128, rest: v128, otherRest: v128): v128 {
  const perPart = f32x4.splat(1 / (PARTS * PARTS));
  const kept = f32x4.mul(f32x4.convert_i32x4_s(ofSketches), perPart);
  return f32x4.add(f32x4.add(kept, f32x4.mul(rest, otherRest)), f32x4.splat(LOOSE));
}

/**
 * Nearest and second nearest by dot product, both ways, of all descriptors of two images: 128 values
 * of 16 bits each, 256 bytes. `countB` is a multiple of 4 and `countA` of 2; rows of padding are zeros.
 * Two rows of `a` meet four of `b` at a time: the sixteen-byte pieces are loaded once for eight
 * products. Measured on 3000 x 3000: 34 ms; one row of `a` at a time 46 ms.
 *
 * Out, i32 each: for every row of `a` the best row of `b` (the first of equals), its product and the
 * second best product; for every row of `b` the best row of `a` and its product.
 */
export function nearest(
  a: usize,
  countA: i32,
  b: usize,
  countB: i32,
  bestOfA: usize,
  firstOfA: usize,
  secondOfA: usize,
  bestOfB: usize,
  firstOfB: usize,
): void {
  for (let j = 0; j < countB; j += 4) {
    v128.store(bestOfB + ((<usize>j) << 2), i32x4.splat(0));
    v128.store(firstOfB + ((<usize>j) << 2), i32x4.splat(-1));
  }
  for (let i = 0; i < countA; i += 2) {
    const row = a + ((<usize>i) << 8);
    let first0 = i32x4.splat(-1);
    let second0 = i32x4.splat(-1);
    let index0 = i32x4.splat(0);
    let first1 = first0;
    let second1 = second0;
    let index1 = index0;
    for (let j = 0; j < countB; j += 4) {
      const column = b + ((<usize>j) << 8);
      let p = v128.load(row);
      let q = v128.load(row, 256);
      let c = v128.load(column);
      let p0 = i32x4.dot_i16x8_s(p, c);
      let q0 = i32x4.dot_i16x8_s(q, c);
      c = v128.load(column, 256);
      let p1 = i32x4.dot_i16x8_s(p, c);
      let q1 = i32x4.dot_i16x8_s(q, c);
      c = v128.load(column, 512);
      let p2 = i32x4.dot_i16x8_s(p, c);
      let q2 = i32x4.dot_i16x8_s(q, c);
      c = v128.load(column, 768);
      let p3 = i32x4.dot_i16x8_s(p, c);
      let q3 = i32x4.dot_i16x8_s(q, c);
      for (let k: usize = 16; k < 256; k += 16) {
        p = v128.load(row + k);
        q = v128.load(row + k, 256);
        c = v128.load(column + k);
        p0 = i32x4.add(p0, i32x4.dot_i16x8_s(p, c));
        q0 = i32x4.add(q0, i32x4.dot_i16x8_s(q, c));
        c = v128.load(column + k, 256);
        p1 = i32x4.add(p1, i32x4.dot_i16x8_s(p, c));
        q1 = i32x4.add(q1, i32x4.dot_i16x8_s(q, c));
        c = v128.load(column + k, 512);
        p2 = i32x4.add(p2, i32x4.dot_i16x8_s(p, c));
        q2 = i32x4.add(q2, i32x4.dot_i16x8_s(q, c));
        c = v128.load(column + k, 768);
        p3 = i32x4.add(p3, i32x4.dot_i16x8_s(p, c));
        q3 = i32x4.add(q3, i32x4.dot_i16x8_s(q, c));
      }
      const products0 = sums(p0, p1, p2, p3);
      const products1 = sums(q0, q1, q2, q3);

      const columns = i32x4.add(i32x4.splat(j), i32x4(0, 1, 2, 3));
      let better = i32x4.gt_s(products0, first0);
      second0 = i32x4.max_s(second0, i32x4.min_s(products0, first0));
      first0 = i32x4.max_s(first0, products0);
      index0 = v128.bitselect(columns, index0, better);
      better = i32x4.gt_s(products1, first1);
      second1 = i32x4.max_s(second1, i32x4.min_s(products1, first1));
      first1 = i32x4.max_s(first1, products1);
      index1 = v128.bitselect(columns, index1, better);

      const place = (<usize>j) << 2;
      let known = v128.load(firstOfB + place);
      let rows = v128.load(bestOfB + place);
      better = i32x4.gt_s(products0, known);
      known = i32x4.max_s(known, products0);
      rows = v128.bitselect(i32x4.splat(i), rows, better);
      better = i32x4.gt_s(products1, known);
      known = i32x4.max_s(known, products1);
      rows = v128.bitselect(i32x4.splat(i + 1), rows, better);
      v128.store(firstOfB + place, known);
      v128.store(bestOfB + place, rows);
    }
    const place = (<usize>i) << 2;
    settle(first0, second0, index0, bestOfA + place, firstOfA + place, secondOfA + place);
    settle(first1, second1, index1, bestOfA + place, firstOfA + place, secondOfA + place, 4);
  }
}

/** The four lanes of each argument added up: one lane a piece. */
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 2, 6), v128.shuffle<i32>(a, b, 1, 5, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 2, 6), v128.shuffle<i32>(c, d, 1, 5, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

/** Brings the four lanes' best and second best together. */
function settle(
  first: v128,
  second: v128,
  index: v128,
  bestAt: usize,
  firstAt: usize,
  secondAt: usize,
  offset: usize = 0,
): void {
  let best = i32x4.extract_lane(index, 0);
  let most = i32x4.extract_lane(first, 0);
  let next = i32x4.extract_lane(second, 0);
  for (let lane = 1; lane < 4; lane++) {
    // Lanes are turned one place instead of being taken by number, which must be a constant.
    first = v128.shuffle<i32>(first, first, 1, 2, 3, 0);
    second = v128.shuffle<i32>(second, second, 1, 2, 3, 0);
    index = v128.shuffle<i32>(index, index, 1, 2, 3, 0);
    const value = i32x4.extract_lane(first, 0);
    const column = i32x4.extract_lane(index, 0);
    next = max(next, max(min(most, value), i32x4.extract_lane(second, 0)));
    if (value > most || (value === most && column < best)) best = column;
    most = max(most, value);
  }
  store<i32>(bestAt + offset, best);
  store<i32>(firstAt + offset, most);
  store<i32>(secondAt + offset, next);
}

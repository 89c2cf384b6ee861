import { angleBetween, compose, type Rotation } from "../../../geometry/rotation.ts";
import type { VerifiedPair } from "../../matching/verified-pair.ts";

/**
 * Angle up to which three relative rotations close, rad (3.4 degrees): pairs of 25 matches are good to one,
 * the second solution of level ground is 20 degrees and more off. Less would break weak blocks apart.
 */
const CLOSES_RAD = 0.06;
/** Share of its closed triangles that a pair needs; a false one closes by chance in one of ten. */
const LEAST_SHARE = 0.34;

/**
 * Pairs whose relative rotation agrees with those of other pairs: two images and a third close a triangle.
 * Level ground leaves two relative poses that fit alike (see matching/verify-pair.ts), and without tags
 * nothing else shows which is false. Pairs in no triangle are kept.
 */
export function consistentPairs(pairs: readonly VerifiedPair[]): readonly VerifiedPair[] {
  const rotations = new Map<number, Map<number, Rotation>>();
  for (const { first, second, rotation } of pairs) {
    rotations.set(first, (rotations.get(first) ?? new Map()).set(second, rotation));
  }
  const seen = new Map<string, { closed: number; tried: number }>();
  const count = (a: number, b: number, isClosed: boolean) => {
    const found = seen.get(`${a} ${b}`) ?? { closed: 0, tried: 0 };
    found.tried += 1;
    if (isClosed) found.closed += 1;
    seen.set(`${a} ${b}`, found);
  };
  for (const [a, ofA] of rotations) {
    for (const [b, ab] of ofA) {
      for (const [c, bc] of rotations.get(b) ?? []) {
        const ac = ofA.get(c);
        if (ac === undefined) continue;
        const isClosed = angleBetween(compose(bc, ab), ac) <= CLOSES_RAD;
        count(a, b, isClosed);
        count(b, c, isClosed);
        count(a, c, isClosed);
      }
    }
  }
  return pairs.filter(({ first, second }) => {
    const { closed, tried } = seen.get(`${first} ${second}`) ?? { closed: 0, tried: 0 };
    return tried === 0 || closed >= Math.max(1, LEAST_SHARE * tried);
  });
}

import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";

/**
 * Most bits of 64 in which copies of one picture differ, by another size or compression. More takes pictures of
 * even ground for copies, fewer misses a copy that was compressed again.
 */
const MAX_HASH_BITS = 2;
/**
 * Farthest that the positions of copies lie apart, degrees: about 0.1 m. Pictures of even ground can be alike;
 * taken from one place they are one picture. Larger joins neighbours of a dense flight, smaller misses copies
 * whose tags were rounded.
 */
const MAX_APART_DEG = 1e-6;

type Picture = Pick<SurveyImage, "name" | "sha256" | "position" | "quality">;

/** Images that show what an earlier one of the list shows already, by index, with the earlier one. */
export function findDuplicates(
  images: readonly Picture[],
): readonly { readonly index: number; readonly of: number }[] {
  return images.flatMap((image, index) => {
    const of = images.slice(0, index).findIndex((earlier) => isSamePicture(earlier, image));
    return of === -1 ? [] : [{ index, of }];
  });
}

function isSamePicture(a: Picture, b: Picture): boolean {
  if (a.sha256 === b.sha256) return true;
  const bits = hashDistance(a.quality.differenceHash, b.quality.differenceHash);
  return bits <= MAX_HASH_BITS && isSamePlace(a, b);
}

function isSamePlace({ position: a }: Picture, { position: b }: Picture): boolean {
  // One that lost its tags may be a copy of one that has them.
  if (a === undefined || b === undefined) return true;
  return (
    Math.abs(a.latDeg - b.latDeg) <= MAX_APART_DEG && Math.abs(a.lonDeg - b.lonDeg) <= MAX_APART_DEG
  );
}

/** Bits in which two hashes of 16 hex digits differ. */
function hashDistance(a: string, b: string): number {
  let bits = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let count = 0;
  for (; bits !== 0n; bits &= bits - 1n) count += 1;
  return count;
}

import type { VerifiedPair } from "../../matching/verified-pair.ts";

/** Images of the largest group that pairs connect, ascending; of two as large, the one with the lower index. */
export function largestConnectedGroup(
  imageCount: number,
  pairs: readonly Pick<VerifiedPair, "first" | "second">[],
): readonly number[] {
  const neighbours = Array.from({ length: imageCount }, (): number[] => []);
  for (const { first, second } of pairs) {
    neighbours[first]?.push(second);
    neighbours[second]?.push(first);
  }
  const isSeen = new Uint8Array(imageCount);
  let largest: number[] = [];
  for (let seed = 0; seed < imageCount; seed += 1) {
    if (isSeen[seed]) continue;
    isSeen[seed] = 1;
    const group = [seed];
    for (const image of group) {
      for (const next of neighbours[image] ?? []) {
        if (isSeen[next]) continue;
        isSeen[next] = 1;
        group.push(next);
      }
    }
    if (group.length > largest.length) largest = group;
  }
  return largest.sort((a, b) => a - b);
}

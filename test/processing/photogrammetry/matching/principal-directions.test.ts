import { expect, it } from "vitest";
import { DESCRIPTOR_BYTES } from "../../../../processing/photogrammetry/features/keypoints.ts";
import { principalDirections } from "../../../../processing/photogrammetry/matching/principal-directions.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const COUNT = 16;

/** Lengths of all directions and products of any two of them. */
function products(directions: Float64Array): number[][] {
  const rows = Array.from({ length: COUNT }, (_, k) =>
    directions.subarray(k * DESCRIPTOR_BYTES, (k + 1) * DESCRIPTOR_BYTES),
  );
  return rows.map((a) =>
    rows.map((b) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)),
  );
}

it("principal directions have length 1 and right angles to 12 digits", () => {
  const random = seededRandom(3);
  const descriptors = Uint8Array.from(
    { length: 700 * DESCRIPTOR_BYTES },
    () => 255 * random() ** 3,
  );
  products(principalDirections(descriptors, COUNT)).forEach((row, k) => {
    row.forEach((value, l) => {
      expect(value).toBeCloseTo(k === l ? 1 : 0, 12);
    });
  });
});

it("descriptors that span three directions have three, and zeros", () => {
  const random = seededRandom(4);
  const descriptors = Uint8Array.from({ length: 60 * DESCRIPTOR_BYTES }, (_, i) =>
    [5, 40, 99].includes(i % DESCRIPTOR_BYTES) ? 1 + 250 * random() : 0,
  );
  const directions = principalDirections(descriptors, COUNT);
  const lengths = products(directions).map((row, k) => Math.round(row[k] ?? -1));
  expect(lengths.filter((length) => length === 1)).toHaveLength(3);
  expect(lengths.filter((length) => length === 0)).toHaveLength(COUNT - 3);
  expect(
    directions.every((value, i) => value === 0 || [5, 40, 99].includes(i % DESCRIPTOR_BYTES)),
  ).toBe(true);
});

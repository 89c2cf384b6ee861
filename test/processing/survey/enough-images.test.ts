import { expect, it } from "vitest";
import { requireEnoughImages } from "../../../processing/survey/enough-images.ts";

const files = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ path: `/${i}`, sha256: "", name: `${i}.jpg` }));
const refused = (count: number) =>
  Array.from({ length: count }, (_, i) => `${i}.jpg was answered with status 404`);

it("a survey refuses four images that are left of five, and says what is wrong with the fifth", () => {
  expect(() => requireEnoughImages({ files: files(4), refused: refused(1) })).toThrow(
    "TOO_FEW_IMAGES: 4 images (at least 5). Put right what could not be had: 0.jpg was answered with status 404.",
  );
});

it("the refusal names five images and counts the others", () => {
  expect(() => requireEnoughImages({ files: [], refused: refused(30) })).toThrow(
    /4\.jpg was answered with status 404; and 25 more\.$/,
  );
});

it("a survey takes five images whatever is missing, and one file where nothing is", () => {
  expect(() => requireEnoughImages({ files: files(5), refused: refused(295) })).not.toThrow();
  expect(() => requireEnoughImages({ files: files(1), refused: [] })).not.toThrow();
});

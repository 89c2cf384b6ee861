import { describe, expect, it } from "vitest";
import { marksWithin, withKnownNames } from "../../../../processing/engine/port/control-names.ts";

const image = (name: string) => ({ name, path: "", sha256: name });
const point = (...names: string[]) => ({
  ...{ name: "P", latDeg: 0, lonDeg: 0, heightM: 0, isCheck: false },
  sigmaM: { horizontal: 0.02, vertical: 0.03 },
  marks: names.map((one) => ({ image: one, u: 1, v: 2 })),
});
const input = (...names: string[]) => ({
  images: ["IMG_1.JPG", "b/IMG_2.JPG", "x.jpg", "X.jpg"].map(image),
  controlPoints: [point(...names)],
  scaleBars: [],
});

describe("names of images that control points are marked in", () => {
  it("names of images that control points are marked in count without folders, and in any case where that leaves one image", () => {
    const { controlPoints } = withKnownNames(input("img_1.jpg", "C:\\flight\\img_2.jpg", "X.jpg"));
    expect(controlPoints[0]?.marks.map((mark) => mark.image)).toEqual([
      "IMG_1.JPG",
      "b/IMG_2.JPG",
      "X.jpg",
    ]);
  });

  it("that match no image, or two, are an error that names them", () => {
    expect(() => withKnownNames(input("IMG_1.JPG", "IMG_3.JPG", "x.JPG"))).toThrow(
      'not part of the survey: "IMG_3.JPG", "x.JPG"',
    );
  });

  it("each end of a scale bar must be in two named images at least", () => {
    const bar = (...second: string[]) => ({
      ...{ lengthM: 10.5, sigmaM: 0.01 },
      ends: [
        { marks: ["x.jpg", "X.jpg"].map((name) => ({ image: name, u: 1, v: 2 })) },
        { marks: second.map((name) => ({ image: name, u: 1, v: 2 })) },
      ] as const,
    });
    const whole = bar("x.jpg", "img_1.jpg");
    expect(() => withKnownNames({ ...input("x.jpg"), scaleBars: [whole] })).not.toThrow();
    for (const [marks, count] of [
      [[], 0],
      [["img_1.jpg", "IMG_1.JPG"], 1],
    ] as const) {
      expect(() =>
        withKnownNames({ ...input("x.jpg"), scaleBars: [whole, bar(...marks)] }),
      ).toThrow(`scale bar 2 (10.5 m) has end 2 marked in ${count} images`);
    }
  });

  it("belong to points whose names differ", () => {
    const twice = { ...input(), controlPoints: [point("x.jpg"), point("X.jpg")] };
    expect(() => withKnownNames(twice)).toThrow('two control points have the name "P"');
  });

  it("names of images that control points are marked in of a larger flight are left out when asked to, with points that nothing shows", () => {
    const kept = marksWithin([point("IMG_1.JPG", "IMG_9.JPG"), point("IMG_9.JPG")], ["IMG_1.JPG"]);
    expect(kept.map(({ marks }) => marks.map((mark) => mark.image))).toEqual([["IMG_1.JPG"]]);
  });

  it("names of images that control points are marked in of a larger flight count where the survey has the image, and one at least must", () => {
    const asked = { ...input("img_1.jpg", "IMG_9.JPG"), isControlSubset: true };
    const { controlPoints } = withKnownNames(asked);
    expect(controlPoints[0]?.marks.map((mark) => mark.image)).toEqual(["IMG_1.JPG"]);
    expect(() => withKnownNames({ ...input("IMG_9.JPG"), isControlSubset: true })).toThrow(
      "no control point is marked in an image of the survey",
    );
    expect(withKnownNames({ ...input(), isControlSubset: true }).controlPoints).toEqual([]);
  });
});

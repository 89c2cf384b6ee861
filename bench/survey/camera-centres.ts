import { weightedSimilarity } from "../../processing/geometry/fit-similarity.ts";
import { applySimilarity } from "../../processing/geometry/similarity.ts";

type Place = readonly [x: number, y: number, z: number];

/** Camera positions by the name of the image. */
export type Centres = ReadonlyMap<string, Place>;

/**
 * Camera centres of an `images.txt` in COLMAP's text format: two lines an image, the first of which is IMAGE_ID QW QX
 * QY QZ TX TY TZ CAMERA_ID NAME, camera from world; the second, its marks, may be empty.
 */
export function cameraCentres(text: string): Centres {
  const lines = withoutRemarks(text);
  const centres = new Map<string, Place>();
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const [, qw, qx, qy, qz, tx, ty, tz, , ...name] = (lines[i] ?? "").split(" ");
    const numbers = [qw, qx, qy, qz, tx, ty, tz].map(Number);
    if (name.length === 0 || !numbers.every(Number.isFinite)) {
      throw new Error(`images.txt: line ${i + 1} is not an image`);
    }
    const [w = 1, x = 0, y = 0, z = 0, ...t] = numbers;
    const [a = 0, b = 0, c = 0] = t;
    // -R^T t: columns of R are its axes of the world.
    centres.set(name.join(" "), [
      -((1 - 2 * (y * y + z * z)) * a + 2 * (x * y + w * z) * b + 2 * (x * z - w * y) * c),
      -(2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + w * x) * c),
      -(2 * (x * z + w * y) * a + 2 * (y * z - w * x) * b + (1 - 2 * (x * x + y * y)) * c),
    ]);
  }
  return centres;
}

/** Lines of a text model by their place: CAMERA_ID MODEL WIDTH HEIGHT PARAMS[], and CAMERA_ID in those of images. */
const CAMERA_AT = { id: 0, ofImage: 8, parameters: 4 } as const;

/** Parameters of the lens that most images of a text model have. */
export function usualLens(cameras: string, images: string): readonly string[] {
  const used = withoutRemarks(images).flatMap((line, i) =>
    i % 2 === 0 && line !== "" ? [line.split(" ")[CAMERA_AT.ofImage] ?? ""] : [],
  );
  const count = (id: string) => used.filter((one) => one === id).length;
  const [most] = withoutRemarks(cameras)
    .filter((line) => line !== "")
    .map((line) => line.split(" "))
    .toSorted((a, b) => count(b[CAMERA_AT.id] ?? "") - count(a[CAMERA_AT.id] ?? ""));
  if (most === undefined) throw new Error("cameras.txt holds no camera");
  return most.slice(CAMERA_AT.parameters);
}

/** `cameras.txt` with these parameters for every lens. */
export function withLens(cameras: string, parameters: readonly string[]): string {
  return withoutRemarks(cameras)
    .map((line) =>
      line === ""
        ? line
        : [...line.split(" ").slice(0, CAMERA_AT.parameters), ...parameters].join(" "),
    )
    .join("\n");
}

const withoutRemarks = (text: string) => text.split("\n").filter((line) => !line.startsWith("#"));

/** How far two programs' cameras are apart after the similarity that fits best, all cameras alike. */
export interface CentreDifference {
  /** Images that both have. */
  readonly cameras: number;
  /** Greatest distance between two of them in `to`, metres. */
  readonly extentM: number;
  readonly rmsM: number;
  readonly mostM: number;
  /** The image that is farthest off. */
  readonly worst: string;
}

/** @throws Error when fewer than three images are common, or they lie on a line. */
export function compareCentres(from: Centres, to: Centres): CentreDifference {
  const pairs = [...from].flatMap(([name, source]) => {
    const target = to.get(name);
    return target === undefined ? [] : [{ name, source, target }];
  });
  const fitted = weightedSimilarity(
    Float64Array.from(pairs.flatMap(({ source }) => source)),
    Float64Array.from(pairs.flatMap(({ target }) => target)),
    new Float64Array(pairs.length).fill(1),
  );
  if (fitted === undefined) throw new Error(`${pairs.length} common cameras fix no similarity`);
  const apart = pairs.map(({ name, source, target }) => ({
    name,
    distanceM: distance(applySimilarity(fitted, source), target),
  }));
  const [worst] = apart.toSorted((a, b) => b.distanceM - a.distanceM);
  const squares = apart.reduce((sum, { distanceM }) => sum + distanceM ** 2, 0);
  const places = pairs.map(({ target }) => target);
  return {
    cameras: pairs.length,
    extentM: Math.max(...places.flatMap((a) => places.map((b) => distance(a, b)))),
    rmsM: Math.sqrt(squares / pairs.length),
    mostM: worst?.distanceM ?? Number.NaN,
    worst: worst?.name ?? "",
  };
}

const distance = (a: Place, b: Place) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

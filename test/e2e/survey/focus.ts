import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type OutputInfo } from "sharp";
import { LIMITS } from "../../../processing/gates/gate-thresholds.ts";
import { imageFilesOf } from "../../../processing/images/files/folder-files.ts";
import { decodeGrey, type GreyImage } from "../../../processing/images/pixels/decode.ts";
import { imageQuality } from "../../../processing/images/pixels/image-quality.ts";
import { parseFaults } from "../../../simulators/survey/options/faults.ts";
import { surveySet } from "../../support/survey-sets.ts";
import { type Check, type CheckContext, type Expectation, within } from "./check.ts";

/** No other check has sets of these seeds. */
const FIRST_SEED = 9_411;
/** Shares of the ground's texture. */
const CONTRASTS = [0.1, 0.2, 0.4, 1] as const;
/** Longer edge, pixels: that of the quick profile. */
const EDGE_PX = 1_200;
/** Real photographs as they are, blurred by a Gaussian of so many pixels, and saved again. */
const TREATMENTS = [
  { name: "as taken", blurPx: undefined, isBlurred: false },
  { name: "blur of 2 px", blurPx: 2, isBlurred: true },
  { name: "blur of 3 px", blurPx: 3, isBlurred: true },
  { name: "blur of 5 px", blurPx: 5, isBlurred: true },
] as const;
const JPEG_QUALITY = 80;

/** Blur is distinguished from ground of little texture: the fineness of both, simulated and photographed. */
export const focus: Check = {
  name: "focus",
  about: "fineness of sharp and blurred images: contrast 0.1 to 1, and real flights that are there",
  async run(context) {
    const simulated = await simulatedFineness(context);
    const real = await Promise.all(
      ["BRIGHTON_BEACH_DIR", "BORUSZYN_DIR"].map((name) => realFineness(name, context)),
    );
    return [...simulated, ...real.flat()];
  },
};

async function simulatedFineness({ seeds, print }: CheckContext): Promise<readonly Expectation[]> {
  const sharpOnes: number[] = [];
  const blurredOnes: number[] = [];
  for (let i = 0; i < seeds; i += 1) {
    const shape = {
      widthPx: 640,
      images: 3,
      obliques: 1,
      gps: "rtk",
      seed: FIRST_SEED + i,
    } as const;
    for (const contrast of CONTRASTS) {
      const { images } = await surveySet({ ...shape, contrast });
      const found = await Promise.all(images.map((path) => finenessOf(decodeGrey(path, EDGE_PX))));
      print(`seed ${shape.seed}, contrast ${contrast}: fineness ${range(found)}`);
      sharpOnes.push(...found);
    }
    const { images } = await surveySet({ ...shape, faults: parseFaults("blurred", 3) });
    const found = await Promise.all(images.map((path) => finenessOf(decodeGrey(path, EDGE_PX))));
    print(`seed ${shape.seed}, shaken: fineness ${range(found)}`);
    blurredOnes.push(...found);
  }
  return [
    above("simulated, sharp: least fineness", sharpOnes),
    below("simulated, shaken: largest fineness", blurredOnes),
  ];
}

async function realFineness(
  variable: string,
  { print }: CheckContext,
): Promise<readonly Expectation[]> {
  const folder = process.env[variable];
  if (folder === undefined || !existsSync(join(folder, "images"))) {
    print(`${variable} names no folder with images`);
    return [];
  }
  const pictures: Picture[] = [];
  for (const { path } of await imageFilesOf(join(folder, "images"))) {
    pictures.push(await smallPicture(path));
  }
  const expectations: Expectation[] = [];
  for (const { name, blurPx, isBlurred } of TREATMENTS) {
    for (const isSaved of [false, true]) {
      const found: number[] = [];
      for (const picture of pictures) {
        found.push(await finenessOf(treated(picture, blurPx, isSaved)));
      }
      const saved = isSaved ? `, JPEG ${JPEG_QUALITY}` : "";
      const what = `${pictures.length} images of ${variable}, ${name}${saved}`;
      print(`${what}: fineness ${range(found)}`);
      expectations.push(isBlurred ? below(what, found) : above(what, found));
    }
  }
  return expectations;
}

/** Red, green and blue of a photograph at working size. */
interface Picture {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

async function smallPicture(path: string): Promise<Picture> {
  return await sharp(await readFile(path))
    .resize({ width: EDGE_PX, height: EDGE_PX, fit: "inside" })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

async function treated(
  picture: Picture,
  blurPx: number | undefined,
  isSaved: boolean,
): Promise<GreyImage> {
  const raw = sharp(picture.data, { raw: picture.info });
  const seen = blurPx === undefined ? raw : raw.blur(blurPx);
  const saved = isSaved ? sharp(await seen.jpeg({ quality: JPEG_QUALITY }).toBuffer()) : seen;
  const { data, info } = await saved
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: new Uint8Array(data), width: info.width, height: info.height };
}

const finenessOf = async (image: Promise<GreyImage>) =>
  imageQuality(await image).fineness ?? Number.NaN;

const above = (what: string, found: readonly number[]) =>
  within(what, Math.min(...found), LIMITS.fineness, Number.POSITIVE_INFINITY);

const below = (what: string, found: readonly number[]) =>
  within(what, Math.max(...found), Number.NEGATIVE_INFINITY, LIMITS.fineness);

const range = (found: readonly number[]) =>
  `${Math.min(...found).toFixed(3)} to ${Math.max(...found).toFixed(3)}`;

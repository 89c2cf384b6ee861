import sharp from "sharp";
import { surveySet } from "../../support/survey-sets.ts";
import { type Check, holds, within } from "./check.ts";

/** Half the window about a mark, pixels: less than half a target's plate at 1200 px. */
const HALF_PX = 6;
/** Search about the true mark, and its step, pixels. */
const SEARCH_PX = 1;
const STEP_PX = 0.05;

/** The renderer casts rays, the truth projects points: they meet at the targets. */
export const marks: Check = {
  name: "marks",
  about: "targets are in the picture where the truth projects them",
  async run({ print }) {
    const set = await surveySet({
      images: 8,
      obliques: 4,
      controlPoints: 8,
      noise: 0,
      jpegQuality: 98,
    });
    const offsets: { readonly du: number; readonly dv: number }[] = [];
    for (const [i, path] of set.images.entries()) {
      const name = set.truth.cameras[i]?.image;
      const { data, info } = await sharp(path)
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const found = [...set.truth.controlPoints, ...set.truth.scaleBars.flatMap(({ ends }) => ends)]
        .flatMap((point) => point.marks)
        .filter(({ image }) => image === name)
        .map(({ trueU, trueV }) => centreOffset(data, info.width, trueU, trueV));
      offsets.push(...found);
    }
    const mean = (pick: (offset: { du: number; dv: number }) => number) =>
      offsets.reduce((sum, offset) => sum + pick(offset), 0) / offsets.length;
    const rms = Math.sqrt(mean(({ du, dv }) => du * du + dv * dv));
    const bias = Math.hypot(
      mean(({ du }) => du),
      mean(({ dv }) => dv),
    );
    print(`${offsets.length} marks, rms ${rms.toFixed(3)} px, mean ${bias.toFixed(3)} px`);
    return [
      holds("20 marks or more were measured", offsets.length >= 20),
      // The search's step and JPEG leave 0.02 px at least; a wrong half pixel or sign is 0.5 px or more.
      within("distance of drawn and projected centres, rms", rms, 0.01, 0.25, "px"),
      within("their common offset", bias, 0, 0.1, "px"),
    ];
  },
};

/** Where the window is most like itself turned by 180 degrees, which a target's middle is; from a start. */
function centreOffset(grey: Uint8Array, width: number, u: number, v: number) {
  const at = (x: number, y: number) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const a = x - column;
    const i = row * width + column;
    const upper = (grey[i] ?? 0) * (1 - a) + (grey[i + 1] ?? 0) * a;
    const lower = (grey[i + width] ?? 0) * (1 - a) + (grey[i + width + 1] ?? 0) * a;
    return upper + (y - row) * (lower - upper);
  };
  let best = { du: 0, dv: 0 };
  let least = Number.POSITIVE_INFINITY;
  for (let du = -SEARCH_PX; du <= SEARCH_PX; du += STEP_PX) {
    for (let dv = -SEARCH_PX; dv <= SEARCH_PX; dv += STEP_PX) {
      let sum = 0;
      for (let x = -HALF_PX; x <= HALF_PX; x += 1) {
        for (let y = 0; y <= HALF_PX; y += 1) {
          sum += (at(u + du + x, v + dv + y) - at(u + du - x, v + dv - y)) ** 2;
        }
      }
      if (sum < least) {
        least = sum;
        best = { du, dv };
      }
    }
  }
  return best;
}

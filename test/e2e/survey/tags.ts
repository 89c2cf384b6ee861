import exifr from "exifr";
import sharp from "sharp";
import { parseFaults } from "../../../simulators/survey/options/faults.ts";
import type { TrueCamera } from "../../../simulators/survey/truth/truth.ts";
import { surveySet } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";

/** Faults that show in the tags, one image each; the rest of the set is sound. */
const FAULTS =
  "rotated=#2,orientation=#3,no-gps=#4,no-gimbal=#5,no-focal=#6,no-tags=#7,wrong-gps=#8,wrong-gimbal=#9,mixed-cameras=#10,lens-cap=#11,wrong-focal=#12";

interface Tags {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly GimbalYawDegree?: number;
  readonly FocalLength?: number;
  readonly FocalLengthIn35mmFormat?: number;
  readonly Model?: string;
  readonly Software?: string;
}

/** Metres per degree at the site: meridian and parallel of WGS 84 at 51.47 north. */
const M_PER_DEG = { north: 111_267, east: 69_487 };

/** What independent readers find in the files is what the truth says, faults included. */
export const tags: Check = {
  name: "tags",
  about: "sharp and exifr read back the tags that were meant, with every fault of tags",
  async run({ print }) {
    const images = 14;
    const set = await surveySet({ widthPx: 400, images, faults: parseFaults(FAULTS, images) });
    const read = await Promise.all(
      set.images.map(
        async (path): Promise<Tags> =>
          (await exifr.parse(path, { multiSegment: true, xmp: true, gps: true })) ?? {},
      ),
    );
    const metadata = await Promise.all(set.images.map((path) => sharp(path).metadata()));
    const errorsM = read.flatMap((found, i) => {
      const camera = set.truth.cameras[i];
      return camera === undefined || found.latitude === undefined || found.longitude === undefined
        ? []
        : [offTagged(camera, set.truth.origin, found.latitude, found.longitude)];
    });
    const worstM = Math.max(...errorsM);
    print(
      `${errorsM.length} positions, the worst ${worstM.toFixed(4)} m from what the truth says was tagged`,
    );
    const at = (i: number) => read[i] ?? {};
    const sound = at(0);
    const expectations: Expectation[] = [
      holds("12 of 14 images have a position", errorsM.length === 12),
      // Curvature and the metres per degree leave centimetres over 40 m.
      within("positions as tagged, worst", worstM, 0, 0.05, "m"),
      holds("a rotated image names a viewer", at(2).Software === "Photo Viewer 4.2"),
      holds("a sound image names the drone's firmware", sound.Software === "v01.00.0000"),
      holds(
        "a wrong Orientation is 6, a sound one 1",
        metadata[3]?.orientation === 6 && metadata[0]?.orientation === 1,
      ),
      holds(
        "no-gps has no position but a gimbal",
        at(4).latitude === undefined && at(4).GimbalYawDegree !== undefined,
      ),
      holds(
        "no-gimbal has a position but no gimbal",
        at(5).GimbalYawDegree === undefined && at(5).latitude !== undefined,
      ),
      holds("no-focal has none", at(6).FocalLength === undefined && sound.FocalLength === 8.8),
      holds(
        "wrong-focal has 19 mm of 24, and 7.04 of 8.8",
        at(12).FocalLengthIn35mmFormat === 19 && at(12).FocalLength === 7.04,
      ),
      holds(
        "no-tags has neither EXIF nor XMP",
        metadata[7]?.exif === undefined && metadata[7]?.xmp === undefined,
      ),
      within("wrong-gps is off by", offM(set.truth.cameras[8]), 55, 125, "m"),
      within(
        "wrong-gimbal is off by",
        Math.abs(set.truth.cameras[9]?.tagError.yawDeg ?? 0),
        50,
        190,
        "degrees",
      ),
      holds(
        "mixed-cameras is of another model and size",
        at(10).Model === "SIM-28" && metadata[10]?.width === 320,
      ),
    ];
    const [cap, usual] = await Promise.all(
      [11, 0].map(
        async (i) => (await sharp(set.images[i]).stats()).channels[1]?.mean ?? Number.NaN,
      ),
    );
    return [
      ...expectations,
      within("mean green of a lens cap", cap ?? Number.NaN, 0, 3),
      within("mean green of a sound image", usual ?? Number.NaN, 60, 180),
    ];
  },
};

/** Distance of a read position from the one that the truth says was tagged, metres. */
function offTagged(
  { centre, tagError }: TrueCamera,
  origin: { readonly latDeg: number; readonly lonDeg: number },
  latDeg: number,
  lonDeg: number,
): number {
  return Math.hypot(
    (lonDeg - origin.lonDeg) * M_PER_DEG.east - centre[0] - tagError.position[0],
    (latDeg - origin.latDeg) * M_PER_DEG.north - centre[1] - tagError.position[1],
  );
}

function offM(camera: TrueCamera | undefined): number {
  return Math.hypot(camera?.tagError.position[0] ?? 0, camera?.tagError.position[1] ?? 0);
}

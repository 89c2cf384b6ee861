import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { Ring } from "../../../domain/geometry/geofence.ts";
import { readElevation } from "../../../processing/engine/raster/read-surface.ts";
import { planOfRing } from "../../../processing/epoch/plan-ring.ts";
import type { PileProfile } from "../../../processing/measurement/profile/pile-profile.ts";
import { profileSvg } from "../../../processing/measurement/profile/profile-svg.ts";
import { fitBasePlane } from "../../../processing/volume/base/base-plane.ts";
import { fillFootprint } from "../../../processing/volume/footprint/fill-footprint.ts";
import { volumeAbove } from "../../../processing/volume/volume-above.ts";
import { brightonBeachCloud, brightonBeachFolder } from "../../support/brighton-beach.ts";
import { cloudOnSurface } from "../../support/cloud-difference.ts";
import { griddedCloud } from "../../support/cloud-volumes.ts";
import { type MeasureBench, openMeasureBench } from "../../support/measure-bench.ts";
import { type Check, holds, within } from "./check.ts";

/** Drawn on the orthophoto around the picnic kiosk's roof, half a metre off it; [lat, lng]. */
const DRAWN = [
  [46.8423986, -91.993942],
  [46.8423936, -91.993913],
  [46.8423785, -91.9939],
  [46.8423624, -91.9938985],
  [46.8423494, -91.993907],
  [46.842336, -91.993924],
  [46.84233, -91.993956],
  [46.842331, -91.993979],
  [46.8423419, -91.9939921],
  [46.8423501, -91.9939946],
  [46.842379, -91.9939641],
] as const;
/** Around a parked car, with another one a metre beside it. */
const CAR = [
  [46.8425518, -91.9934237],
  [46.8425607, -91.9934105],
  [46.842559, -91.9933887],
  [46.8425475, -91.9933535],
  [46.8425392, -91.9933428],
  [46.8425306, -91.9933484],
  [46.8425237, -91.9933676],
  [46.8425261, -91.9933839],
  [46.8425405, -91.9934163],
] as const;
/** Width of the pictures of `docs/`, pixels. */
const PICTURE_PX = 640;

/**
 * A thing of a lorry's size in real photographs, measured as a stockpile, beside the volume that
 * OpenDroneMap's cloud of the same flight gives (issue 6, Must show 6). With `BRIGHTON_PICTURES` naming a
 * folder, the pictures of `docs/` are written there.
 */
export const brightonKiosk: Check = {
  name: "brighton-kiosk",
  about: "18 real images to the volume of a kiosk and its interval, against another program's",
  async run({ print }) {
    const folder = brightonBeachFolder();
    if (folder === undefined) {
      return { skipped: "BRIGHTON_BEACH_DIR names no folder with images" };
    }
    const images = join(folder, "images");
    const paths = (await readdir(images)).sort().map((name) => join(images, name));
    const footprint = ringOf(DRAWN);
    const bench = await openMeasureBench();
    try {
      await bench.add("kiosk", { footprint, material: "Kiosk", max_capacity_m3: 150 });
      const { measurement, seconds } = await bench.measure("kiosk", paths);
      const { current_volume_m3: volumeM3, uncertainty_95_m3: rangeM3, files } = measurement;
      const terms = JSON.stringify(measurement.uncertainty_terms);
      print(`${measurement.accuracy_note} ${terms}, ${seconds.toFixed(1)} s`);
      print(measurement.warnings.join(" "));
      const bytesOf = async (key: string) => {
        const opened = await bench.files.get(key);
        if (opened === undefined) throw new Error(`no file ${key}`);
        return await buffer(opened.body);
      };
      const picturesDir = process.env["BRIGHTON_PICTURES"];
      if (picturesDir !== undefined) {
        await writePictures(picturesDir, {
          heights: await bytesOf(files.heights),
          profile: JSON.parse((await bytesOf(files.profile)).toString()) as PileProfile,
        });
      }
      const path = join(bench.dir, "surface.tif");
      await writeFile(path, await bytesOf(files.surface));
      const theirsM3 = await volumeOfCloud(folder, path, footprint);
      print(`another program's cloud: ${theirsM3.toFixed(2)} m3`);
      await bench.add("car", { footprint: ringOf(CAR), material: "Car", max_capacity_m3: 20 });
      await bench.add("none");
      const refusals = [
        await refusalOf(bench, "car", paths),
        await refusalOf(bench, "none", paths),
      ];
      print(refusals.join(" "));
      return [
        holds("a car beside a car has no base", refusals[0]?.startsWith("BASE_BAD") === true),
        holds("no heap is found where none is", refusals[1]?.startsWith("No heap") === true),
        holds("18 of 18 images are oriented", measurement.images.oriented === 18),
        holds(
          "all of the footprint is measured or bridged, less than 5 % bridged",
          measurement.coverage === 1 && measurement.interpolated < 0.05,
        ),
        within("volume", volumeM3, 65, 85, "m3"),
        within("volume of the other program's cloud", theirsM3, 52, 64, "m3"),
        within("stated 95 %", (100 * rangeM3) / volumeM3, 20, 40, "%"),
        // Two programs that agreed to the litre would be one.
        within("difference over the stated 95 %", Math.abs(volumeM3 - theirsM3) / rangeM3, 0.01, 1),
        within("what of it walls leave", measurement.uncertainty_terms.noise, 6, 16, "m3"),
      ];
    } finally {
      await bench.close();
    }
  },
};

/** What a measurement is refused with; empty: it was not. */
async function refusalOf(
  bench: MeasureBench,
  id: string,
  paths: readonly string[],
): Promise<string> {
  try {
    await bench.measure(id, paths);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Volume above the cloud's own base plane at the cloud's own scale; the cloud is laid onto our surface only to find the footprint in it. */
async function volumeOfCloud(
  folder: string,
  surfacePath: string,
  footprint: Ring,
): Promise<number> {
  const { origin, dsm } = await readElevation(surfacePath);
  const cloud = await brightonBeachCloud(folder, origin);
  const moved = cloudOnSurface(cloud, dsm);
  const polygon = planOfRing(footprint, origin);
  const field = griddedCloud(dsm, moved);
  const cells = field.width * field.height;
  const theirs = { ...field, score: new Float32Array(cells), views: new Uint8Array(cells).fill(3) };
  const base = fitBasePlane(theirs, polygon);
  if (base === undefined) throw new Error("the cloud has no ground around the kiosk");
  const { netM3 } = volumeAbove(fillFootprint(theirs, polygon).surface, polygon, base);
  return netM3 / scaleOf(cloud, moved) ** 2;
}

/** Scale in plan that took the cloud onto the surface, by its first point and the farthest from it. */
function scaleOf(cloud: Float64Array, moved: Float64Array): number {
  const apart = (points: Float64Array, i: number) =>
    Math.hypot((points[i] ?? 0) - (points[0] ?? 0), (points[i + 1] ?? 0) - (points[1] ?? 0));
  let farthest = 0;
  for (let i = 0; i < cloud.length; i += 3) {
    if (apart(cloud, i) > apart(cloud, farthest)) farthest = i;
  }
  return apart(moved, farthest) / apart(cloud, farthest);
}

function ringOf(corners: readonly (readonly [lat: number, lng: number])[]): Ring {
  const ring = corners.map(([lat, lng]) => [lng, lat] as const);
  return [...ring, ...ring.slice(0, 1)];
}

async function writePictures(
  dir: string,
  { heights, profile }: { readonly heights: Uint8Array; readonly profile: PileProfile },
): Promise<void> {
  await mkdir(dir, { recursive: true });
  const png = await sharp(heights).resize({ width: PICTURE_PX }).png({ palette: true }).toBuffer();
  await writeFile(join(dir, "brighton-kiosk-heights.png"), png);
  await writeFile(join(dir, "brighton-kiosk-profile.svg"), profileSvg(profile));
}

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../survey/coordinates/place.ts";
import type { UtmPlane } from "../../survey/coordinates/utm-plane.ts";
import {
  NO_DATA,
  type RasterPlace,
  utmKeys,
  writeRaster,
} from "../../survey/files/height-raster.ts";
import { SITE_ORIGIN } from "../../survey/site/plan-survey.ts";
import type { Baseline } from "../plan/options.ts";
import { designChangeM, directionOf, type ProjectZone } from "../zone/project-zone.ts";
import { corners, insideM } from "../zone/site-grid.ts";
import { naturalGroundM, planeM, type SiteGround } from "../zone/site-ground.ts";
import { landXmlTin, type TinPoint } from "./landxml-tin.ts";

/** Where a surface of a zone comes from; files are relative to the project's folder. */
export type SurfaceSource =
  | { readonly kind: "raster" | "tin"; readonly file: string; readonly epsg: number }
  | { readonly kind: "level"; readonly height_m: number; readonly reference: "baseline" };

/** The two ends of a zone's work; `undefined`: not given. */
export interface ZoneSurfaces {
  readonly baseline: SurfaceSource | undefined;
  readonly design: SurfaceSource | undefined;
}

/** Cell of rasters, metres, and how far they reach beyond their zone. */
const CELL_M = 0.2;
const BEYOND_M = 1;

/** Writes the surfaces of a zone into `zones/{code}/`. Heights are above the ellipsoid, as those of the surveys. */
export async function writeZoneSurfaces(
  out: string,
  ground: SiteGround,
  zone: ProjectZone,
  utm: UtmPlane,
  baseline: Baseline,
): Promise<ZoneSurfaces> {
  const { plan } = zone;
  const folder = `zones/${plan.code.toLowerCase()}`;
  await mkdir(join(out, folder), { recursive: true });
  const raster = async (name: string, upAt: (place: Place) => number): Promise<SurfaceSource> => {
    const file = `${folder}/${name}.tif`;
    const { place, cells } = sampleAround(ground, zone, utm, upAt);
    await writeRaster(join(out, file), place, utmKeys(utm.epsg), cells);
    return { kind: "raster", file, epsg: utm.epsg };
  };
  const designUpM = (place: Place) =>
    planeM(ground, place) + designChangeM(plan, ground.grid.fromSite(place));
  return {
    baseline:
      baseline === "none"
        ? undefined
        : await raster("baseline", (place) => naturalGroundM(ground, place)),
    design: await design(),
  };

  async function design(): Promise<SurfaceSource | undefined> {
    if (plan.design === "levels" || !("heightM" in plan.work)) return undefined;
    if (plan.design === "raster") return raster("design", designUpM);
    if (plan.design === "level") {
      return { kind: "level", height_m: plan.work.heightM, reference: "baseline" };
    }
    const file = `${folder}/design.xml`;
    const { points, faces } = designTin(ground, zone, utm);
    await writeFile(join(out, file), landXmlTin(plan.name, utm.epsg, points, faces));
    return { kind: "tin", file, epsg: utm.epsg };
  }
}

function sampleAround(
  ground: SiteGround,
  { plan: { rect } }: ProjectZone,
  utm: UtmPlane,
  upAt: (place: Place) => number,
): { readonly place: RasterPlace; readonly cells: Float32Array } {
  const grown = {
    ...rect,
    halfLengthM: rect.halfLengthM + BEYOND_M,
    halfWidthM: rect.halfWidthM + BEYOND_M,
  };
  const ring = corners(grown).map((at) => utm.fromSite(ground.grid.toSite(at)));
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const westM = Math.floor(Math.min(...xs));
  const northM = Math.ceil(Math.max(...ys));
  const width = Math.ceil((Math.max(...xs) - westM) / CELL_M);
  const height = Math.ceil((northM - Math.min(...ys)) / CELL_M);
  const cells = new Float32Array(width * height).fill(NO_DATA);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const place = utm.toSite(westM + (column + 0.5) * CELL_M, northM - (row + 0.5) * CELL_M);
      if (insideM(grown, ground.grid.fromSite(place)) < 0) continue;
      cells[row * width + column] = upAt(place) + SITE_ORIGIN.heightM;
    }
  }
  return { place: { westM, northM, cellM: CELL_M, width, height }, cells };
}

/** The faces of an earthwork's design: its toe, its crest, four slopes and the flat between; exact. */
function designTin(ground: SiteGround, { plan }: ProjectZone, utm: UtmPlane) {
  const { work, rect } = plan;
  if (work.kind !== "fill" && work.kind !== "cut") throw new Error(`${plan.code} has no slopes`);
  const inM = work.slopeRun * work.heightM;
  const crest = {
    ...rect,
    halfLengthM: rect.halfLengthM - inM,
    halfWidthM: rect.halfWidthM - inM,
  };
  const changeM = directionOf(plan) * work.heightM;
  const point = (at: { alongM: number; rightM: number }, upM: number): TinPoint => {
    const place = ground.grid.toSite(at);
    const [eastingM, northingM] = utm.fromSite(place);
    return { northingM, eastingM, heightM: planeM(ground, place) + upM + SITE_ORIGIN.heightM };
  };
  const points = [
    ...corners(rect).map((at) => point(at, 0)),
    ...corners(crest).map((at) => point(at, changeM)),
  ];
  const faces = [0, 1, 2, 3].flatMap((i) => {
    const next = (i + 1) % 4;
    return [
      [i, next, 4 + next],
      [i, 4 + next, 4 + i],
    ] as const;
  });
  return { points, faces: [...faces, [4, 5, 6] as const, [4, 6, 7] as const] };
}

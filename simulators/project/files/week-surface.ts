import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { UtmPlane } from "../../survey/coordinates/utm-plane.ts";
import { NO_DATA, utmKeys, writeRaster } from "../../survey/files/height-raster.ts";
import type { HeightField, NodeFrame } from "../../survey/scene/height-field.ts";
import { createSurfaceSampler } from "../../survey/scene/surface-sampler.ts";
import { SITE_ORIGIN } from "../../survey/site/plan-survey.ts";
import type { Solid } from "../../survey/site/solid.ts";

/** Cell of the surface, and its half edge about the site's origin: the zones and some ground about them, metres. */
const CELL_M = 0.2;
const HALF_M = 68;

/** Writes the surface of a week with everything on it: `{folder}/truth-dsm.tif`, UTM, heights above the ellipsoid. */
export async function writeWeekSurface(
  out: string,
  folder: string,
  heights: NodeFrame & Pick<HeightField, "terrain">,
  solids: readonly Solid[],
  utm: UtmPlane,
): Promise<string> {
  await mkdir(join(out, folder), { recursive: true });
  const upAt = createSurfaceSampler(solids, heights);
  const size = Math.round((2 * HALF_M) / CELL_M);
  const westM = Math.round(utm.x0) - HALF_M;
  const northM = Math.round(utm.y0) + HALF_M;
  const cells = new Float32Array(size * size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const x = westM + (column + 0.5) * CELL_M;
      const { eastM, northM: north } = utm.toSite(x, northM - (row + 0.5) * CELL_M);
      const upM = upAt(eastM, north);
      cells[row * size + column] = upM === undefined ? NO_DATA : upM + SITE_ORIGIN.heightM;
    }
  }
  const file = `${folder}/truth-dsm.tif`;
  const place = { westM, northM, cellM: CELL_M, width: size, height: size };
  await writeRaster(join(out, file), place, utmKeys(utm.epsg), cells);
  return file;
}

import { type GeoidPatch, readGeoid } from "../../coordinates/geoid-grid.ts";
import { isProblem } from "../../coordinates/problem.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { createEnuFrame, type SurveyOrigin } from "../../geometry/enu.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";
import {
  type GivenHeights,
  verticalDatum,
} from "../../photogrammetry/products/map/height-system.ts";
import type { Reconstruction } from "../../photogrammetry/reconstruction/reconstruction.ts";

/** The geoid that products are reduced by, and why one that was asked for is not. */
export interface ProductGeoid {
  readonly geoid: GeoidPatch | undefined;
  readonly findings: readonly GateFinding[];
}

/** Room around the surface, degrees: its map's raster is larger than it is. */
const MARGIN_DEG = 0.001;

/**
 * The part of the requested geoid grid that a survey's products need. Only heights above the ellipsoid are
 * reduced: for others the reference of the heights is not known.
 * @param surface frame of the surface, ENU at `origin`
 */
export async function productGeoid(
  name: string | undefined,
  origin: SurveyOrigin,
  surface: GridFrame,
  source: {
    readonly reconstruction: Reconstruction | undefined;
    readonly heightDatum?: GivenHeights | undefined;
  },
): Promise<ProductGeoid> {
  if (name === undefined) return { geoid: undefined, findings: [] };
  const datum = verticalDatum(source);
  if (datum.kind !== "ellipsoidal") return unused(name, `heights are ${datum.name}`);
  const { westM, northM, cellM, width, height } = surface;
  const enu = createEnuFrame(origin);
  const corners = [westM, westM + width * cellM].flatMap((x) =>
    [northM, northM - height * cellM].map((y) => enu.toGeodetic([x, y, 0])),
  );
  const lons = corners.map(({ lonDeg }) => lonDeg);
  const lats = corners.map(({ latDeg }) => latDeg);
  const geoid = await readGeoid(name, {
    westDeg: Math.min(...lons) - MARGIN_DEG,
    eastDeg: Math.max(...lons) + MARGIN_DEG,
    southDeg: Math.min(...lats) - MARGIN_DEG,
    northDeg: Math.max(...lats) + MARGIN_DEG,
  });
  return isProblem(geoid) ? unused(name, `the grid ${geoid.problem}`) : { geoid, findings: [] };
}

function unused(name: string, why: string): ProductGeoid {
  const finding: GateFinding = {
    gate: "GEOID_UNUSED",
    severity: "warn",
    value: 0,
    threshold: 1,
    unit: `grids applied, of one that was asked for (${name})`,
    advice: `Heights stay as they are, for ${why}. Volumes do not depend on it.`,
    images: [],
  };
  return { geoid: undefined, findings: [finding] };
}

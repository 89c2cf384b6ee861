import { buffer } from "@turf/buffer";
import { circle } from "@turf/circle";
import { rewind } from "@turf/rewind";
import { simplify } from "@turf/simplify";
import type { PlanePoint } from "./local-plane.ts";

/** A polygon as turf writes it. */
type SpherePolygon = ReturnType<typeof circle>["geometry"];
/** What turf returns as the outline of a polygon: the outer ring first, then holes; each closed. */
type PlaneRings = readonly (readonly PlanePoint[])[];

/**
 * turf computes on a sphere, in degrees. The plane is put around the point (0, 0) of that sphere, at a scale
 * that makes the shape this large, metres. Ten times larger, the sphere's curve would move corners by 4e-5 of
 * the size; ten thousand times smaller, the arc cosine in turf's buffer would move them by 1e-4. With true
 * degrees the sphere would be up to 0.56 % off the ellipsoid.
 */
const SIZE_ON_SPHERE_M = 10_000;
/** The radius of turf's sphere, metres (`earthRadius` of @turf/helpers). */
const SPHERE_RADIUS_M = 6_371_008.8;
const M_PER_DEG = (SPHERE_RADIUS_M * Math.PI) / 180;

/** A circle around the origin as a ring of `corners` corners on it, counter-clockwise. */
export function circleRings(radiusM: number, corners: number): PlaneRings {
  const drawn = circle([0, 0], SIZE_ON_SPHERE_M, { units: "meters", steps: corners });
  return ringsOf(drawn.geometry, SIZE_ON_SPHERE_M / radiusM);
}

/**
 * Corners of a quarter of a circle. Six are off by 0.9 % of the reach, which is what the buffer itself is off
 * by: it leaves out bends that are shallower than 1 %. More only cost time, because corners are added later.
 */
const QUARTER_STEPS = 6;

/**
 * Everything within `reachM` of a line, about: 1 % of the reach. Points that matter less than `detailM` are
 * left out.
 * @throws Error when turf makes anything but one polygon of it: a line is connected, so this is a bug.
 */
export function corridorRings(
  line: readonly PlanePoint[],
  reachM: number,
  detailM: number,
): PlaneRings {
  const sizeM = Math.max(...line.map(([x, y]) => Math.hypot(x, y))) + reachM;
  const scale = SIZE_ON_SPHERE_M / sizeM;
  const coordinates = line.map(([x, y]) => [(x * scale) / M_PER_DEG, (y * scale) / M_PER_DEG]);
  const feature = {
    type: "Feature" as const,
    properties: {},
    geometry: { type: "LineString" as const, coordinates },
  };
  const drawn = buffer(feature, reachM * scale, { units: "meters", steps: QUARTER_STEPS });
  if (drawn?.geometry.type !== "Polygon") throw new Error("the buffer of a line is not a polygon");
  const tolerance = (detailM * scale) / M_PER_DEG;
  return ringsOf(simplify(drawn.geometry, { tolerance, highQuality: true }), scale);
}

/** The rings of a polygon on the sphere in the plane: the outer one counter-clockwise, holes clockwise. */
function ringsOf(polygon: SpherePolygon, scale: number): PlaneRings {
  const wound = rewind(polygon);
  if (wound.type !== "Polygon") throw new Error("the rewound polygon is not a polygon");
  return wound.coordinates.map((ring) =>
    ring.map(([x = 0, y = 0]) => [(x * M_PER_DEG) / scale, (y * M_PER_DEG) / scale]),
  );
}

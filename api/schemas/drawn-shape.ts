import { Type } from "typebox";
import { LINE_POINTS, RADIUS_M, WIDTH_M } from "../../domain/geometry/drawn-shape.ts";
import type { DrawnShape } from "../../domain/geometry/geofence.ts";
import { invalidParameter } from "../validation/validation.ts";
import { kindOf } from "./kind-of.ts";
import { LAT_LNG, type LatLng, readLatLng } from "./polygon.ts";

const Centre = Type.Unsafe<LatLng>({ ...LAT_LNG, description: "[latitude, longitude]" });
const Radius = Type.Number({
  minimum: RADIUS_M.min,
  maximum: RADIUS_M.max,
  description: "Metres on the ellipsoid",
});
const Line = Type.Unsafe<readonly LatLng[]>({
  type: "array",
  minItems: LINE_POINTS.min,
  maxItems: LINE_POINTS.max,
  items: LAT_LNG,
  title: "CorridorLine",
  description: `Points as [latitude, longitude], ${LINE_POINTS.min} to ${LINE_POINTS.max}, at most 200 km apart`,
});
const Width = Type.Number({
  minimum: WIDTH_M.min,
  maximum: WIDTH_M.max,
  description: "Metres, half of it on either side of the line; the ends are round",
});

/** A circle, as an alternative to the contract's polygon. */
export const Circle = Type.Object({ centre: Centre, radius_m: Radius }, { title: "Circle" });
/** A line with a width, as an alternative to the contract's polygon. */
export const Corridor = Type.Object({ line: Line, width_m: Width }, { title: "Corridor" });

/** What of a shape a change names; the rest stays as it is (RFC 7396). */
export const CircleChange = Type.Partial(Circle);
export const CorridorChange = Type.Partial(Corridor);

/** A shape of which parts may be missing, because a change leaves them as they are. */
type PartialShape =
  | (Partial<DrawnShape & { type: "circle" }> & { readonly type: "circle" })
  | (Partial<DrawnShape & { type: "corridor" }> & { readonly type: "corridor" });

/** The shape as the API writes it, under its name. */
export function drawnView(drawn: DrawnShape) {
  if (drawn.type === "circle") {
    const [lonDeg, latDeg] = drawn.centre;
    return { circle: { centre: [latDeg, lonDeg] as const, radius_m: drawn.radius_m } };
  }
  const line = drawn.line.map(([lonDeg, latDeg]) => [latDeg, lonDeg] as const);
  return { corridor: { line, width_m: drawn.width_m } };
}

/**
 * Reads the parts of a shape that a request gives under the shape's name.
 * @throws ParameterError that names the part, as `corridor.line[3]`.
 */
export function readShapeParts(type: DrawnShape["type"], given: unknown): PartialShape {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw invalidParameter(type, `must be an object, not ${kindOf(given)}`);
  }
  const parts = given as Readonly<Record<string, unknown>>;
  const names = type === "circle" ? ["centre", "radius_m"] : ["line", "width_m"];
  for (const name of Object.keys(parts)) {
    if (!names.includes(name)) {
      throw invalidParameter(
        `${type}.${name}`,
        `is not known here; a ${type} has ${names.join(" and ")}`,
      );
    }
  }
  if (type === "circle") {
    const { centre, radius_m } = parts;
    return {
      type,
      ...(centre === undefined ? {} : { centre: readLatLng(centre, "circle.centre") }),
      ...(radius_m === undefined ? {} : { radius_m: readNumber(radius_m, "circle.radius_m") }),
    };
  }
  const { line, width_m } = parts;
  return {
    type,
    ...(line === undefined ? {} : { line: readLine(line) }),
    ...(width_m === undefined ? {} : { width_m: readNumber(width_m, "corridor.width_m") }),
  };
}

/**
 * The whole shape: what is missing comes from the one before, if that is of the same type.
 * @throws ParameterError for a part that neither has.
 */
export function wholeShape(parts: PartialShape, before: DrawnShape | undefined): DrawnShape {
  if (parts.type === "circle") {
    const { centre, radius_m } = { ...(before?.type === "circle" ? before : {}), ...parts };
    if (centre === undefined) throw invalidParameter("circle.centre", "is required");
    if (radius_m === undefined) throw invalidParameter("circle.radius_m", "is required");
    return { type: "circle", centre, radius_m };
  }
  const { line, width_m } = { ...(before?.type === "corridor" ? before : {}), ...parts };
  if (line === undefined) throw invalidParameter("corridor.line", "is required");
  if (width_m === undefined) throw invalidParameter("corridor.width_m", "is required");
  return { type: "corridor", line, width_m };
}

function readLine(line: unknown) {
  if (!Array.isArray(line)) {
    throw invalidParameter(
      "corridor.line",
      `must be an array of [latitude, longitude] pairs, not ${kindOf(line)}`,
    );
  }
  // Before its points are read: a body may have a hundred thousand.
  if (line.length > LINE_POINTS.max) {
    throw invalidParameter(
      "corridor.line",
      `has ${line.length} points; a line has ${LINE_POINTS.min} to ${LINE_POINTS.max}`,
    );
  }
  return line.map((point, i) => readLatLng(point, `corridor.line[${i}]`));
}

function readNumber(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw invalidParameter(name, `must be a finite number, not ${kindOf(value)}`);
}

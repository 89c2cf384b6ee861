import { DrawnShapeError } from "../../../domain/geometry/drawn-shape.ts";
import type { DrawnShape, Geofence } from "../../../domain/geometry/geofence.ts";
import { readShapeParts, wholeShape } from "../../schemas/drawn-shape.ts";
import { readPolygon } from "../../schemas/polygon.ts";
import { invalidParameter } from "../../validation/validation.ts";

/** What of a fence says which ground it is. */
export type FenceGround = Pick<Geofence, "ring" | "area_sqm" | "drawn">;

/** How a request may draw a fence; it does so in one of these ways. */
interface GivenGround {
  readonly polygon?: unknown;
  readonly circle?: unknown;
  readonly corridor?: unknown;
}

const SHAPES = ["polygon", "circle", "corridor"] as const;

/**
 * Reads the ground that a request draws. The returned function makes it; what a change of a circle or
 * corridor leaves out is taken from the shape before.
 * @throws ParameterError that names the vertex or part, before anything is read from the store where that is
 *   possible.
 */
export async function readGround(body: GivenGround): Promise<(before?: DrawnShape) => FenceGround> {
  const [shape, second] = SHAPES.filter((name) => body[name] !== undefined);
  if (shape === undefined) {
    throw invalidParameter("polygon", "is required; a circle or corridor may replace it");
  }
  if (second !== undefined) {
    throw invalidParameter(second, `must not be given beside ${shape}: a fence has one shape`);
  }
  if (shape === "polygon") {
    const { ring, areaM2 } = readPolygon(body.polygon, "polygon");
    const ground = { ring, area_sqm: roundedArea(areaM2) };
    return () => ground;
  }
  const parts = readShapeParts(shape, body[shape]);
  const outline = await loadOutlines();
  const draw = (drawn: DrawnShape): FenceGround => {
    try {
      return outline(drawn);
    } catch (error) {
      if (!(error instanceof DrawnShapeError)) throw error;
      const { path, message } = error;
      throw invalidParameter(path === "" ? shape : `${shape}.${path}`, message);
    }
  };
  const isWhole = Object.keys(parts).length === 3;
  const known = isWhole ? draw(wholeShape(parts, undefined)) : undefined;
  return (before) => known ?? draw(wholeShape(parts, before));
}

/** Whether a change draws the fence anew. */
export const drawsGround = (body: GivenGround): boolean =>
  SHAPES.some((name) => body[name] !== undefined);

/**
 * Loads what makes outlines, which is turf: 80 ms that no process should spend before a circle is drawn.
 * What it yields throws DrawnShapeError.
 */
export async function loadOutlines(): Promise<(drawn: DrawnShape) => FenceGround> {
  const { outlineOf } = await import("../../../processing/fence-outline/outline.ts");
  return (drawn) => {
    const { ring, areaM2 } = outlineOf(drawn);
    return { ring, area_sqm: roundedArea(areaM2), drawn };
  };
}

/** Square metres with two decimals. */
export const roundedArea = (areaM2: number): number => Math.round(areaM2 * 100) / 100;

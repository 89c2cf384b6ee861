import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { DrawnShapeError } from "../../../domain/geometry/drawn-shape.ts";
import { fenceRing, RingError } from "../../../domain/geometry/fence-ring.ts";
import {
  type AlertTrigger,
  DEFAULT_CROSSING_RULES,
  type DrawnShape,
  type Geofence,
  type GeofenceKind,
} from "../../../domain/geometry/geofence.ts";
import { type GeofenceId, newId, type ProjectId } from "../../../domain/ids.ts";
import {
  type FeatureFlaw,
  type FenceFeature,
  type FenceGeometry,
  MOST_FLAWS,
} from "../../../processing/fence-import/fence-feature.ts";
import type { EventLoopPauses } from "../../../processing/uploads/event-loop-pauses.ts";
import { DetailedError } from "../../errors/detailed-error.ts";
import { readShapeParts, wholeShape } from "../../schemas/drawn-shape.ts";
import { kindOf } from "../../schemas/kind-of.ts";
import { invalidParameter, ParameterError } from "../../validation/validation.ts";
import { rulesOf, triggersOf } from "./fence-fields.ts";
import { type FenceGround, loadOutlines, roundedArea } from "./fence-ground.ts";
import { GeofenceChange } from "./geofence-schemas.ts";
import { isOutline } from "./own-outline.ts";

/** What a file became. */
interface ImportedFences {
  /** In the order of the features. */
  readonly fences: readonly Geofence[];
  /** Names of properties that no fence has; the first 50. */
  readonly ignoredProperties: readonly string[];
}

/**
 * Most circles and corridors of a file. Each takes 1 to 3 ms of turf, a tangled line up to 100: more would make
 * one import the work of minutes.
 */
const MOST_DRAWN = 1_000;
/** Most points of all lines of a file. */
const MOST_LINE_POINTS = 20_000;
/** Most corners of all outlines of a file: 12 MB as JSON, and 16 bytes each in every process that evaluates fixes. */
const MOST_CORNERS = 400_000;
const MOST_IGNORED = 50;

const { kind, alert_on, exit_buffer_m, confirm_fixes, min_dwell_s, name } =
  GeofenceChange.properties;
const OPTIONS = { kind, alert_on, exit_buffer_m, confirm_fixes, min_dwell_s } as const;
const CHECKS = Object.entries({ name, ...OPTIONS }).map(
  ([field, schema]) => [field, Compile(schema as TSchema)] as const,
);
/** Read for a size or shape, or written by our own GeoJSON and given by the shape itself. */
const KNOWN = new Set([
  ...["name", "radius_m", "width_m", "circle", "corridor", "shape", "id", "status", "area_sqm"],
  ...["project_id", "created_at", "updated_at", ...Object.keys(OPTIONS)],
]);

/** Fields of a fence that properties of a feature may give. */
interface FenceOptions {
  readonly name: string;
  readonly kind?: GeofenceKind;
  readonly alert_on?: AlertTrigger | readonly AlertTrigger[];
  readonly exit_buffer_m?: number;
  readonly confirm_fixes?: number;
  readonly min_dwell_s?: number;
}

/**
 * The fences of a file's features.
 * @throws DetailedError `PARAMETER_INVALID` that lists what is wrong, feature by feature, up to 100 flaws.
 */
export async function importedFences(
  features: readonly FenceFeature[],
  given: { readonly projectId: ProjectId; readonly nameProperty: string; readonly nowMs: number },
  pauses: EventLoopPauses,
): Promise<ImportedFences> {
  const at = new Date(given.nowMs).toISOString();
  const flaws: FeatureFlaw[] = [];
  const fences: Geofence[] = [];
  const ignored = new Set<string>();
  const left = { drawn: MOST_DRAWN, linePoints: MOST_LINE_POINTS, corners: MOST_CORNERS };
  const draw = features.some(isDrawn) ? await loadOutlines() : undefined;
  let flawed = 0;

  for (const feature of features) {
    const pause = pauses.due();
    if (pause !== undefined) await pause;
    const found = [...feature.flaws];
    const options = optionsOf(feature, given.nameProperty, found);
    for (const property of Object.keys(feature.properties)) {
      if (ignored.size >= MOST_IGNORED) break;
      if (!KNOWN.has(property) && property !== given.nameProperty) ignored.add(property);
    }
    const ground = groundOf(feature, found);
    if (found.length > 0 || ground === undefined || options === undefined) {
      flawed += 1;
      if (flaws.length <= MOST_FLAWS) flaws.push(...found);
      continue;
    }
    fences.push({
      id: newId<GeofenceId>("gf"),
      project_id: given.projectId,
      name: options.name,
      kind: options.kind ?? "zone",
      ...ground,
      alert_on: triggersOf(options.alert_on ?? "both"),
      rules: rulesOf(options, DEFAULT_CROSSING_RULES),
      created_at: at,
      updated_at: at,
    });
  }
  if (flawed > 0) throw refusal(flaws, flawed, features.length);
  return { fences, ignoredProperties: [...ignored] };

  function groundOf(
    { path, propertiesPath, geometry, properties }: FenceFeature,
    found: FeatureFlaw[],
  ): FenceGround | undefined {
    if (geometry === undefined) return undefined;
    try {
      const drawn = drawnOf(geometry, properties);
      const ground = drawn === undefined ? polygonGround(geometry) : drawnGround(drawn, path);
      if (drawn !== undefined) requireOwnOutline(drawn, ground, geometry);
      left.corners -= ground.ring.length;
      if (left.corners >= 0) return ground;
      found.push({ path, message: `brings the corners of all outlines beyond ${MOST_CORNERS}` });
    } catch (error) {
      found.push(flawOf(error, geometry, { path, propertiesPath }));
    }
    return undefined;
  }

  function drawnGround(drawn: DrawnShape, path: string): FenceGround {
    left.drawn -= 1;
    if (left.drawn < 0) {
      throw new DrawnShapeError(
        "",
        `is more than the ${MOST_DRAWN} circles and corridors of a file`,
      );
    }
    if (drawn.type === "corridor") left.linePoints -= drawn.line.length;
    if (left.linePoints < 0) {
      throw new DrawnShapeError("", `brings the points of all lines beyond ${MOST_LINE_POINTS}`);
    }
    if (draw === undefined) throw new Error(`no outlines for ${path}`);
    return draw(drawn);
  }
}

const isDrawn = ({ geometry, properties }: FenceFeature): boolean =>
  geometry !== undefined && (geometry.type !== "Polygon" || hasOwnShape(properties));

/** Whether the feature was written by our own GeoJSON from a circle or corridor. */
const hasOwnShape = (properties: FenceFeature["properties"]): boolean =>
  ["circle", "corridor"].some((name) => isGiven(properties, name));

const isGiven = (properties: FenceFeature["properties"], name: string): boolean =>
  Object.hasOwn(properties, name) && properties[name] !== undefined && properties[name] !== null;

/** The circle or corridor that a feature is; `undefined`: it is a polygon. */
function drawnOf(
  geometry: FenceGeometry,
  properties: FenceFeature["properties"],
): DrawnShape | undefined {
  const own = ownShape(properties);
  if (own !== undefined) return own;
  switch (geometry.type) {
    case "Polygon":
      return undefined;
    case "Point":
      return {
        type: "circle",
        centre: geometry.point.position,
        radius_m: sizeOf(properties, "radius_m", "Point"),
      };
    case "LineString":
      return {
        type: "corridor",
        line: geometry.line.map(({ position }) => position),
        width_m: sizeOf(properties, "width_m", "LineString"),
      };
  }
}

/**
 * Somebody may have moved the outline that our own GeoJSON has beside its shape.
 * @throws ParameterError then: the file does not say which of the two is meant.
 */
function requireOwnOutline(
  { type }: DrawnShape,
  { ring, area_sqm }: FenceGround,
  geometry: FenceGeometry,
): void {
  if (geometry.type !== "Polygon") return;
  const corners = geometry.ring.map(({ position }) => position);
  if (isOutline(corners, ring, area_sqm)) return;
  throw invalidParameter(
    type,
    `is not the ${type} that the feature's polygon outlines; leave out the property to import the polygon`,
  );
}

/** A shape in the properties, as our own GeoJSON has it beside its outline. */
function ownShape(properties: FenceFeature["properties"]): DrawnShape | undefined {
  for (const type of ["circle", "corridor"] as const) {
    if (isGiven(properties, type))
      return wholeShape(readShapeParts(type, properties[type]), undefined);
  }
  return undefined;
}

/** @throws ParameterError when the property is not a number. */
function sizeOf(properties: FenceFeature["properties"], name: string, geometry: string): number {
  const given = isGiven(properties, name) ? numberOf(properties[name]) : undefined;
  if (typeof given === "number") return given;
  const message =
    given === undefined
      ? `is required for a ${geometry}`
      : `must be a number, not ${kindOf(given)}`;
  throw invalidParameter(name, message);
}

/** Tables of attributes, and KML always, have numbers as texts. */
const numberOf = (value: unknown): unknown =>
  typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;

function polygonGround(geometry: FenceGeometry): FenceGround {
  if (geometry.type !== "Polygon") throw new TypeError("only a polygon is its own outline");
  const { ring, areaM2 } = fenceRing(geometry.ring.map(({ position }) => position));
  return { ring, area_sqm: roundedArea(areaM2) };
}

/** What is wrong with a shape, with its place in the file. */
function flawOf(
  error: unknown,
  geometry: FenceGeometry,
  { path, propertiesPath }: Pick<FenceFeature, "path" | "propertiesPath">,
): FeatureFlaw {
  if (error instanceof ParameterError) {
    const [{ parameter, message } = { parameter: "", message: error.message }] = error.details;
    return { path: `${propertiesPath}.${parameter}`, message };
  }
  if (error instanceof RingError && geometry.type === "Polygon") {
    const place = error.vertex === undefined ? undefined : geometry.ring[error.vertex];
    return { path: place?.path ?? path, message: error.message };
  }
  if (error instanceof DrawnShapeError) {
    if (error.path === "radius_m" || error.path === "width_m") {
      return { path: `${propertiesPath}.${error.path}`, message: error.message };
    }
    const point = /^line\[(\d+)\]$/.exec(error.path)?.[1];
    const place = geometry.type === "LineString" ? geometry.line[Number(point)] : undefined;
    return { path: place?.path ?? path, message: error.message };
  }
  throw error;
}

/** The options that a feature's properties give; `undefined`: one of them is not allowed. */
function optionsOf(
  { properties, propertiesPath }: FenceFeature,
  nameProperty: string,
  found: FeatureFlaw[],
): FenceOptions | undefined {
  const values: Record<string, unknown> = {};
  const before = found.length;
  for (const [field, check] of CHECKS) {
    const property = field === "name" ? nameProperty : field;
    const path = `${propertiesPath}.${property}`;
    if (!isGiven(properties, property)) {
      if (field === "name")
        found.push({ path, message: "is required: it is the name of the fence" });
      continue;
    }
    const value = fieldValue(field, properties[property]);
    const [problem] = check.Check(value) ? [] : check.Errors(value);
    if (problem !== undefined) found.push({ path, message: problem.message });
    values[field] = value;
  }
  return found.length === before ? (values as unknown as FenceOptions) : undefined;
}

/** A property as the field takes it: "enter, exit" is a list, and a number may be a text. */
function fieldValue(field: string, value: unknown): unknown {
  if (field === "name") return typeof value === "number" ? String(value) : value;
  if (field === "alert_on" && typeof value === "string")
    return value.trim() === "none" ? [] : value.split(/[\s,]+/).filter(Boolean);
  return numberOf(value);
}

function refusal(flaws: readonly FeatureFlaw[], flawed: number, of: number): DetailedError {
  const shown = flaws.slice(0, MOST_FLAWS);
  const more = flaws.length > shown.length ? `; the first ${MOST_FLAWS} flaws are listed` : "";
  return new DetailedError(
    "PARAMETER_INVALID",
    `${flawed} of ${of} features cannot be fences, so none is imported${more}`,
    shown.map(({ path, message }) => ({ parameter: path, message })),
  );
}

import { type Static, Type } from "typebox";
import { CameraId, WorkZoneId } from "../../../domain/ids.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import type { ErrorDetail } from "../../errors/error.ts";
import { readInstant } from "../../schemas/instant.ts";
import { timestampOf } from "../../schemas/timestamp.ts";
import { SurfaceHeightUnit } from "../../schemas/vertical-datum.ts";
import { checkExportFields, EXPORT_FIELDS } from "../../surveys/export-fields.ts";
import { addressProblem, type EntryRules } from "../../surveys/image-entries.ts";
import { ScaleBar } from "../../surveys/scale-bars.ts";
import { checkSurveyFields, SURVEY_FIELDS } from "../../surveys/survey-fields.ts";
import { invalidParameter, ParameterError } from "../../validation/validation.ts";

/** Largest metadata of one capture, bytes of JSON, and how deep it may nest (docs/rules.md#captures). */
const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 8;
/** Clocks of cameras and drones may be ahead of ours by so much, ms: as those of devices (docs/rules.md#clocks). */
const MAX_AHEAD_MS = 5 * MINUTE_MS;

const Percent = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 100, description }));
const Metres = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10_000, description }));
const Name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

const Camera = Type.Object({
  model: Name("As in EXIF"),
  focal_length_mm: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 2_000 })),
  sensor_width_mm: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 500 })),
});

const GroundControlPoint = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  elevation_m: Type.Number({ minimum: -11_000, maximum: 9_000 }),
  image: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Name of an image that shows it" }),
  ),
  x: Type.Optional(Type.Number({ description: "Pixel column there, 0 = middle of the first" })),
  y: Type.Optional(Type.Number({ description: "Pixel row there" })),
});

/** What a client may state about a flight, or a fixed camera's pictures; keys that are not named here are kept. */
export const FlightMetadata = Type.Object(
  {
    flight_id: Name("The operator's own"),
    flown_at: Type.Optional(
      timestampOf("When the images were taken; absent: the time in their EXIF"),
    ),
    drone_model: Name("As people call it"),
    altitude_agl_m: Metres("Above the ground"),
    gsd_cm: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000,
        description: "Ground sample distance, cm",
      }),
    ),
    front_overlap_percent: Percent("Of images in a row"),
    side_overlap_percent: Percent("Of neighbouring rows"),
    rtk: Type.Optional(Type.Boolean({ description: "Positions are corrected to centimetres" })),
    horizontal_accuracy_m: Metres("Of the positions, one standard deviation"),
    vertical_accuracy_m: Metres("Of the positions, one standard deviation"),
    epsg: Type.Optional(
      Type.Integer({
        minimum: 1_024,
        maximum: 32_767,
        description: "Coordinate system of given surfaces that name none (EPSG registry)",
      }),
    ),
    ...SURVEY_FIELDS,
    surface_height_unit: SurfaceHeightUnit,
    ...EXPORT_FIELDS,
    camera: Type.Optional(Camera),
    ground_control_points: Type.Optional(
      Type.Array(GroundControlPoint, {
        maxItems: 500,
        description: "One entry for each image that shows a point",
      }),
    ),
    ground_control_points_subset: Type.Optional(
      Type.Boolean({
        description:
          "true: of a larger flight; entries of images that are not in this one do not count. Absent: they are errors",
      }),
    ),
    scale_bars: Type.Optional(Type.Array(ScaleBar, { maxItems: 100 })),
    dsm_url: Type.Optional(Type.String({ description: "GeoTIFF of heights, made elsewhere" })),
    orthomosaic_url: Type.Optional(
      Type.String({ description: "Orthomosaic (GeoTIFF), made elsewhere" }),
    ),
    camera_id: Type.Optional(CameraId),
    zone_id: Type.Optional(
      Type.Unsafe<WorkZoneId>({
        ...WorkZoneId,
        description:
          "Of photographs without a fixed view: the zone that they show, unless an address says so by #zone=",
      }),
    ),
    taken_at: Type.Optional(timestampOf("When pictures of a fixed camera, or by hand, were taken")),
  },
  { title: "FlightMetadata", additionalProperties: true },
);
export type FlightMetadata = Static<typeof FlightMetadata>;

/**
 * Checks what the schema cannot; metadata passes as it is, with all its keys.
 * @throws ParameterError naming the field.
 */
export function checkFlightMetadata(
  metadata: FlightMetadata,
  rules: EntryRules,
  nowMs: number,
): void {
  checkJson(metadata);
  for (const name of ["flown_at", "taken_at"] as const) {
    const text = metadata[name];
    if (text === undefined) continue;
    if (readInstant(`flight_metadata.${name}`, text) > nowMs + MAX_AHEAD_MS) {
      throw invalidParameter(`flight_metadata.${name}`, "must not lie in the future");
    }
  }
  for (const name of ["dsm_url", "orthomosaic_url"] as const) {
    const url = metadata[name];
    const problem = url === undefined ? undefined : addressProblem(url, rules);
    if (problem !== undefined) throw invalidParameter(`flight_metadata.${name}`, problem);
  }
  checkSurveyFields(metadata, "flight_metadata.");
  checkExportFields(metadata, "flight_metadata.");
  checkControlPoints(metadata.ground_control_points ?? []);
}

/** What JSON can say and a record should not hold: depth without end, 1e999, megabytes. */
function checkJson(metadata: object): void {
  const open: { readonly value: unknown; readonly path: string; readonly depth: number }[] = [
    { value: metadata, path: "flight_metadata", depth: 1 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw invalidParameter(path, "is a number that is not finite");
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_DEPTH) {
      throw invalidParameter("flight_metadata", `must nest at most ${MAX_DEPTH} levels deep`);
    }
    for (const [key, entry] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key.slice(0, 64)}`;
      open.push({ value: entry, path: at, depth: depth + 1 });
    }
  }
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > MAX_BYTES) {
    throw invalidParameter(
      "flight_metadata",
      `must have at most ${MAX_BYTES / 1024} KiB of JSON, not ${Math.ceil(bytes / 1024)} KiB`,
    );
  }
}

function checkControlPoints(points: NonNullable<FlightMetadata["ground_control_points"]>): void {
  const problems: ErrorDetail[] = [];
  const firstByName = new Map<string, (typeof points)[number]>();
  for (const [i, point] of points.entries()) {
    const parameter = `flight_metadata.ground_control_points[${i}]`;
    const marks = [point.image, point.x, point.y].filter((part) => part !== undefined);
    if (marks.length % 3 !== 0) {
      problems.push({ parameter, message: "must have all of image, x and y, or none of them" });
    }
    const first = firstByName.get(point.name) ?? point;
    firstByName.set(point.name, first);
    const isSame =
      first.latitude === point.latitude &&
      first.longitude === point.longitude &&
      first.elevation_m === point.elevation_m;
    if (!isSame) {
      const message = `has other coordinates than the first entry of the point "${point.name}"`;
      problems.push({ parameter, message });
    }
    if (problems.length >= 8) break;
  }
  if (problems.length > 0) throw new ParameterError(problems);
}

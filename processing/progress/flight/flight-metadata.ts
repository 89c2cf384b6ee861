import { HEIGHT_UNITS, type HeightUnit } from "../../../domain/geometry/vertical-datum.ts";
import type { ControlPoint, ScaleBar } from "../../engine/port/engine.ts";
import {
  ORTHOPHOTO_CELLS,
  type OrthophotoCells,
  PROFILE_NAMES,
  type ProfileName,
} from "../../engine/port/profiles.ts";
import { isCheckName, SURVEYED_SIGMA_M } from "../../engine/port/surveyed-points.ts";
import { readScaleBars } from "./flight-scale-bars.ts";

/** What a flight's analysis uses of its metadata (docs/progress-method.md#surfaces); the rest is kept, not read. */
export interface FlightMetadata {
  /** ms since the Unix epoch. */
  readonly flownAtMs: number | undefined;
  /** Whether the flight says that it flew with RTK. */
  readonly isRtk: boolean;
  readonly controlPoints: readonly ControlPoint[];
  /** They are those of a larger flight; see `SurveyInput`. */
  readonly isControlSubset: boolean;
  readonly scaleBars: readonly ScaleBar[];
  /** How the surface is made of the images. */
  readonly profile: ProfileName;
  readonly orthophoto: OrthophotoCells;
  /** Addresses of a surface that is there already, and of its orthophoto. */
  readonly dsmUrl: string | undefined;
  readonly orthomosaicUrl: string | undefined;
  /** Coordinate system of the maps; `undefined`: the UTM zone. */
  readonly outputCrs: string | undefined;
  /** File name of the geoid grid that heights of the products are reduced by; `undefined`: none. */
  readonly geoidGrid: string | undefined;
  /** In what the given surface counts heights; `undefined`: as it says itself. */
  readonly heightUnit: HeightUnit | undefined;
  /** Whether point cloud, terrain and contours are asked for. */
  readonly exports: boolean;
  /** Of contour lines, metres; `undefined`: chosen from the relief. */
  readonly contourIntervalM: number | undefined;
  /** What was given and cannot be used, in words. */
  readonly warnings: readonly string[];
}

/**
 * Marks that one warning lists: enough to recognise a wrong column; more make the warning too long to be read.
 */
const MOST_LISTED = 5;

/**
 * Reads the usable entries. Unusable ones are named in warnings and do not fail the flight: the images exist,
 * and a flight is not repeated weeks later for a typing error.
 */
export function readFlightMetadata(
  metadata: Readonly<Record<string, unknown>> | undefined,
): FlightMetadata {
  const warnings: string[] = [];
  const { flown_at: flownAt, dsm_url: dsmUrl, orthomosaic_url: orthoUrl } = metadata ?? {};
  const flownAtMs = typeof flownAt === "string" ? Date.parse(flownAt) : Number.NaN;
  if (flownAt !== undefined && flownAt !== null && Number.isNaN(flownAtMs)) {
    warnings.push("flight_metadata.flown_at is not an ISO 8601 time, and was not used.");
  }
  const marks = readMarks(metadata?.["ground_control_points"], warnings);
  const contourIntervalM = metadata?.["contour_interval_m"];
  const address = (value: unknown): string | undefined =>
    typeof value === "string" && value !== "" ? value : undefined;
  return {
    flownAtMs: Number.isNaN(flownAtMs) ? undefined : flownAtMs,
    isRtk: metadata?.["rtk"] === true,
    controlPoints: controlPointsOf(marks, warnings),
    isControlSubset: metadata?.["ground_control_points_subset"] === true,
    scaleBars: readScaleBars(metadata?.["scale_bars"], warnings),
    profile: PROFILE_NAMES.find((name) => name === metadata?.["profile"]) ?? "quick",
    orthophoto: ORTHOPHOTO_CELLS.find((name) => name === metadata?.["orthophoto"]) ?? "profile",
    dsmUrl: address(dsmUrl),
    orthomosaicUrl: address(orthoUrl),
    outputCrs: address(metadata?.["output_crs"]),
    geoidGrid: address(metadata?.["geoid_grid"]),
    heightUnit: HEIGHT_UNITS.find((unit) => unit === metadata?.["surface_height_unit"]),
    exports: metadata?.["exports"] === true,
    contourIntervalM: isNumber(contourIntervalM) ? contourIntervalM : undefined,
    warnings,
  };
}

interface ControlMark {
  readonly name: string;
  readonly latDeg: number;
  readonly lonDeg: number;
  readonly heightM: number;
  readonly mark: ControlPoint["marks"][number];
}

const isNumber = (value: unknown, most = Number.MAX_VALUE): value is number =>
  typeof value === "number" && Math.abs(value) <= most;

function readMarks(given: unknown, warnings: string[]): readonly ControlMark[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    warnings.push("flight_metadata.ground_control_points is not a list, and was not used.");
    return [];
  }
  const wrong: number[] = [];
  const marks = given.flatMap((entry: unknown, i): readonly ControlMark[] => {
    const mark = markOf(entry);
    if (mark === undefined) wrong.push(i);
    return mark === undefined ? [] : [mark];
  });
  if (wrong.length > 0) {
    const listed = wrong.slice(0, MOST_LISTED).join(", ");
    warnings.push(
      `flight_metadata.ground_control_points: ${wrong.length} of ${given.length} entries (${listed}${wrong.length > MOST_LISTED ? ", ..." : ""}) do not have name, latitude, longitude, elevation_m, image, x and y, and were not used.`,
    );
  }
  return marks;
}

function markOf(entry: unknown): ControlMark | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const {
    name,
    latitude,
    longitude,
    elevation_m: heightM,
    image,
    x,
    y,
  } = entry as Record<string, unknown>;
  const isPlace = isNumber(latitude, 90) && isNumber(longitude, 180) && isNumber(heightM);
  if (!isPlace || typeof image !== "string" || !isNumber(x) || !isNumber(y)) return undefined;
  if (typeof name !== "string" || name === "") return undefined;
  return {
    ...{ name, heightM },
    latDeg: latitude,
    lonDeg: longitude,
    mark: { image, u: x, v: y },
  };
}

/** Marks of one name are one point; one that lies elsewhere than the first of its name is left out. */
function controlPointsOf(
  marks: readonly ControlMark[],
  warnings: string[],
): readonly ControlPoint[] {
  const points = new Map<string, ControlPoint>();
  const torn = new Set<string>();
  for (const { name, mark, ...place } of marks) {
    const known = points.get(name);
    const isElsewhere =
      known !== undefined &&
      (known.latDeg !== place.latDeg ||
        known.lonDeg !== place.lonDeg ||
        known.heightM !== place.heightM);
    if (isElsewhere) torn.add(name);
    points.set(name, {
      ...{ name, ...place, sigmaM: SURVEYED_SIGMA_M, isCheck: isCheckName(name) },
      marks: [...(known?.marks ?? []), mark],
    });
  }
  for (const name of torn) {
    points.delete(name);
    warnings.push(`Control point "${name}" is given at two places, and was not used.`);
  }
  return [...points.values()];
}

import { DomainError } from "../../../domain/errors.ts";
import type { CoordinateSystem } from "../../coordinates/coordinate-system.ts";
import { findCoordinateSystem } from "../../coordinates/find-coordinate-system.ts";
import { isProblem } from "../../coordinates/problem.ts";
import type { ControlPoint } from "./engine.ts";
import { isCheckName, SURVEYED_SIGMA_M } from "./surveyed-points.ts";

/** Columns in OpenDroneMap's order; a first row with these names may put them in another. */
const COLUMNS = ["x", "y", "z", "u", "v", "image", "name"] as const;
type Column = (typeof COLUMNS)[number];
/** Other names of the columns, in small letters. */
const COLUMN_NAMES: Readonly<Record<string, Column>> = {
  ...{ x: "x", easting: "x", east: "x", longitude: "x", lon: "x" },
  ...{ y: "y", northing: "y", north: "y", latitude: "y", lat: "y" },
  ...{ z: "z", height: "z", height_m: "z", elevation: "z", elevation_m: "z", altitude: "z" },
  ...{ u: "u", column: "u", px: "u", im_x: "u", v: "v", row: "v", py: "v", im_y: "v" },
  ...{ image: "image", image_name: "image", file: "image" },
  ...{ name: "name", gcp: "name", gcp_name: "name", point: "name", label: "name" },
};

/** Control points of a file, and what was decided in reading them. */
export interface ControlPointFile {
  readonly points: readonly ControlPoint[];
  /** For the answer: the coordinate system, and which of the first two columns is the easting. */
  readonly note: string;
}

interface Row {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly u: number;
  readonly v: number;
  readonly image: string;
  readonly name: string | undefined;
}

/**
 * Reads control points in OpenDroneMap's form (gcp_list.txt) or as CSV: the coordinate system first, as
 * `findCoordinateSystem` reads it, then a line for each mark: x y z column row image [name], between blanks, tabs,
 * commas or semicolons; a row with the columns' names may put them in another order. Marks of one name, or of one
 * place where names are missing, are one point; `#` begins a comment.
 *
 * Easting (longitude) comes before northing, as in OpenDroneMap's form and whatever the authority's order is. Only where
 * that puts all points outside the system's area of use and the other order puts all within it, northing comes
 * first; `note` says so. Heights are in the system's vertical unit, else in its horizontal one (as in PROJ), else
 * in metres.
 * @throws DomainError `PARAMETER_INVALID` naming the line.
 */
export function readControlPointFile(text: string): ControlPointFile {
  const lines = text.split(/\r?\n/).map((line, i) => ({ text: line.trim(), number: i + 1 }));
  const [head, ...rest] = lines.filter((line) => line.text !== "" && !line.text.startsWith("#"));
  const system = systemOf(head?.text ?? "");
  const named = columnNames(rest[0]?.text ?? "");
  const rows = (named === undefined ? rest : rest.slice(1)).map((line) =>
    readRow(line, named ?? COLUMNS),
  );
  const isSwapped = isNorthingFirst(rows, system);
  const byName = new Map<string, readonly Row[]>();
  for (const row of rows) {
    // By place alone: one file gave a point 70 m in one line and 70.5 m in the next.
    const name = row.name ?? `${row.x} ${row.y}`;
    byName.set(name, [...(byName.get(name) ?? []), row]);
  }
  const points = [...byName].map(([name, of]) => pointOf(name, of, system, isSwapped));
  const order = isSwapped
    ? "northing before easting, for only so do the points lie in its area of use"
    : "easting before northing";
  return { points, note: `Control points in ${system.name}, ${order}.` };
}

function readRow(
  line: { text: string; number: number },
  columns: readonly (Column | undefined)[],
): Row {
  const fields = fieldsOf(line.text);
  const field = (column: Column) => fields[columns.indexOf(column)];
  const number = (column: Column) => {
    const value = field(column);
    return value === undefined || value === "" ? Number.NaN : Number(value);
  };
  const [x, y, z, u, v] = [number("x"), number("y"), number("z"), number("u"), number("v")];
  const image = field("image");
  if (!image || [x, y, z, u, v].some((value) => !Number.isFinite(value))) {
    throw new DomainError(
      "PARAMETER_INVALID",
      `line ${line.number} of the control points is not "x y z column row image name"`,
    );
  }
  return { x, y, z, u, v, image, name: field("name") || undefined };
}

/** Commas and semicolons keep blanks within names. */
function fieldsOf(line: string): readonly string[] {
  const separator = [";", ",", "\t"].find((one) => line.includes(one));
  return line.split(separator ?? /\s+/).map((field) => field.trim());
}

/** The columns that a row names; `undefined`: it is not such a row. */
function columnNames(line: string): readonly (Column | undefined)[] | undefined {
  const columns = fieldsOf(line).map((name) => COLUMN_NAMES[name.toLowerCase()]);
  const isHead = ["x", "y", "z", "u", "v", "image"].every((column) =>
    columns.includes(column as Column),
  );
  return isHead ? columns : undefined;
}

function pointOf(
  name: string,
  rows: readonly Row[],
  system: CoordinateSystem,
  isSwapped: boolean,
): ControlPoint {
  const [first] = rows;
  const [x, y] = [first?.x ?? Number.NaN, first?.y ?? Number.NaN];
  const [lonDeg, latDeg] = isSwapped ? system.toGeodetic(y, x) : system.toGeodetic(x, y);
  if (!(Math.abs(lonDeg) <= 180 && Math.abs(latDeg) <= 90)) {
    throw new DomainError(
      "PARAMETER_INVALID",
      `control point "${name}" has coordinates ${x}, ${y}, which ${system.name} does not have`,
    );
  }
  const { unitM = system.unitM ?? 1, isDepth = false } = system.vertical ?? {};
  const heightsM = rows.map(({ z }) => (isDepth ? -z : z) * unitM);
  const [least, most] = [Math.min(...heightsM), Math.max(...heightsM)];
  return {
    ...{ name, latDeg, lonDeg, heightM: (least + most) / 2 },
    // Lines that contradict each other make a height as unsure as they are apart.
    sigmaM: {
      ...SURVEYED_SIGMA_M,
      vertical: Math.max(SURVEYED_SIGMA_M.vertical, (most - least) / 2),
    },
    isCheck: isCheckName(name),
    marks: rows.map(({ image, u, v }) => ({ image, u, v })),
  };
}

function isNorthingFirst(rows: readonly Row[], { area, toGeodetic }: CoordinateSystem): boolean {
  if (area === undefined || rows.length === 0) return false;
  const [west, south, east, north] = area;
  const isWithin = (x: number, y: number) => {
    const [lonDeg, latDeg] = toGeodetic(x, y);
    const isEast =
      west <= east ? lonDeg >= west && lonDeg <= east : lonDeg >= west || lonDeg <= east;
    return isEast && latDeg >= south && latDeg <= north;
  };
  return !rows.some(({ x, y }) => isWithin(x, y)) && rows.every(({ x, y }) => isWithin(y, x));
}

function systemOf(head: string): CoordinateSystem {
  const found = findCoordinateSystem(head);
  if (!isProblem(found)) return found;
  throw new DomainError(
    "PARAMETER_INVALID",
    `the first line of the control points, "${head.slice(0, 60)}", ${found.problem}; it has to name the coordinate system`,
  );
}

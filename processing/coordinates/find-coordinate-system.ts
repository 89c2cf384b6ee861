import { DomainError } from "../../domain/errors.ts";
import {
  type CoordinateSystem,
  createCoordinateSystem,
  type Definition,
  type VerticalSystem,
} from "./coordinate-system.ts";
import { epsgEntry } from "./epsg-table.ts";
import { isProblem, type Problem } from "./problem.ts";
import { readProjString } from "./proj-string.ts";
import { readWkt } from "./wkt-definition.ts";

const SOUTH_WEST = "its axes count south and west, which its PROJ string does not say";

/**
 * Codes whose definition proj4 reads and does not compute as PROJ does, with the reason. Found by
 * `npm run test:coordinates`, which compares every code with PROJ.
 */
const NOT_EXACT: ReadonlyMap<number, string> = new Map([
  [8044, SOUTH_WEST],
  [8045, SOUTH_WEST],
  [28_191, "proj4 is off by up to 0.2 m in the east of its area"],
]);

/** The forms that {@link findCoordinateSystem} reads, for messages. */
const COORDINATE_SYSTEM_FORMS =
  'an EPSG code ("EPSG:2180", with heights "EPSG:2180+5701"), a PROJ string ("+proj=..."), WKT, or "WGS84 UTM 32N"';

const EPSG = /^(?:urn:ogc:def:crs:)?EPSG:{0,2}[\d.]*:(\d{1,6})(?:\s*\+\s*(?:EPSG:)?(\d{1,6}))?$/i;
const UTM = /^WGS ?84 ?(?:\/ ?)?UTM(?: zone)? ?(\d{1,2}) ?([NS])$/i;
/** Two ways to one projection may differ by this, metres or degrees: rounded constants in files. */
const SAME = 0.01;

/**
 * The system that a text names: see {@link COORDINATE_SYSTEM_FORMS}. What proj4 would compute otherwise than
 * PROJ is refused by name.
 * @throws DomainError `PARAMETER_INVALID` saying what is wrong with it
 */
export function coordinateSystem(text: string): CoordinateSystem {
  const found = findCoordinateSystem(text);
  if (!isProblem(found)) return found;
  const shown = text.length > 60 ? `${text.slice(0, 60)}...` : text;
  throw new DomainError("PARAMETER_INVALID", `the coordinate system "${shown}" ${found.problem}`);
}

/** The system that a text names, or why there is none. */
export function findCoordinateSystem(text: string): CoordinateSystem | Problem {
  const plain = text.trim();
  const [, code, heights] = EPSG.exec(plain) ?? [];
  if (code !== undefined) return systemOfCode(Number(code), heights && Number(heights));
  const [, zone, hemisphere] = UTM.exec(plain) ?? [];
  if (zone !== undefined) {
    const number = Number(zone);
    if (number < 1 || number > 60) return { problem: "has a zone that is not 1 to 60" };
    return systemOfCode((hemisphere?.toUpperCase() === "S" ? 32_700 : 32_600) + number);
  }
  const init = /\+init=epsg:(\d+)/i.exec(plain)?.[1];
  if (init !== undefined) return systemOfCode(Number(init));
  if (plain.startsWith("+")) return systemOfProjString(plain);
  if (/^[A-Za-z_]+\s*[[(]/.test(plain)) return systemOfWkt(plain);
  return { problem: `is not ${COORDINATE_SYSTEM_FORMS}` };
}

/** The system of an EPSG code, and of one for its heights. */
export function systemOfCode(code: number, heights?: number | ""): CoordinateSystem | Problem {
  const definition = definitionOfCode(code);
  if (isProblem(definition)) return definition;
  if (heights === undefined || heights === "") return create(definition);
  const vertical = verticalSystem(heights);
  return isProblem(vertical) ? vertical : create({ ...definition, vertical });
}

/** A system of heights by its EPSG code. */
export function verticalSystem(code: number): VerticalSystem | Problem {
  const entry = epsgEntry(code);
  if (entry?.kind !== "vertical") return { problem: `has no system of heights EPSG:${code}` };
  const [direction, unit] = entry.definition.split(" ");
  if (unit === undefined)
    return { problem: `counts heights of EPSG:${code} in a unit that is not known` };
  return {
    name: `EPSG:${code} (${entry.name})`,
    ...{ epsg: code, unitM: Number(unit), isDepth: direction === "down" },
  };
}

function definitionOfCode(code: number): Definition | Problem {
  const entry = epsgEntry(code);
  if (entry === undefined) {
    return { problem: "is not a projected, geographic or compound system of the EPSG Dataset" };
  }
  const name = `EPSG:${code} (${entry.name})`;
  if (entry.kind === "vertical") return { problem: `is a system of heights alone (${entry.name})` };
  if (entry.definition === "")
    return { problem: `(${entry.name}) is not supported: it has no PROJ string` };
  if (entry.kind === "compound") {
    const [horizontal, heights] = entry.definition.split("+").map(Number);
    const definition = definitionOfCode(horizontal ?? Number.NaN);
    const vertical = verticalSystem(heights ?? Number.NaN);
    if (isProblem(definition)) return definition;
    return isProblem(vertical) ? vertical : { ...definition, name, vertical };
  }
  const inexact = NOT_EXACT.get(code);
  if (inexact !== undefined) return { problem: `(${entry.name}) is not supported: ${inexact}` };
  const read = readProjString(entry.definition, entry.accuracyM);
  return isProblem(read) ? read : { name, epsg: code, area: entry.area, ...read };
}

function systemOfProjString(text: string): CoordinateSystem | Problem {
  const read = readProjString(text);
  return isProblem(read) ? read : create({ name: text, epsg: undefined, area: undefined, ...read });
}

/**
 * The system of well-known text. One that carries an EPSG code is that of the code, if both say the same of
 * the middle of its area; a shift that the text itself states comes before that of the code.
 */
function systemOfWkt(text: string): CoordinateSystem | Problem {
  const read = readWkt(text);
  const written = isProblem(read) ? read : create(read);
  if (isProblem(read) || isProblem(written) || read.epsg === undefined) return written;
  if (/TOWGS84/i.test(text)) return written;
  const coded = systemOfCode(read.epsg);
  if (isProblem(coded)) return coded;
  const [west, south, east, north] = coded.area ?? [0, 0, 0, 0];
  const middle = [west > east ? west : (west + east) / 2, (south + north) / 2] as const;
  const [x, y] = coded.fromGeodetic(...middle);
  const [otherX, otherY] = written.fromGeodetic(...middle);
  if (Math.hypot(x - otherX, y - otherY) > SAME) {
    return { problem: `names EPSG:${read.epsg} and has other parameters than that` };
  }
  return { ...coded, vertical: written.vertical };
}

function create(definition: Definition): CoordinateSystem | Problem {
  try {
    return createCoordinateSystem(definition);
  } catch (error) {
    return {
      problem: `cannot be computed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

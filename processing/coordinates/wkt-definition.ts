import type { DatumShift, Definition, VerticalSystem } from "./coordinate-system.ts";
import { epsgEntry, geographicNamed } from "./epsg-table.ts";
import { isProblem, type Problem } from "./problem.ts";
import { readProjString } from "./proj-string.ts";
import { proj4 } from "./proj4.ts";
import { childOf, epsgOf, parseWkt, type WktNode } from "./wkt-node.ts";

const COMPOUND = ["COMPD_CS", "COMPOUNDCRS"];
const PROJECTED = ["PROJCS", "PROJCRS", "PROJECTEDCRS"];
const GEOGRAPHIC = ["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "BASEGEOGCRS", "BASEGEODCRS"];
const VERTICAL = ["VERT_CS", "VERTCRS", "VERTICALCRS", "VERTCS"];
/** How Esri and older files call datums that the EPSG Dataset has under another name. */
const OTHER_NAMES: Readonly<Record<string, number>> = {
  ...{ wgs1984: 4326, etrs1989: 4258, northamerican1983: 4269, northamerican1927: 4267 },
  ...{ osgb1936: 4277, deutscheshauptdreiecksnetz: 4314, european1950: 4230, nad1983: 4269 },
  ...{ nad1927: 4267, newzealand1949: 4272, australian1966: 4202, australian1984: 4203 },
};
const SEMI_MAJOR_M = 6_378_137;
/** Datums on the ellipsoid of GRS 80 or WGS 84 follow the earth as WGS 84 does, within some 2 m. */
const GEOCENTRIC_M = 2;

/** A definition that was read, and the codes that it carries. */
export interface WktDefinition extends Definition {
  readonly verticalEpsg: number | undefined;
}

/** Reads well-known text of either version, also of a compound system. */
export function readWkt(text: string): WktDefinition | Problem {
  const root = parseWkt(text);
  if (root === undefined) return { problem: "is not well-known text" };
  const parts = COMPOUND.includes(root.keyword) ? root.children : [unbound(root)];
  const horizontal = parts
    .map(unbound)
    .find(({ keyword }) => PROJECTED.includes(keyword) || GEOGRAPHIC.includes(keyword));
  if (horizontal === undefined) {
    return {
      problem: `is of the kind ${root.keyword}, not a projected, geographic or compound one`,
    };
  }
  const vertical = parts.map(unbound).find(({ keyword }) => VERTICAL.includes(keyword));
  const heights = vertical === undefined ? undefined : verticalOf(vertical);
  if (heights !== undefined && isProblem(heights)) return heights;
  const projection = projectionOf(horizontal);
  if (isProblem(projection)) return projection;
  const epsg = epsgOf(horizontal);
  const [ownName = "unnamed"] = horizontal.values;
  const { definition, shift } = withShift(projection, horizontal);
  return {
    name: epsg === undefined ? ownName : `EPSG:${epsg} (${ownName})`,
    ...{ epsg, vertical: heights, verticalEpsg: heights?.epsg, shift, projection: definition },
    area: epsg === undefined ? undefined : epsgEntry(epsg)?.area,
    angleDeg: GEOGRAPHIC.includes(horizontal.keyword) ? angleOf(horizontal) : 1,
  };
}

/** A system without the transformation that was bound to it. */
function unbound(node: WktNode): WktNode {
  if (node.keyword !== "BOUNDCRS") return node;
  return childOf(node, "SOURCECRS")?.children[0] ?? node;
}

function verticalOf(node: WktNode): VerticalSystem | Problem {
  const axis = childOf(node, "AXIS");
  const holders = [axis, childOf(node, "CS"), node].filter((holder) => holder !== undefined);
  const unit = holders
    .map((holder) => childOf(holder, "LENGTHUNIT", "UNIT"))
    .find((found) => found !== undefined);
  const unitM = Number(unit?.values[1] ?? 1);
  const [name = "unnamed heights"] = node.values;
  if (!(unitM > 0)) return { problem: `counts heights in a unit that is not known ("${name}")` };
  const isDepth = axis?.values.some((value) => value.toUpperCase() === "DOWN") === true;
  return { name, epsg: epsgOf(node), unitM, isDepth };
}

function projectionOf(node: WktNode): proj4.ProjectionDefinition | Problem {
  const key = "plumbline:wkt";
  try {
    proj4.defs(key, node.source);
    const definition = { ...proj4.defs(key) };
    const name = definition.projName ?? "";
    if (proj4.Proj.projections.get(name) === undefined && name !== "longlat") {
      return { problem: `has the projection "${name}", which is not known` };
    }
    // One order of axes everywhere: see CoordinateSystem.
    if (/^[en]{2}/.test(definition.axis ?? "")) definition.axis = "enu";
    return definition;
  } catch (error) {
    return { problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The shift of the text itself, else that of its geographic system by code or name. */
function withShift(
  definition: proj4.ProjectionDefinition,
  horizontal: WktNode,
): { readonly definition: proj4.ProjectionDefinition; readonly shift: DatumShift } {
  if (/TOWGS84\s*[[(]/i.test(horizontal.source)) {
    return { definition, shift: { by: "parameters", accuracyM: undefined, missingGrids: [] } };
  }
  const base = GEOGRAPHIC.includes(horizontal.keyword)
    ? horizontal
    : childOf(horizontal, ...GEOGRAPHIC);
  const [name = ""] = base?.values ?? [];
  const plain = name.replace(/^GCS_/i, "").replace(/[^A-Za-z0-9]/g, "");
  const code = epsgOf(horizontal) ?? (base && epsgOf(base)) ?? OTHER_NAMES[plain.toLowerCase()];
  const entry = code === undefined ? geographicNamed(plain) : epsgEntry(code);
  const known = entry === undefined ? undefined : readProjString(entry.definition, entry.accuracyM);
  if (known === undefined || isProblem(known)) {
    const ellipsoid = new proj4.Proj(definition);
    const isGeocentric = ellipsoid.a === SEMI_MAJOR_M;
    return {
      definition,
      shift: {
        by: isGeocentric ? "none" : "unknown",
        accuracyM: isGeocentric ? GEOCENTRIC_M : undefined,
        missingGrids: [],
      },
    };
  }
  const parameters = /\+towgs84=(\S+)/.exec(known.projection)?.[1];
  const nadgrids = /\+nadgrids=(\S+)/.exec(known.projection)?.[1];
  const { datumCode, datum_params, ...plainDefinition } = definition;
  return {
    definition: {
      ...plainDefinition,
      ...(parameters === undefined ? {} : { datum_params: parameters.split(",").map(Number) }),
      ...(nadgrids === undefined ? {} : { nadgrids }),
    },
    shift: known.shift,
  };
}

/** Degrees of the unit of a geographic system. */
function angleOf(node: WktNode): number {
  const holders = [node, childOf(node, "AXIS"), childOf(node, "CS")];
  const unit = holders
    .map((holder) => holder && childOf(holder, "UNIT", "ANGLEUNIT"))
    .find((found) => found !== undefined);
  const radians = Number(unit?.values[1] ?? Math.PI / 180);
  return Math.abs(radians - Math.PI / 180) < 1e-9 ? 1 : (radians * 180) / Math.PI;
}

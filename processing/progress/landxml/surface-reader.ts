import { SaxesParser, type SaxesTagPlain } from "saxes";
import { quoted } from "../../uploads/file-words.ts";
import type { FileSurface } from "./file-surface.ts";
import { surfaceError } from "./surface-error.ts";

/** Deepest nesting; LandXML has some ten levels. Chosen. */
const MOST_DEPTH = 64;
/** Most attributes of an element; LandXML has some thirty. Chosen. */
const MOST_ATTRIBUTES = 100;
/**
 * Longest comment, text or tag, characters: the parser keeps each whole until it ends, at 30 bytes a
 * character in the worst case. Chosen.
 */
const MOST_TOKEN_CHARS = 1024 ** 2;
/** Longest text of a point or face, characters: three numbers. */
const MOST_TEXT_CHARS = 500;
/** Most points and faces: some 50 MiB of text. Chosen. */
const MOST = { points: 500_000, faces: 1_000_000 } as const;
/** Most surfaces whose names are kept. Chosen. */
const MOST_SURFACES = 1_000;

/** Takes a file piece by piece. */
export interface SurfaceReader {
  /** Pieces of less than 1 MiB. @throws DomainError `SURFACE_INVALID` naming the line. */
  write(text: string): void;
  /** The chosen surface, once the file is at its end. @throws DomainError `SURFACE_INVALID`. */
  finish(): FileSurface;
}

/**
 * Reads one surface of triangles out of LandXML: the one of that name, else the first. There is no
 * document type, so there are no entities but the five of XML.
 */
export function createSurfaceReader(
  wanted: string | undefined,
  most: { readonly points: number; readonly faces: number } = MOST,
): SurfaceReader {
  const parser = new SaxesParser();
  /** Local names from the root down to the open element. */
  const path: string[] = [];
  let attributes = 0;
  let units: FileSurface["linearUnit"];
  let epsg: FileSurface["epsg"];
  /** Names of surfaces of triangles, and of others. */
  const names: string[] = [];
  const grids: string[] = [];
  let surfaceName = "";
  let taken: string | undefined;
  /** Whether the open definition is the chosen surface's. */
  let isOpen = false;
  const points: number[] = [];
  const faces: number[] = [];
  const indexOf = new Map<string, number>();
  let invisible = 0;
  let collapsed = 0;
  /** Id of the point, or "" for a face, whose text is read; `undefined`: none is. */
  let textOf: string | undefined;
  let text = "";
  /** Characters since the parser's last event. */
  let silentChars = 0;

  const fail = (message: string) => surfaceError(`line ${parser.line}`, message);

  function beginDefinition(surfType: string | undefined): void {
    const list = surfType === "TIN" ? names : grids;
    if (list.length < MOST_SURFACES) list.push(surfaceName);
    isOpen = false;
    if (wanted !== undefined && surfaceName !== wanted) return;
    if (surfType !== "TIN") {
      if (wanted === undefined) return;
      throw fail(`has the surface ${quoted(wanted)} as ${quoted(surfType ?? "")}, not as a TIN`);
    }
    if (taken !== undefined) {
      if (wanted === undefined) return;
      throw fail(`has a second surface of the name ${quoted(wanted)}`);
    }
    taken = surfaceName;
    isOpen = true;
  }

  function begin({ name, attributes: given }: SaxesTagPlain): void {
    const local = name.slice(name.indexOf(":") + 1);
    silentChars = 0;
    attributes = 0;
    path.push(local);
    if (path.length === 1 && local !== "LandXML") {
      throw fail(`begins a ${quoted(name)}; a surface is a GeoTIFF or LandXML`);
    }
    if (path.length > MOST_DEPTH) throw fail(`is nested deeper than ${MOST_DEPTH} elements`);
    if (textOf !== undefined) throw fail(`has a ${quoted(name)} within a point or face`);
    const parent = path.at(-2);
    if (parent === "Units" && path.length === 3) {
      units = { name: given["linearUnit"] ?? "", line: parser.line };
    } else if (local === "CoordinateSystem" && path.length === 2) {
      const code = given["epsgCode"]?.trim() ?? "";
      if (code !== "" && code !== "0") epsg = { code, line: parser.line };
    } else if (local === "Surface" && parent === "Surfaces") {
      surfaceName = given["name"] ?? "";
    } else if (local === "Definition" && parent === "Surface") {
      beginDefinition(given["surfType"]);
    } else if (isOpen && local === "P" && parent === "Pnts") {
      beginText(given["id"] ?? "");
    } else if (isOpen && local === "F" && parent === "Faces") {
      if (given["i"] === "1") invisible += 1;
      else beginText("");
    }
  }

  function beginText(id: string): void {
    textOf = id;
    text = "";
  }

  function end(): void {
    silentChars = 0;
    const local = path.pop();
    if (local === "Definition" && path.at(-1) === "Surface") isOpen = false;
    if (textOf === undefined) return;
    if (local === "P") endPoint(textOf);
    else endFace();
    textOf = undefined;
  }

  function endPoint(id: string): void {
    if (id === "") throw fail("has a point without an id");
    if (indexOf.has(id)) throw fail(`has a second point ${quoted(id)}`);
    if (indexOf.size === most.points) {
      throw fail(`is beyond the ${most.points} points that a surface may have`);
    }
    const numbers = text.trim().split(/\s+/);
    if (numbers.length !== 3) {
      throw fail(`has ${quoted(text)} as point ${quoted(id)}: northing, easting and elevation`);
    }
    indexOf.set(id, indexOf.size);
    for (const number of numbers) {
      const value = DECIMAL.test(number) ? Number(number) : Number.NaN;
      if (!Number.isFinite(value)) {
        throw fail(`has ${quoted(number)} in point ${quoted(id)}, which is not a number`);
      }
      points.push(value);
    }
  }

  function endFace(): void {
    const ids = text.trim().split(/\s+/);
    if (ids.length !== 3) throw fail(`has ${quoted(text)} as a face, which has three points`);
    if (faces.length === most.faces * 3) {
      throw fail(`is beyond the ${most.faces} faces that a surface may have`);
    }
    const indices = ids.map((id) => {
      const index = indexOf.get(id);
      if (index === undefined) throw fail(`has a face of point ${quoted(id)}, which is not there`);
      return index;
    });
    if (new Set(indices).size < 3) collapsed += 1;
    else faces.push(...indices);
  }

  function add(part: string): void {
    if (textOf === undefined) return;
    text += part;
    if (text.length > MOST_TEXT_CHARS) throw fail("has a point or face that is too long");
  }

  parser.on("opentag", begin);
  parser.on("closetag", end);
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > MOST_ATTRIBUTES) throw fail(`has more than ${MOST_ATTRIBUTES} attributes`);
  });
  parser.on("comment", () => {
    silentChars = 0;
  });
  parser.on("doctype", () => {
    throw fail("has a document type (DTD), which is refused: LandXML has none");
  });
  parser.on("error", (error) => {
    throw fail(`is not well-formed XML: ${error.message.replace(/^\d+:\d+: /, "")}`);
  });

  return {
    write(piece) {
      silentChars += piece.length;
      parser.write(piece);
      if (silentChars > MOST_TOKEN_CHARS) {
        throw fail(`has more than ${MOST_TOKEN_CHARS} characters without an end of what they are`);
      }
    },
    finish() {
      parser.close();
      if (taken === undefined) throw noSurface(wanted, names, grids);
      if (faces.length === 0) {
        throw surfaceError("file", `has no visible face in the surface ${quoted(taken)}`);
      }
      const others = names.filter((name) => name !== taken);
      const left = { others, invisible, collapsed };
      return { name: taken, points, faces, linearUnit: units, epsg, ...left };
    },
  };
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function noSurface(wanted: string | undefined, tins: readonly string[], grids: readonly string[]) {
  if (wanted === undefined || tins.length === 0) {
    const has = grids.length === 0 ? "" : `; it has ${listed(grids)}, which are not of triangles`;
    return surfaceError("file", `has no surface of triangles (surfType="TIN")${has}`);
  }
  return surfaceError("file", `has no surface ${quoted(wanted)}; it has ${listed(tins)}`);
}

/** Names of the first of them. */
export function listed(names: readonly string[]): string {
  const first = names.slice(0, 10).map(quoted).join(", ");
  return names.length > 10 ? `${first} and ${names.length - 10} more` : first;
}

import { SaxesParser, type SaxesTagPlain } from "saxes";
import { quoted } from "../../uploads/file-words.ts";
import type { FileSurface } from "./file-surface.ts";
import { surfaceError } from "./surface-error.ts";

/** Deepest nesting; LandXML has some ten levels. It bounds what a hostile file makes the reader keep. */
const MOST_DEPTH = 64;
/** Most attributes of an element; LandXML has some thirty. The parser keeps them all until the tag ends. */
const MOST_ATTRIBUTES = 100;
/**
 * Longest comment, text or tag, characters: the parser keeps each whole until it ends, at 30 bytes a character
 * in the worst case. Shorter would refuse long comments of real files.
 */
const MOST_TOKEN_CHARS = 1024 ** 2;
/** Longest text of a point or face, characters: three numbers. */
const MOST_TEXT_CHARS = 500;
/**
 * Most points and faces: some 50 MiB of text. More would be read for longer and kept in memory at once; a site
 * of 50 ha has a point every metre.
 */
const MOST = { points: 500_000, faces: 1_000_000 } as const;
/** Most surfaces whose names are kept: they are only listed in errors and warnings. */
const MOST_SURFACES = 1_000;

/**
 * Reads one surface of triangles out of LandXML, piece by piece: the one of that name, else the first.
 * There is no document type, so there are no entities but the five of XML.
 */
export class SurfaceReader {
  readonly #wanted: string | undefined;
  readonly #most: { readonly points: number; readonly faces: number };
  readonly #parser = new SaxesParser();
  /** Local names from the root down to the open element. */
  readonly #path: string[] = [];
  #attributes = 0;
  #units: FileSurface["linearUnit"];
  #epsg: FileSurface["epsg"];
  /** Names of surfaces of triangles, and of others. */
  readonly #names: string[] = [];
  readonly #grids: string[] = [];
  #surfaceName = "";
  #taken: string | undefined;
  /** Whether the open definition is the chosen surface's. */
  #isOpen = false;
  readonly #points: number[] = [];
  readonly #faces: number[] = [];
  readonly #indexOf = new Map<string, number>();
  #invisible = 0;
  #collapsed = 0;
  /** Id of the point, or "" for a face, whose text is read; `undefined`: none is. */
  #textOf: string | undefined;
  #text = "";
  /** Characters since the parser's last event. */
  #silentChars = 0;

  constructor(
    wanted: string | undefined,
    most: { readonly points: number; readonly faces: number } = MOST,
  ) {
    this.#wanted = wanted;
    this.#most = most;
    this.#parser.on("opentag", (tag) => this.#begin(tag));
    this.#parser.on("closetag", () => this.#end());
    this.#parser.on("text", (part) => this.#add(part));
    this.#parser.on("cdata", (part) => this.#add(part));
    this.#parser.on("attribute", () => {
      this.#attributes += 1;
      if (this.#attributes > MOST_ATTRIBUTES)
        throw this.#fail(`has more than ${MOST_ATTRIBUTES} attributes`);
    });
    this.#parser.on("comment", () => {
      this.#silentChars = 0;
    });
    this.#parser.on("doctype", () => {
      throw this.#fail("has a document type (DTD), which is refused: LandXML has none");
    });
    this.#parser.on("error", (error) => {
      throw this.#fail(`is not well-formed XML: ${error.message.replace(/^\d+:\d+: /, "")}`);
    });
  }

  /** Pieces of less than 1 MiB. @throws DomainError `SURFACE_INVALID` naming the line. */
  write(piece: string): void {
    this.#silentChars += piece.length;
    this.#parser.write(piece);
    if (this.#silentChars > MOST_TOKEN_CHARS) {
      throw this.#fail(
        `has more than ${MOST_TOKEN_CHARS} characters without an end of what they are`,
      );
    }
  }

  /** The chosen surface, once the file is at its end. @throws DomainError `SURFACE_INVALID`. */
  finish(): FileSurface {
    this.#parser.close();
    if (this.#taken === undefined) throw noSurface(this.#wanted, this.#names, this.#grids);
    if (this.#faces.length === 0) {
      throw surfaceError("file", `has no visible face in the surface ${quoted(this.#taken)}`);
    }
    const others = this.#names.filter((name) => name !== this.#taken);
    const left = { others, invisible: this.#invisible, collapsed: this.#collapsed };
    return {
      name: this.#taken,
      points: this.#points,
      faces: this.#faces,
      linearUnit: this.#units,
      epsg: this.#epsg,
      ...left,
    };
  }

  #fail(message: string) {
    return surfaceError(`line ${this.#parser.line}`, message);
  }

  #beginDefinition(surfType: string | undefined): void {
    const list = surfType === "TIN" ? this.#names : this.#grids;
    if (list.length < MOST_SURFACES) list.push(this.#surfaceName);
    this.#isOpen = false;
    if (this.#wanted !== undefined && this.#surfaceName !== this.#wanted) return;
    if (surfType !== "TIN") {
      if (this.#wanted === undefined) return;
      throw this.#fail(
        `has the surface ${quoted(this.#wanted)} as ${quoted(surfType ?? "")}, not as a TIN`,
      );
    }
    if (this.#taken !== undefined) {
      if (this.#wanted === undefined) return;
      throw this.#fail(`has a second surface of the name ${quoted(this.#wanted)}`);
    }
    this.#taken = this.#surfaceName;
    this.#isOpen = true;
  }

  #begin({ name, attributes: given }: SaxesTagPlain): void {
    const local = name.slice(name.indexOf(":") + 1);
    this.#silentChars = 0;
    this.#attributes = 0;
    this.#path.push(local);
    if (this.#path.length === 1 && local !== "LandXML") {
      throw this.#fail(`begins a ${quoted(name)}; a surface is a GeoTIFF or LandXML`);
    }
    if (this.#path.length > MOST_DEPTH)
      throw this.#fail(`is nested deeper than ${MOST_DEPTH} elements`);
    if (this.#textOf !== undefined)
      throw this.#fail(`has a ${quoted(name)} within a point or face`);
    const parent = this.#path.at(-2);
    if (parent === "Units" && this.#path.length === 3) {
      this.#units = { name: given["linearUnit"] ?? "", line: this.#parser.line };
    } else if (local === "CoordinateSystem" && this.#path.length === 2) {
      const code = given["epsgCode"]?.trim() ?? "";
      if (code !== "" && code !== "0") this.#epsg = { code, line: this.#parser.line };
    } else if (local === "Surface" && parent === "Surfaces") {
      this.#surfaceName = given["name"] ?? "";
    } else if (local === "Definition" && parent === "Surface") {
      this.#beginDefinition(given["surfType"]);
    } else if (this.#isOpen && local === "P" && parent === "Pnts") {
      this.#beginText(given["id"] ?? "");
    } else if (this.#isOpen && local === "F" && parent === "Faces") {
      if (given["i"] === "1") this.#invisible += 1;
      else this.#beginText("");
    }
  }

  #beginText(id: string): void {
    this.#textOf = id;
    this.#text = "";
  }

  #end(): void {
    this.#silentChars = 0;
    const local = this.#path.pop();
    if (local === "Definition" && this.#path.at(-1) === "Surface") this.#isOpen = false;
    if (this.#textOf === undefined) return;
    if (local === "P") this.#endPoint(this.#textOf);
    else this.#endFace();
    this.#textOf = undefined;
  }

  #endPoint(id: string): void {
    if (id === "") throw this.#fail("has a point without an id");
    if (this.#indexOf.has(id)) throw this.#fail(`has a second point ${quoted(id)}`);
    if (this.#indexOf.size === this.#most.points) {
      throw this.#fail(`is beyond the ${this.#most.points} points that a surface may have`);
    }
    const numbers = this.#text.trim().split(/\s+/);
    if (numbers.length !== 3) {
      throw this.#fail(
        `has ${quoted(this.#text)} as point ${quoted(id)}: northing, easting and elevation`,
      );
    }
    this.#indexOf.set(id, this.#indexOf.size);
    for (const number of numbers) {
      const value = DECIMAL.test(number) ? Number(number) : Number.NaN;
      if (!Number.isFinite(value)) {
        throw this.#fail(`has ${quoted(number)} in point ${quoted(id)}, which is not a number`);
      }
      this.#points.push(value);
    }
  }

  #endFace(): void {
    const ids = this.#text.trim().split(/\s+/);
    if (ids.length !== 3)
      throw this.#fail(`has ${quoted(this.#text)} as a face, which has three points`);
    if (this.#faces.length === this.#most.faces * 3) {
      throw this.#fail(`is beyond the ${this.#most.faces} faces that a surface may have`);
    }
    const indices = ids.map((id) => {
      const index = this.#indexOf.get(id);
      if (index === undefined)
        throw this.#fail(`has a face of point ${quoted(id)}, which is not there`);
      return index;
    });
    if (new Set(indices).size < 3) this.#collapsed += 1;
    else this.#faces.push(...indices);
  }

  #add(part: string): void {
    if (this.#textOf === undefined) return;
    this.#text += part;
    if (this.#text.length > MOST_TEXT_CHARS)
      throw this.#fail("has a point or face that is too long");
  }
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

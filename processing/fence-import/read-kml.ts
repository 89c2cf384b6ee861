import { SaxesParser, type SaxesTagPlain } from "saxes";
import type { LonLat } from "../../domain/geometry/geofence.ts";
import type { EventLoopPauses } from "../uploads/event-loop-pauses.ts";
import { oneLine } from "../uploads/file-words.ts";
import {
  type FeatureFlaw,
  type FenceFeature,
  FenceFileError,
  type FenceGeometry,
  MOST_FEATURES,
  MOST_POSITIONS,
  positionFlaw,
} from "./fence-feature.ts";

/** Deepest nesting; folders within folders count, Google Earth writes some ten levels. */
const MOST_DEPTH = 64;
/** Most attributes of an element; KML's root has some ten namespaces. */
const MOST_ATTRIBUTES = 64;
/** Most properties of a placemark; a row of a GIS table has some tens. */
const MOST_PROPERTIES = 256;
/** Longest text of a name or property, characters; of coordinates 1,000 corners with all their digits. */
const MOST_TEXT_CHARS = { value: 8_192, coordinates: 131_072 };
/** Characters given to the parser at a time, and most of them without an element or text ending. */
const PIECE_CHARS = 16_384;
const MOST_TOKEN_CHARS = 1024 ** 2;

/** Geometries that are read, by the name of their element. */
const GEOMETRIES = new Set(["Polygon", "LineString", "Point"]);
/** Geometries that cannot be a fence. */
const OTHER_GEOMETRIES = new Set(["LinearRing", "Model", "Track", "MultiTrack"]);

/** A geometry of the placemark that is open. */
interface OpenGeometry {
  readonly type: string;
  readonly line: number;
  coordinates: string | undefined;
  isHoled: boolean;
}

/** The placemark that is open. */
interface OpenPlacemark {
  readonly line: number;
  readonly properties: Map<string, string>;
  readonly geometries: OpenGeometry[];
  others: number;
}

/**
 * Reads the placemarks of a KML 2.x document, in whatever folders they are. Names of elements are taken
 * without their prefix. There is no document type, so there are no entities but the five of XML; depth,
 * attributes and texts have limits; nothing that the file links to is fetched.
 * @throws FenceFileError for what is not well-formed, or not KML.
 */
export async function readKml(
  text: string,
  pauses: EventLoopPauses,
): Promise<readonly FenceFeature[]> {
  const parser = new SaxesParser();
  const found: FenceFeature[] = [];
  /** Local names from the root down to the open element. */
  const path: string[] = [];
  let attributes = 0;
  let silentChars = 0;
  let positionsLeft = MOST_POSITIONS;
  let links = 0;
  let placemark: OpenPlacemark | undefined;
  /** What the text that is being read is kept as. */
  let kept: "value" | "coordinates" | undefined;
  let keptText = "";
  /** Name of the property whose value comes. */
  let property: string | undefined;

  const fail = (message: string) => new FenceFileError(`line ${parser.line} ${message}`);

  function begin({ name, attributes: given }: SaxesTagPlain): void {
    silentChars = 0;
    attributes = 0;
    const local = localName(name);
    path.push(local);
    if (path.length > MOST_DEPTH) throw fail(`is nested deeper than ${MOST_DEPTH} elements`);
    if (path.length === 1 && local !== "kml") {
      throw fail(`begins a <${oneLine(local.slice(0, 40))}>, which is not KML`);
    }
    if (local === "NetworkLink") links += 1;
    if (local === "Placemark" && placemark === undefined) {
      placemark = { line: parser.line, properties: new Map(), geometries: [], others: 0 };
      return;
    }
    if (placemark !== undefined) beginInPlacemark(placemark, local, given);
  }

  function beginInPlacemark(
    open: OpenPlacemark,
    local: string,
    given: Readonly<Record<string, string>>,
  ): void {
    const parent = path.at(-2);
    const geometry = open.geometries.at(-1);
    if (GEOMETRIES.has(local)) {
      open.geometries.push({
        type: local,
        line: parser.line,
        coordinates: undefined,
        isHoled: false,
      });
    } else if (OTHER_GEOMETRIES.has(local) && !path.includes("Polygon")) {
      open.others += 1;
    } else if (local === "innerBoundaryIs" && geometry !== undefined) {
      geometry.isHoled = true;
    } else if (
      local === "coordinates" &&
      geometry !== undefined &&
      !path.includes("innerBoundaryIs")
    ) {
      keep("coordinates");
    } else if (local === "name" && parent === "Placemark") {
      property = "name";
      keep("value");
    } else if (local === "Data" && parent === "ExtendedData") {
      property = given["name"];
    } else if (local === "value" && parent === "Data") {
      keep("value");
    } else if (local === "SimpleData" && parent === "SchemaData") {
      property = given["name"];
      keep("value");
    }
  }

  function keep(what: "value" | "coordinates"): void {
    kept = what;
    keptText = "";
  }

  function add(part: string): void {
    silentChars = 0;
    if (kept === undefined) return;
    keptText += part;
    if (keptText.length > MOST_TEXT_CHARS[kept]) {
      throw fail(`has a text of more than ${MOST_TEXT_CHARS[kept]} characters`);
    }
  }

  function end(): void {
    silentChars = 0;
    const local = path.pop();
    if (placemark === undefined) return;
    if (kept === "coordinates" && local === "coordinates") {
      const geometry = placemark.geometries.at(-1);
      if (geometry !== undefined) geometry.coordinates ??= keptText;
      kept = undefined;
    } else if (kept === "value" && ["name", "value", "SimpleData"].includes(local ?? "")) {
      // The placemark's own name comes before a property that is called so too.
      if (property !== undefined && !placemark.properties.has(property)) {
        placemark.properties.set(property, keptText.trim());
      }
      if (placemark.properties.size > MOST_PROPERTIES) {
        throw fail(`has more than ${MOST_PROPERTIES} properties in one placemark`);
      }
      kept = undefined;
    } else if (local === "Placemark") {
      take(placemark);
      placemark = undefined;
    }
  }

  function take(open: OpenPlacemark): void {
    if (found.length >= MOST_FEATURES) throw fail(`has more than ${MOST_FEATURES} placemarks`);
    const at = `placemarks[${found.length}]`;
    const flaws: FeatureFlaw[] = [];
    const geometry = geometryOf(open, at, flaws);
    if (geometry !== undefined) positionsLeft -= countOf(geometry);
    if (positionsLeft < 0) throw fail(`has more than ${MOST_POSITIONS} positions so far`);
    found.push({
      ...{ path: at, propertiesPath: at, properties: Object.fromEntries(open.properties), flaws },
      geometry: flaws.length === 0 ? geometry : undefined,
    });
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
    throw fail("has a document type (DTD), which is refused: KML needs none");
  });
  parser.on("error", (error) => {
    throw fail(`is not well-formed XML: ${oneLine(error.message.replace(/^\d+:\d+: /, ""))}`);
  });
  refuseDoctype(text);
  for (let from = 0; from < text.length; from += PIECE_CHARS) {
    silentChars += PIECE_CHARS;
    if (silentChars > MOST_TOKEN_CHARS) {
      throw fail(`has a text, tag or comment of more than ${MOST_TOKEN_CHARS} characters`);
    }
    parser.write(text.slice(from, from + PIECE_CHARS));
    const pause = pauses.due();
    if (pause !== undefined) await pause;
  }
  parser.close();
  if (found.length === 0) {
    const why = links > 0 ? "; its network links are not followed" : "";
    throw new FenceFileError(`has no placemark${why}`);
  }
  return found;
}

/** Earlier than the parser, which keeps a document type whole until it ends. */
function refuseDoctype(text: string): void {
  const root = /<[A-Za-z_:]/.exec(text)?.index ?? text.length;
  if (!text.slice(0, root).includes("<!DOCTYPE")) return;
  throw new FenceFileError("has a document type (DTD), which is refused: KML needs none");
}

const localName = (name: string): string => name.slice(name.lastIndexOf(":") + 1);

function geometryOf(
  { line, geometries, others }: OpenPlacemark,
  path: string,
  flaws: FeatureFlaw[],
): FenceGeometry | undefined {
  const flaw = (message: string, at = path) => {
    flaws.push({ path: at, message });
    return undefined;
  };
  const [geometry, second] = geometries;
  if (geometry === undefined || others > 0) {
    return flaw(
      `(line ${line}) must have a Polygon, a LineString (with a width_m) or a Point (with a radius_m)`,
    );
  }
  if (second !== undefined) {
    return flaw(
      `(line ${line}) has ${geometries.length} geometries, and a fence has one outline; make a placemark of each`,
    );
  }
  if (geometry.isHoled)
    return flaw(`(line ${geometry.line}) has a hole, and a fence has one outline`);
  const placed: { readonly position: LonLat; readonly path: string }[] = [];
  for (const [i, tuple] of (geometry.coordinates ?? "").split(/\s+/).filter(Boolean).entries()) {
    const at = `${path}.coordinates[${i}]`;
    const position = tupleOf(tuple);
    if (typeof position === "string") return flaw(`(line ${geometry.line}) ${position}`, at);
    placed.push({ position, path: at });
  }
  const [point] = placed;
  if (point === undefined) return flaw(`(line ${geometry.line}) has no coordinates`);
  if (geometry.type === "Polygon") return { type: "Polygon", ring: placed };
  return geometry.type === "Point"
    ? { type: "Point", point }
    : { type: "LineString", line: placed };
}

/** A tuple `longitude,latitude[,altitude]`, or what is wrong with it. */
function tupleOf(tuple: string): LonLat | string {
  const parts = tuple.split(",");
  const [lonDeg = Number.NaN, latDeg = Number.NaN] = parts.map((part) =>
    part === "" ? Number.NaN : Number(part),
  );
  if (parts.length < 2 || parts.length > 3 || Number.isNaN(lonDeg) || Number.isNaN(latDeg)) {
    return `is not a tuple longitude,latitude[,altitude]: ${oneLine(tuple.slice(0, 40))}`;
  }
  return positionFlaw(lonDeg, latDeg) ?? [lonDeg + 0, latDeg + 0];
}

function countOf(geometry: FenceGeometry): number {
  if (geometry.type === "Polygon") return geometry.ring.length;
  return geometry.type === "LineString" ? geometry.line.length : 1;
}

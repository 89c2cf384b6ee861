import { createEnuFrame, type SurveyOrigin } from "../../../geometry/enu.ts";
import type { MapGrid, MapPoint } from "../map/map-grid.ts";
import { contourLevels } from "./contour-levels.ts";
import { smoothRaster } from "./smooth-raster.ts";
import { type ContourLine, traceContours } from "./trace-contours.ts";

/** Every so many levels is drawn bold. */
const INDEX_EVERY = 5;
/** Decimals of degrees: 1e-8 is a millimetre. */
const DEGREE_DIGITS = 8;
/** Decimals of the map's coordinates, a millimetre where they are metres; elevations are metres always. */
const MAP_DIGITS = 3;

/** Contours as two programs want them. */
export interface ContourTexts {
  /** GeoJSON (RFC 7946), WGS 84. */
  readonly geojson: string;
  /** DXF of AutoCAD R12, the map's own coordinates. */
  readonly dxf: string;
}

/**
 * Contour lines of heights on a map raster.
 * @param heightM above the origin's datum, as `elevationOnMap` yields them
 * @param intervalM `undefined`: chosen from the relief
 */
export function contourTexts(
  heightM: Float32Array,
  map: MapGrid,
  origin: SurveyOrigin,
  intervalM: number | undefined,
): ContourTexts {
  const raster = smoothRaster(heightM, map.frame.width, map.frame.height);
  const levels = contourLevels(raster.heightM, intervalM);
  const lines = traceContours(raster, levels.levelsM);
  const isIndex = ({ levelM }: ContourLine) =>
    Math.round(levelM / levels.intervalM) % INDEX_EVERY === 0;
  return {
    geojson: geojsonText(lines, map, origin, raster.step, levels.intervalM, isIndex),
    dxf: dxfText(lines, map, raster.step, isIndex),
  };
}

function geojsonText(
  lines: readonly ContourLine[],
  map: MapGrid,
  origin: SurveyOrigin,
  step: number,
  intervalM: number,
  isIndex: (line: ContourLine) => boolean,
): string {
  const frame = createEnuFrame(origin);
  const point: MapPoint = { x: 0, y: 0, lift: 0 };
  const features = lines.map((line) => {
    const places: string[] = [];
    for (let k = 0; k < line.points.length; k += 2) {
      map.locate((line.points[k] ?? 0) * step, (line.points[k + 1] ?? 0) * step, point);
      const up = line.levelM - point.lift;
      const { lonDeg, latDeg } = frame.toGeodetic([point.x, point.y, up]);
      places.push(`[${lonDeg.toFixed(DEGREE_DIGITS)},${latDeg.toFixed(DEGREE_DIGITS)}]`);
    }
    const properties = { height_m: line.levelM, index: isIndex(line), interval_m: intervalM };
    return `{"type":"Feature","properties":${JSON.stringify(properties)},"geometry":{"type":"LineString","coordinates":[${places.join(",")}]}}`;
  });
  return `{"type":"FeatureCollection","features":[\n${features.join(",\n")}\n]}\n`;
}

/** Codes and values of AutoCAD R12 (AC1009), which every drawing program reads: old polylines, no handles. */
function dxfText(
  lines: readonly ContourLine[],
  { frame }: MapGrid,
  step: number,
  isIndex: (line: ContourLine) => boolean,
): string {
  const out: string[] = [];
  const put = (code: number, value: string | number) => out.push(String(code), String(value));
  const section = (name: string) => {
    put(0, "SECTION");
    put(2, name);
  };
  put(999, `Plumbline contours, ${frame.projection} (EPSG:${frame.epsg})`);
  section("HEADER");
  put(9, "$ACADVER");
  put(1, "AC1009");
  put(0, "ENDSEC");
  section("TABLES");
  put(0, "TABLE");
  put(2, "LAYER");
  put(70, 2);
  for (const [name, colour] of [
    ["CONTOUR", 8],
    ["CONTOUR_INDEX", 7],
  ] as const) {
    put(0, "LAYER");
    put(2, name);
    put(70, 0);
    put(62, colour);
    put(6, "CONTINUOUS");
  }
  put(0, "ENDTAB");
  put(0, "ENDSEC");
  section("ENTITIES");
  for (const line of lines) {
    const layer = isIndex(line) ? "CONTOUR_INDEX" : "CONTOUR";
    put(0, "POLYLINE");
    put(8, layer);
    put(66, 1);
    put(10, 0);
    put(20, 0);
    put(30, line.levelM);
    put(70, line.isClosed ? 1 : 0);
    const end = line.points.length - (line.isClosed ? 2 : 0);
    for (let k = 0; k < end; k += 2) {
      put(0, "VERTEX");
      put(8, layer);
      const east = frame.westM + (line.points[k] ?? 0) * step * frame.cellM;
      const north = frame.northM - (line.points[k + 1] ?? 0) * step * frame.cellM;
      put(10, (east / frame.unitM).toFixed(MAP_DIGITS));
      put(20, (north / frame.unitM).toFixed(MAP_DIGITS));
      put(30, line.levelM);
    }
    put(0, "SEQEND");
    put(8, layer);
  }
  put(0, "ENDSEC");
  put(0, "EOF");
  return `${out.join("\r\n")}\r\n`;
}

import { type MapProjection, utmAt } from "../../../coordinates/utm.ts";
import { createEnuFrame, type SurveyOrigin } from "../../../geometry/enu.ts";
import type { GridFrame } from "../../../grid/elevation-grid.ts";
import { choleskySolve } from "../../../numeric/cholesky-solve.ts";

/** A north-up raster on a projected map: square cells, row-major, north row first. */
export interface MapFrame {
  readonly epsg: number;
  readonly projection: string;
  /** Metres of the unit that coordinates are written in. */
  readonly unitM: number;
  /** West edge of the first column and north edge of the first row, metres of the map. */
  readonly westM: number;
  readonly northM: number;
  readonly cellM: number;
  readonly width: number;
  readonly height: number;
}

/** A point of the map in the survey's frame. */
export interface MapPoint {
  /** ENU, metres. */
  x: number;
  y: number;
  /** What makes a height of the map of "up": origin height, the Earth's curvature and the geoid, metres. */
  lift: number;
}

/** A map raster and where its cells lie in the survey's frame. */
export interface MapGrid {
  readonly frame: MapFrame;
  /** ENU position of a point of the raster, in cells from its north-west corner. */
  locate(col: number, row: number, out: MapPoint): void;
  /** Largest horizontal error of {@link locate} against the exact transformation, metres. */
  readonly errorM: number;
}

/** What is taken off heights at a place, metres: the geoid above the ellipsoid. */
export type Undulation = (lonDeg: number, latDeg: number) => number;

/** Nodes along one edge where the transformation is computed exactly, for the fit and for its check. */
const FIT_NODES = 7;
const CHECK_NODES = 12;
const TERMS = 6;

/**
 * The map raster that covers an ENU raster, and the transform back from its cells. Its edges lie on whole
 * cells of the map, so that rasters of two surveys with one cell size align.
 *
 * ENU and the map differ by the meridian's convergence (in UTM up to some 3 degrees), the projection's scale
 * (there 0.9996 to 1.001) and curvature. The raster is north-up, because many programs cannot show a rotated
 * one, so products are resampled. Per cell the way back is a polynomial of the second degree,
 * fitted to the exact one: it errs by less than 1 mm over 2 km ({@link MapGrid.errorM}). Heights are
 * taken at the height `upM`: a point 100 m above it is off by 2 mm a 100 m from the origin at most.
 */
export function mapGrid(
  origin: SurveyOrigin,
  source: GridFrame,
  upM: number,
  cellM: number,
  projection: MapProjection = utmAt(origin),
  undulation: Undulation = () => 0,
): MapGrid {
  const enu = createEnuFrame(origin);
  const eastM = source.westM + source.width * source.cellM;
  const southM = source.northM - source.height * source.cellM;
  const corners = [source.westM, eastM].flatMap((x) =>
    [southM, source.northM].map((y) => projection.toMap(enu.toGeodetic([x, y, upM]))),
  );
  const easts = corners.map(([east]) => east);
  const norths = corners.map(([, north]) => north);
  const westCell = Math.floor(Math.min(...easts) / cellM);
  const northCell = Math.ceil(Math.max(...norths) / cellM);
  const frame: MapFrame = {
    epsg: projection.epsg,
    projection: projection.name,
    unitM: projection.unitM,
    westM: westCell * cellM,
    northM: northCell * cellM,
    cellM,
    width: Math.ceil(Math.max(...easts) / cellM) - westCell,
    height: northCell - Math.floor(Math.min(...norths) / cellM),
  };
  const exact = exactLocator(frame, origin, upM, projection, undulation);
  return fitLocator(frame, exact);
}

type Locator = (col: number, row: number, out: MapPoint) => void;

function exactLocator(
  frame: MapFrame,
  origin: SurveyOrigin,
  upM: number,
  projection: MapProjection,
  undulation: Undulation,
): Locator {
  const enu = createEnuFrame(origin);
  const heightM = origin.heightM + upM;
  return (col, row, out) => {
    const place = projection.fromMap(
      frame.westM + col * frame.cellM,
      frame.northM - row * frame.cellM,
    );
    const [x, y, up] = enu.toEnu({ ...place, heightM });
    out.x = x;
    out.y = y;
    out.lift = heightM - up - undulation(place.lonDeg, place.latDeg);
  };
}

function fitLocator(frame: MapFrame, exact: Locator): MapGrid {
  const halfWidth = frame.width / 2;
  const halfHeight = frame.height / 2;
  const normal = new Float64Array(TERMS * TERMS);
  const right = [0, 1, 2].map(() => new Float64Array(TERMS));
  const terms = new Float64Array(TERMS);
  const point: MapPoint = { x: 0, y: 0, lift: 0 };
  for (const [s, t] of nodes(FIT_NODES)) {
    polynomial(s, t, terms);
    exact(halfWidth * (1 + s), halfHeight * (1 + t), point);
    for (let i = 0; i < TERMS; i += 1) {
      const a = terms[i] ?? 0;
      for (let j = 0; j < TERMS; j += 1) {
        normal[i * TERMS + j] = (normal[i * TERMS + j] ?? 0) + a * (terms[j] ?? 0);
      }
      for (const [k, value] of [point.x, point.y, point.lift].entries()) {
        const sums = right[k];
        if (sums !== undefined) sums[i] = (sums[i] ?? 0) + a * value;
      }
    }
  }
  const [forX, forY, forLift] = right.map((sums) => choleskySolve(normal.slice(), sums));
  if (forX === undefined || forY === undefined || forLift === undefined) {
    throw new RangeError("no polynomial");
  }
  const locate: Locator = (col, row, out) => {
    const s = col / halfWidth - 1;
    const t = row / halfHeight - 1;
    out.x = evaluate(forX, s, t);
    out.y = evaluate(forY, s, t);
    out.lift = evaluate(forLift, s, t);
  };
  const fitted: MapPoint = { x: 0, y: 0, lift: 0 };
  let errorM = 0;
  for (const [s, t] of nodes(CHECK_NODES)) {
    const col = halfWidth * (1 + s);
    const row = halfHeight * (1 + t);
    exact(col, row, point);
    locate(col, row, fitted);
    errorM = Math.max(errorM, Math.hypot(fitted.x - point.x, fitted.y - point.y));
  }
  return { frame, locate, errorM };
}

function* nodes(along: number): Generator<readonly [number, number]> {
  for (let j = 0; j < along; j += 1) {
    for (let i = 0; i < along; i += 1) {
      yield [(2 * i) / (along - 1) - 1, (2 * j) / (along - 1) - 1];
    }
  }
}

function polynomial(s: number, t: number, out: Float64Array): void {
  out[0] = 1;
  out[1] = s;
  out[2] = t;
  out[3] = s * s;
  out[4] = s * t;
  out[5] = t * t;
}

function evaluate(c: Float64Array, s: number, t: number): number {
  return (
    (c[0] ?? 0) +
    s * ((c[1] ?? 0) + s * (c[3] ?? 0) + t * (c[4] ?? 0)) +
    t * ((c[2] ?? 0) + t * (c[5] ?? 0))
  );
}

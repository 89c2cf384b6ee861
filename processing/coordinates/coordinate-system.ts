import type { Area } from "./epsg-table.ts";
import { proj4 } from "./proj4.ts";

/**
 * How pairs of coordinates relate to longitude and latitude on WGS 84.
 *
 * The order of a pair is one everywhere: easting before northing and longitude before latitude, whatever the
 * authority's order is ("traditional GIS order", as GDAL and PROJ strings have it). Systems that count west or
 * south keep their own order and signs (EPSG:2046: westing, southing; EPSG:5513: southing, westing).
 */
export interface CoordinateSystem {
  /** For messages and reports: "EPSG:2180 (ETRF2000-PL / CS92)". */
  readonly name: string;
  /** EPSG code of the horizontal system; `undefined`: given by its parameters. */
  readonly epsg: number | undefined;
  /** Metres of one unit of x and y; `undefined`: angles, in degrees unless `name` says otherwise. */
  readonly unitM: number | undefined;
  /** What heights count from and in; `undefined`: the definition says nothing of heights. */
  readonly vertical: VerticalSystem | undefined;
  /** Where the system is meant to be used; `undefined`: not known. */
  readonly area: Area | undefined;
  readonly shift: DatumShift;
  /** NaN where the projection has no value. */
  fromGeodetic(lonDeg: number, latDeg: number): readonly [x: number, y: number];
  /** NaN where the projection has no value. */
  toGeodetic(x: number, y: number): readonly [lonDeg: number, latDeg: number];
}

/** A system of heights. */
export interface VerticalSystem {
  readonly name: string;
  readonly epsg: number | undefined;
  readonly unitM: number;
  /** It counts downwards. */
  readonly isDepth: boolean;
}

/** How a datum was brought to WGS 84. */
export interface DatumShift {
  /**
   * `grid`: a grid of the operator's folder; `none`: the datum is WGS 84, or is taken for it (ETRS89, NAD83, GDA2020 ...); `parameters`: three or
   * seven parameters; `unknown`: no relation is known, and longitude and latitude stay on the datum's own
   * ellipsoid, off by up to a few hundred metres.
   */
  readonly by: "grid" | "none" | "parameters" | "unknown";
  /** Accuracy, metres; `undefined`: not known. */
  readonly accuracyM: number | undefined;
  /** Names of the files of a grid shift that would do better. */
  readonly missingGrids: readonly string[];
}

/** A definition that was looked up or read, and checked for what proj4 can do. */
export interface Definition extends Pick<CoordinateSystem, "name" | "epsg" | "vertical" | "area"> {
  /** As proj4 reads it. */
  readonly projection: proj4.ProjectionDefinition | string;
  readonly shift: DatumShift;
  /** Degrees of one unit of a geographic system: 1, or 0.9 of one that counts grads. */
  readonly angleDeg: number;
}

/** What proj4 makes of a definition; its types leave these out. */
export type Projection = InstanceType<typeof proj4.Proj> &
  Pick<proj4.ProjectionDefinition, "projName" | "to_meter" | "datumName" | "from_greenwich">;

const WGS_84 = "+proj=longlat +datum=WGS84 +no_defs";

/** @throws Error of proj4 for a definition that it cannot read */
export function createCoordinateSystem(definition: Definition): CoordinateSystem {
  const { projection, angleDeg, ...known } = definition;
  const target = new proj4.Proj(projection) as Projection;
  const converter = proj4(WGS_84, target);
  const isGeographic = target.projName === "longlat";
  const unit = isGeographic ? angleDeg : 1;
  const isGreenwich = (target.from_greenwich ?? 0) === 0;
  if (isGeographic && known.shift.by === "none" && unit === 1 && isGreenwich) {
    return {
      ...known,
      unitM: undefined,
      fromGeodetic: (lonDeg, latDeg) => [lonDeg, latDeg],
      toGeodetic: (x, y) => [x, y],
    };
  }
  return {
    ...known,
    unitM: isGeographic ? undefined : (target.to_meter ?? 1),
    fromGeodetic(lonDeg, latDeg) {
      const [x, y] = pair(() => converter.forward([lonDeg, latDeg], true));
      return [x / unit, y / unit];
    },
    toGeodetic: (x, y) => pair(() => converter.inverse([x * unit, y * unit], true)),
  };
}

/** proj4 throws for coordinates that are not finite, and gives nothing for some that it cannot project. */
function pair(convert: () => readonly number[] | undefined): readonly [number, number] {
  try {
    const [first = Number.NaN, second = Number.NaN] = convert() ?? [];
    return [first, second];
  } catch {
    return [Number.NaN, Number.NaN];
  }
}

import { proj4 } from "./proj4.ts";

/** A projected map; coordinates here are metres, east then north, whatever its own unit is. */
export interface MapProjection {
  readonly epsg: number;
  /** As people call it: "WGS 84 / UTM zone 30N". */
  readonly name: string;
  /** Metres of the unit that its own coordinates count. */
  readonly unitM: number;
  toMap(point: { readonly lonDeg: number; readonly latDeg: number }): readonly [number, number];
  fromMap(east: number, north: number): { readonly lonDeg: number; readonly latDeg: number };
}

/** The UTM zone that a place lies in, with the exceptions for Norway and Svalbard. WGS 84. */
export function utmAt({ lonDeg, latDeg }: { lonDeg: number; latDeg: number }): MapProjection {
  const zone = utmZone(lonDeg, latDeg);
  const isSouth = latDeg < 0;
  const converter = proj4(
    `+proj=utm +zone=${zone} ${isSouth ? "+south " : ""}+datum=WGS84 +units=m +no_defs`,
  );
  return {
    epsg: (isSouth ? 32_700 : 32_600) + zone,
    name: `WGS 84 / UTM zone ${zone}${isSouth ? "S" : "N"}`,
    unitM: 1,
    toMap(point) {
      const [east = Number.NaN, north = Number.NaN] = converter.forward([
        point.lonDeg,
        point.latDeg,
      ]);
      return [east, north];
    },
    fromMap(east, north) {
      const [lon = Number.NaN, lat = Number.NaN] = converter.inverse([east, north]);
      return { lonDeg: lon, latDeg: lat };
    },
  };
}

/** Exceptions: NGA.SIG.0012 2.0.0 (UTM and UPS), figure of zones 31V to 37X. */
function utmZone(lonDeg: number, latDeg: number): number {
  const zone = Math.min(60, Math.floor((lonDeg + 180) / 6) + 1);
  if (latDeg >= 56 && latDeg < 64 && lonDeg >= 3 && lonDeg < 12) return 32;
  if (latDeg >= 72 && latDeg < 84 && lonDeg >= 0 && lonDeg < 42) {
    if (lonDeg < 9) return 31;
    if (lonDeg < 21) return 33;
    return lonDeg < 33 ? 35 : 37;
  }
  return zone;
}

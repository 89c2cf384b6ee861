/** A tile of the web mercator grid (EPSG:3857, XYZ: rows count from north). */
export interface TileAddress {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** Edge in pixels. */
  readonly size: number;
}

/** Deepest zoom: a pixel of 256 is 9 mm at the equator. Deeper shows nothing that a survey has. */
export const DEEPEST_ZOOM = 24;

/** Length of the equator on the sphere of web mercator, metres (EPSG:3857 has the radius of WGS 84). */
const EQUATOR_M = 2 * Math.PI * 6_378_137;
/** Pixels of a tile that zooms are counted by. */
const ZOOM_PX = 256;

/** Longitude and latitude at a share of a tile, from its west and north edge on; degrees, WGS 84. */
export function placeInTile(
  { z, x, y }: TileAddress,
  east: number,
  south: number,
): readonly [lonDeg: number, latDeg: number] {
  const tiles = 2 ** z;
  const lonDeg = ((x + east) / tiles) * 360 - 180;
  const latDeg = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + south)) / tiles))) * 180) / Math.PI;
  return [lonDeg, latDeg];
}

/** Edge of a tile's pixel on the ground in the middle of the tile, metres. */
export function groundPixelM(address: TileAddress): number {
  const [, latDeg] = placeInTile(address, 0.5, 0.5);
  return (EQUATOR_M * Math.cos((latDeg * Math.PI) / 180)) / (2 ** address.z * address.size);
}

/** The zoom whose pixels are as large as `cellM` at a latitude; a fraction, not below 0. */
export function zoomOfCell(cellM: number, latDeg: number): number {
  const pixels = (EQUATOR_M * Math.cos((latDeg * Math.PI) / 180)) / (cellM * ZOOM_PX);
  return Math.max(0, Math.log2(pixels));
}

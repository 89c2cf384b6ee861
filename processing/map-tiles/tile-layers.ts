/** What a tile shows. `terrain`: heights as numbers, for a map that is tilted. */
export const TILE_LAYERS = ["orthophoto", "hillshade", "heights", "terrain"] as const;
export type TileLayer = (typeof TILE_LAYERS)[number];

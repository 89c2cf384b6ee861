import { Type } from "typebox";

/** File name of a geoid grid in the operator's folder. */
export const GeoidGridName = Type.String({
  pattern: "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}\\.(gtx|GTX|tif|TIF|tiff)$",
  title: "GeoidGrid",
  description: "File name of a geoid grid (GTX or GeoTIFF) in the folder GRID_DIR",
});

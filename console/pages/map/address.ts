import type { View } from "../../map/fleet-map.ts";

/** The place in an address, `?at=52.52,13.4,15` (degrees, degrees, zoom); nothing where it is not one. */
export function viewOf(search: string): View | undefined {
  const text = new URLSearchParams(search).get("at");
  if (text === null || text === "") return undefined;
  const [latitude, longitude, zoom] = text.split(",").map(Number);
  if (latitude === undefined || longitude === undefined || zoom === undefined) return undefined;
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom >= 0 && zoom <= 24;
  return isPlace ? { latitude, longitude, zoom } : undefined;
}

/** A place as an address has it: 1 m, and a tenth of a zoom. */
export const placeText = ({ latitude, longitude, zoom }: View): string =>
  `${latitude.toFixed(5)},${longitude.toFixed(5)},${zoom.toFixed(1)}`;

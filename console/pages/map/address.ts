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

/** The address with that place: 1 m, and a tenth of a zoom. */
export function withView(address: string, { latitude, longitude, zoom }: View): string {
  const url = new URL(address);
  url.searchParams.set("at", `${latitude.toFixed(5)},${longitude.toFixed(5)},${zoom.toFixed(1)}`);
  // Commas need no escape in a query, and people read addresses.
  url.search = url.search.replaceAll("%2C", ",");
  return url.href;
}

/** The address with that machine selected, or none. */
export function withSelection(address: string, id: string | undefined): string {
  const url = new URL(address);
  if (id === undefined) url.searchParams.delete("asset");
  else url.searchParams.set("asset", id);
  url.search = url.search.replaceAll("%2C", ",");
  return url.href;
}

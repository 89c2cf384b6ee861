import type { components } from "../../../client/index.ts";

export type PlaceProblem = "half_place" | "not_degrees";

interface ReadPlace {
  /** Absent: no place was given. */
  readonly location?: components["schemas"]["Location"];
  readonly problem?: PlaceProblem;
}

/** A place that a person typed, degrees WGS 84; a decimal comma is taken too. Its range is checked by the service. */
export function readPlace(latitude: string, longitude: string): ReadPlace {
  const texts = [latitude.trim(), longitude.trim()];
  if (texts.every((text) => text === "")) return {};
  if (texts.some((text) => text === "")) return { problem: "half_place" };
  const [north, east] = texts.map((text) => Number(text.replace(",", ".")));
  if (north === undefined || east === undefined) return { problem: "half_place" };
  if (!Number.isFinite(north) || !Number.isFinite(east)) return { problem: "not_degrees" };
  return { location: { latitude: north, longitude: east } };
}

import { isJsonObject } from "./json-payload.ts";

type JsonObject = Readonly<Record<string, unknown>>;

const LATITUDE_NAMES: readonly string[] = ["latitude", "lat"];
const LONGITUDE_NAMES: readonly string[] = ["longitude", "lon", "lng", "long"];

/** The first of these members that is there, by its name. */
export const memberOf = (object: JsonObject, names: readonly string[]): string | undefined =>
  names.find((name) => (object[name] ?? undefined) !== undefined);

/** The names under which an object has a latitude and a longitude; `undefined`: it lacks one. */
export function positionNamesIn(
  object: JsonObject,
): { readonly latitude: string; readonly longitude: string } | undefined {
  const latitude = memberOf(object, LATITUDE_NAMES);
  const longitude = memberOf(object, LONGITUDE_NAMES);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** Whether an object says a latitude or a longitude, were it only one of them. */
export const saysPosition = (object: JsonObject): boolean =>
  (memberOf(object, LATITUDE_NAMES) ?? memberOf(object, LONGITUDE_NAMES)) !== undefined;

/** What to say of an object or array in a format whose fields are numbers; `undefined`: it is neither. */
export function nestedProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isJsonObject(value) && holdsPosition(value)) {
    return "a position inside an object is not read; send latitude and longitude beside the other fields";
  }
  return Array.isArray(value) ? "an array is not read" : "an object is not read";
}

function holdsPosition(value: JsonObject): boolean {
  if (positionNamesIn(value) !== undefined) return true;
  // ChirpStack's Cayenne LPP has one object for each channel.
  const [inner] = Object.values(value);
  return isJsonObject(inner) && positionNamesIn(inner) !== undefined;
}

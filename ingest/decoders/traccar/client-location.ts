import type { DecodedReading } from "../../../domain/reading.ts";
import { FieldSet } from "../field-set.ts";
import { isJsonObject } from "../json-payload.ts";
import { KMH_PER_MPS } from "../units.ts";
import {
  bit,
  type JsonObject,
  keepValue,
  readKnown,
  readNumber,
  readTime,
  scaled,
  setPosition,
} from "./values.ts";

/**
 * The `location` object of Traccar Client since version 9: m/s, metres, battery 0 to 1; -1 is "unknown".
 * @throws DomainError `DECODE_FAILED`.
 */
export function readClientLocation(location: JsonObject): DecodedReading {
  const set = new FieldSet();
  const { coords, battery, extras, is_moving: isMoving } = location;
  if (isJsonObject(coords)) setCoordinates(coords, set);
  // Metres that the app has counted since it was installed.
  set.set("odometer_km", scaled(readKnown(location, "odometer", set), 1e-3));
  if (isJsonObject(battery)) {
    set.set("battery_percent", scaled(readKnown(battery, "level", set), 100));
    keepValue(set, "is_charging", bit(battery["is_charging"]));
  }
  keepValue(set, "is_moving", bit(isMoving));
  if (isJsonObject(extras)) for (const name in extras) keepValue(set, name, extras[name]);
  return {
    deviceTimeMs: readTime(location, "timestamp", set),
    seq: undefined,
    fields: set.fields,
    faults: undefined,
  };
}

function setCoordinates(coords: JsonObject, set: FieldSet): void {
  const accuracyM = readNumber(coords, "accuracy", set);
  // iOS marks a location as invalid by a negative horizontal accuracy.
  if (accuracyM !== undefined && accuracyM < 0) return;
  if (!setPosition(coords, set)) return;
  if (accuracyM !== 0) set.set("accuracy_meters", accuracyM);
  set.set("speed_kmh", scaled(readKnown(coords, "speed", set), KMH_PER_MPS));
  set.set("heading", readKnown(coords, "heading", set));
  // The same mark for the height alone.
  const isFlat = (readNumber(coords, "altitude_accuracy", set) ?? 0) < 0;
  if (!isFlat) set.set("altitude_meters", readNumber(coords, "altitude", set));
}

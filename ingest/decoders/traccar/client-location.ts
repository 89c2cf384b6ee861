import { MOCKED_FIELD } from "../../../domain/equipment/mocked-position.ts";
import type { DecodedReading } from "../../../domain/equipment/reading.ts";
import { FieldSet } from "../fields/field-set.ts";
import { KMH_PER_MPS } from "../fields/units.ts";
import { isJsonObject } from "../payload/json-payload.ts";
import { looseBoolean } from "../payload/loose-boolean.ts";
import {
  bit,
  type JsonObject,
  keepValue,
  readNumber,
  readTime,
  setPosition,
  takeKnown,
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
  takeKnown(set, "odometer_km", location, "odometer", 1e-3);
  if (isJsonObject(battery)) {
    takeKnown(set, "battery_percent", battery, "level", 100);
    keepValue(set, "is_charging", bit(battery["is_charging"]));
  }
  keepValue(set, "is_moving", bit(isMoving));
  // There only when the location came from a mock provider (transistorsoft, "Location Data Schema").
  if (looseBoolean(location["mock"]) === true) set.keep(MOCKED_FIELD, 1);
  if (isJsonObject(extras)) for (const name in extras) keepValue(set, name, extras[name]);
  return set.toReading(readTime(location, "timestamp", set));
}

function setCoordinates(coords: JsonObject, set: FieldSet): void {
  const accuracyM = readNumber(coords, "accuracy", set);
  // iOS marks a location as invalid by a negative horizontal accuracy.
  if (accuracyM !== undefined && accuracyM < 0) return;
  if (!setPosition(coords, set)) return;
  if (accuracyM !== 0) set.set("accuracy_meters", accuracyM, "accuracy");
  takeKnown(set, "speed_kmh", coords, "speed", KMH_PER_MPS);
  takeKnown(set, "heading", coords, "heading");
  // The same mark for the height alone.
  const isFlat = (readNumber(coords, "altitude_accuracy", set) ?? 0) < 0;
  if (!isFlat) set.take("altitude_meters", "altitude", coords["altitude"]);
}

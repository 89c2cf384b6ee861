/**
 * The field by which a reading says that its position is not measured but made up: 1, from an app that puts
 * another place under the phone's own (Android's `Location.isMock`). Such a position is kept and shown with
 * its mark. It moves neither geofences nor distance and work, because the machine was not there.
 */
export const MOCKED_FIELD = "position_mocked";

/** Whether the position of these fields is made up. */
export const isMocked = (fields: Readonly<Record<string, number>>): boolean =>
  fields[MOCKED_FIELD] === 1;

/** What a device counts or measures by its positions. If they are mocked, no distance and no limit uses it. */
export const DERIVED_FROM_POSITION: ReadonlySet<string> = new Set([
  ...["speed_kmh", "odometer_km", "trip_odometer_km"],
]);

/** The fields of a mocked position that say something of the machine all the same. */
export const fieldsBesideMocked = (
  fields: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !DERIVED_FROM_POSITION.has(name)));

/** Variable-length ids of Codec 8 Extended with the VIN: of OBD, and of LVCAN adapters. */
export const VINS: ReadonlySet<number> = new Set([256, 325]);
/** Variable-length ids with trouble codes, and with the beacons around. */
export const TROUBLE_CODES = 281;
export const BEACONS = 385;
/** Eight bytes: who sits at the wheel. */
export const IBUTTON = 78;
/** Texts that FMx6xx trackers cut into ids of eight bytes and one: those of FM6300, and of all later ones. */
export const PARTS: readonly (readonly [name: string, ids: readonly number[]])[] = [
  ["vin", [105, 106, 107, 108]],
  ["driver_card_1", [129, 130, 131]],
  ["driver_card_2", [132, 133, 134]],
  ["driver_card_1", [195, 196]],
  ["driver_card_2", [197, 198]],
  ["number_plate", [231, 232]],
  ["vin", [233, 234, 235]],
];
/** The ids of {@link PARTS}. */
export const PART_IDS: readonly number[] = PARTS.flatMap(([, ids]) => ids);

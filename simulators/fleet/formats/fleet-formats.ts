import type { FleetFormat } from "./format.ts";
import { j1939 } from "./j1939.ts";
import { nmea } from "./nmea.ts";
import { owntracks } from "./owntracks.ts";
import { plumbline } from "./plumbline.ts";
import { senml } from "./senml.ts";
import { teltonika } from "./teltonika.ts";
import { thingsboard } from "./thingsboard.ts";
import { traccar } from "./traccar.ts";

/** Every format that a simulated device may speak over MQTT. */
export const FLEET_FORMATS: readonly FleetFormat[] = [
  plumbline,
  owntracks,
  teltonika,
  nmea,
  thingsboard,
  traccar,
  senml,
  j1939,
];

/** The words for `--format`. */
export const FORMAT_CHOICES = [
  "plumbline",
  "owntracks",
  "teltonika",
  "nmea",
  "thingsboard",
  "traccar",
  "senml",
  "j1939",
  "mixed",
] as const;
export type FormatChoice = (typeof FORMAT_CHOICES)[number];

/** What the device of machine number `i` of a fleet speaks. */
export function formatOf(choice: FormatChoice, i: number): FleetFormat {
  const format =
    choice === "mixed"
      ? FLEET_FORMATS[i % FLEET_FORMATS.length]
      : FLEET_FORMATS.find(({ name }) => name === choice);
  if (format === undefined) throw new RangeError(`no format ${choice}`);
  return format;
}

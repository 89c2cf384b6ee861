import type { FleetFormat, Transport } from "./format.ts";
import { j1939 } from "./j1939.ts";
import { nmea } from "./nmea.ts";
import { osmand } from "./osmand.ts";
import { owntracks } from "./owntracks.ts";
import { plumbline } from "./plumbline.ts";
import { senml } from "./senml.ts";
import { teltonika } from "./teltonika.ts";
import { teltonikaCodec8 } from "./teltonika-codec8.ts";
import { thingsboard } from "./thingsboard.ts";
import { traccar } from "./traccar.ts";

/** Every format that a simulated device may speak. */
export const FLEET_FORMATS: readonly FleetFormat[] = [
  plumbline,
  owntracks,
  teltonika,
  nmea,
  thingsboard,
  traccar,
  senml,
  j1939,
  teltonikaCodec8,
  osmand,
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
  "teltonika-codec8",
  "osmand",
  "mixed",
] as const;
export type FormatChoice = (typeof FORMAT_CHOICES)[number];

/** Ports of the service's listeners beside MQTT, as far as they are known. */
export type ListenerPorts = Partial<Record<Exclude<Transport, "mqtt">, number>>;

/**
 * What the devices of a fleet speak, machine by machine in turn: with `mixed` every format whose listener
 * has a known port.
 * @throws RangeError for a format whose listener has none.
 */
export function formatsOf(choice: FormatChoice, ports: ListenerPorts): readonly FleetFormat[] {
  const reachable = FLEET_FORMATS.filter(
    ({ transport }) => transport === "mqtt" || ports[transport] !== undefined,
  );
  const formats = choice === "mixed" ? reachable : reachable.filter(({ name }) => name === choice);
  if (formats.length === 0) throw new RangeError(`no port is known for ${choice}`);
  return formats;
}

/** The listener that a format needs a port of; `undefined`: MQTT is enough. */
export function listenerOf(choice: FormatChoice): Exclude<Transport, "mqtt"> | undefined {
  const transport = FLEET_FORMATS.find(({ name }) => name === choice)?.transport;
  return transport === "mqtt" ? undefined : transport;
}

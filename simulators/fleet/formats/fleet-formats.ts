import type { FleetFormat, Listener } from "../device/format.ts";
import { j1939 } from "./j1939.ts";
import { mapped } from "./mapped.ts";
import { nmea } from "./nmea.ts";
import { osmand } from "./osmand.ts";
import { owntracks } from "./owntracks.ts";
import { plumbline } from "./plumbline.ts";
import { senml } from "./senml.ts";
import { sparkplug } from "./sparkplug.ts";
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
  sparkplug,
  mapped,
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
  "sparkplug",
  "mapping",
  "mixed",
] as const;
export type FormatChoice = (typeof FORMAT_CHOICES)[number];

/** Ports of the service's listeners beside MQTT, as far as they are known. */
export type ListenerPorts = Partial<Record<Listener, number>>;

/**
 * What the devices of a fleet speak, machine by machine in turn: with `mixed` every format whose listener
 * has a known port.
 * @throws RangeError for a format whose listener has none.
 */
export function formatsOf(choice: FormatChoice, ports: ListenerPorts): readonly FleetFormat[] {
  const reachable = FLEET_FORMATS.filter((format) => {
    const listener = listenerOf(format);
    return listener === undefined || ports[listener] !== undefined;
  });
  const formats = choice === "mixed" ? reachable : reachable.filter(({ name }) => name === choice);
  if (formats.length === 0) throw new RangeError(`no port is known for ${choice}`);
  return formats;
}

/** The listener that a format needs a port of; `undefined`: MQTT is enough. */
export function listenerOf({ transport }: Pick<FleetFormat, "transport">): Listener | undefined {
  return transport === "mqtt" || transport === "sparkplug" ? undefined : transport;
}

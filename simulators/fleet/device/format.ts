import type { PayloadMapping } from "../../../domain/equipment/payload-mapping.ts";
import type { DeviceHabits } from "./habits.ts";
import type { Measurement } from "./measurement.ts";

/** Who writes. */
export interface Writer {
  /** Id of the asset; the formats that name their device carry it. */
  readonly id: string;
  readonly timeFormat: DeviceHabits["timeFormat"];
}

/** Listeners of the service that have a port of their own. */
export type Listener = "teltonika" | "osmand";

/** How messages travel: over a session of MQTT that is the device's own, or an edge node's; or a listener. */
export type Transport = "mqtt" | "sparkplug" | Listener;

/** What a machine's device speaks: how readings become payloads of one topic. Pure. */
export interface FleetFormat {
  /** The decoder that its asset is registered with, and the word for `--format`. */
  readonly name: string;
  /** Last level of the device topic. */
  readonly topicFormat: string;
  readonly transport: Transport;
  /** `hardware_id` of the asset, where the device is known by what it calls itself. */
  readonly hardwareId?: (assetId: string) => string;
  /** What has to be known of the payloads, for the decoder "mapping". */
  readonly mapping?: PayloadMapping;
  /** Whether the format can say nothing without a position: its device is silent then. */
  readonly needsFix: boolean;
  /** Most readings in one message; 1 where the format knows no lists. */
  readonly maxReadings: number;
  /** One reading in ASCII, or a byte a character: a piece that `join` makes a payload of. */
  encode(measurement: Measurement, writer: Writer): string;
  /** A payload of one or more pieces; at most two characters longer for each. */
  join(pieces: readonly string[]): string;
}

/** Rounds to `1 / perUnit`. */
export function round(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit;
}

/** A degree that never rounds up to 360. */
export const roundDeg = (value: number, perUnit: number): number => round(value, perUnit) % 360;

/** One JSON value by itself, several as an array. */
export function joinJson(pieces: readonly string[]): string {
  return pieces.length === 1 ? (pieces[0] ?? "") : `[${pieces.join(",")}]`;
}

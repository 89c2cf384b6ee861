import { type Static, Type } from "typebox";
import type { AssetId, ProjectId } from "../ids.ts";

/** Longest trouble code of a maker's own numbering, and longest words about one, characters. */
export const MAX_FAULT_CODE_LENGTH = 40;
export const MAX_FAULT_TEXT_LENGTH = 200;

/**
 * A diagnostic trouble code. It is by SPN and FMI as J1939 writes it (SAE J1939-73, DM1), or by `code` in a
 * maker's or a car's own numbering (ISO 15143-3, ISO 15031-6); never both. Addresses above 253 are not a
 * controller's: 254 is none, 255 is all (SAE J1939-81).
 */
export const FaultCode = Type.Object(
  {
    source: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 253,
        description: "Source address of the controller that reports it",
      }),
    ),
    spn: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 524_287,
        description: "Suspect parameter number; with fmi, or absent where there is a code",
      }),
    ),
    fmi: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 31, description: "Failure mode identifier" }),
    ),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_FAULT_CODE_LENGTH,
        description: "Trouble code that is not of J1939, as the machine or its maker writes it",
        examples: ["P0299"],
      }),
    ),
    description: Type.Optional(
      Type.String({ maxLength: MAX_FAULT_TEXT_LENGTH, description: "In the maker's words" }),
    ),
    reported_severity: Type.Optional(
      Type.String({ maxLength: MAX_FAULT_CODE_LENGTH, description: "In the maker's words" }),
    ),
    occurrence_count: Type.Optional(Type.Integer({ minimum: 0, maximum: 126 })),
  },
  { title: "FaultCode" },
);
export type FaultCode = Static<typeof FaultCode>;

/** Inclusive physical range of a known telemetry field; a value outside never becomes its value. */
interface FieldRange {
  readonly min: number;
  readonly max: number;
}

/**
 * The fields that Plumbline gives a meaning, in the units of their names. Other finite numbers are
 * stored under their own names. Ranges are chosen wide enough for every machine and narrow enough to
 * catch a wrong unit (knots for km/h passes; pascal for kilopascal does not).
 */
export const FIELD_RANGES: Readonly<Record<string, FieldRange>> = {
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  accuracy_meters: { min: 0, max: 100_000 },
  altitude_meters: { min: -1_000, max: 20_000 },
  hdop: { min: 0, max: 100 },
  speed_kmh: { min: 0, max: 1_000 },
  heading: { min: 0, max: 360 },
  engine_on: { min: 0, max: 1 },
  engine_hours: { min: 0, max: 1_000_000 },
  fuel_level_percent: { min: 0, max: 100 },
  coolant_temperature_c: { min: -100, max: 300 },
  oil_pressure_kpa: { min: 0, max: 5_000 },
  battery_voltage: { min: 0, max: 1_000 },
  load_percent: { min: 0, max: 250 },
  payload_kg: { min: 0, max: 1_000_000 },
  odometer_km: { min: 0, max: 10_000_000 },
  engine_speed_rpm: { min: 0, max: 20_000 },
  idle_hours: { min: 0, max: 1_000_000 },
  fuel_used_liters: { min: 0, max: 1_000_000_000 },
  fuel_rate_lph: { min: 0, max: 10_000 },
  def_level_percent: { min: 0, max: 100 },
  battery_percent: { min: 0, max: 100 },
  satellites: { min: 0, max: 255 },
  pdop: { min: 0, max: 100 },
  load_count: { min: 0, max: 1_000_000_000 },
};

/** Most numeric fields that one reading may carry. */
export const MAX_FIELDS = 64;
/** Fields of a stored row: the service adds one, the raw time of a wrong clock or how late a position was received. */
export const MAX_STORED_FIELDS = MAX_FIELDS + 1;
/** Most readings that one MQTT message may carry. */
export const MAX_READINGS = 1_000;
/** Largest MQTT payload that intake decodes, bytes. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;
/** Field names: a leading letter keeps `__proto__` and its kin out. */
export const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/**
 * What there is to say about a value that was not taken as it came. `suspect_value`: outside its range, or not
 * of its type; its number is kept as `suspect_` and the device's own name. `fields_left_out`: `value` fields are
 * not kept, from `name` on. The reading has more than it may, or they cannot be read, such as an object in place
 * of a number. `near_miss`: the name is kept as the device's own, and is probably a misspelling of `value`.
 */
export interface ReadingRemark {
  readonly kind: "suspect_value" | "fields_left_out" | "near_miss";
  /** As the device calls it, cut to 64 characters. */
  readonly name: string;
  readonly value: number | string | boolean;
  /** For people: what is wrong. */
  readonly problem: string;
}

/** What a decoder makes of one reading, before the clock decision. */
export interface DecodedReading {
  /** The time the payload carries, ms since the Unix epoch; `undefined` when it carries none. */
  readonly deviceTimeMs: number | undefined;
  readonly seq: number | undefined;
  /**
   * Numeric fields by name. `latitude` and `longitude` are there together or not at all;
   * `engine_on` is 0 or 1.
   */
  readonly fields: Readonly<Record<string, number>>;
  /** Active fault codes; `[]`: the machine says there are none; `undefined`: it said nothing. */
  readonly faults: readonly FaultCode[] | undefined;
  /**
   * The device itself says that this is the past, sent late (Sparkplug's `is_historical`): it belongs to
   * history and is never the newest value, whatever its time. Without a possible time of its own it is
   * refused. Absent, not `undefined`, from every other reading: nearly all have one shape.
   */
  readonly isHistorical?: true;
  /** Absent, not `undefined`, where there is nothing to say. */
  readonly remarks?: readonly ReadingRemark[];
}

/** Something that a device reports beside its readings; it is kept as an event of the asset. */
export interface DeviceNotice {
  /**
   * `transition`: the device itself saw a region's edge. `last_will`: its connection broke. `birth` and
   * `death`: a gateway says that the device behind it is there, or gone. `sequence_gap`: messages of a
   * gateway are missing. `identified`: it names something in text that is with it: the vehicle's VIN, a
   * driver's iButton or card, a beacon; `data` has `name` and `value`, "" when it is gone. The kinds of
   * {@link ReadingRemark}: what the service did not take as it came.
   */
  readonly kind:
    | "transition"
    | "last_will"
    | "birth"
    | "death"
    | "sequence_gap"
    | "identified"
    | ReadingRemark["kind"];
  /** The time the payload carries, ms since the Unix epoch; `undefined` when it carries none. */
  readonly timeMs: number | undefined;
  /** In the format's own words; texts have at most 200 characters. */
  readonly data: Readonly<Record<string, string | number | boolean>>;
}

/** Readings of a message that cannot be believed, while its others can. */
export interface RefusedReadings {
  /** For people: how many of how many, which, and why. */
  readonly reason: string;
  /**
   * A message of the same format with these readings alone, so that reading it again later stores no other a second
   * time. `undefined`: there is no such message, and the whole one is kept.
   */
  readonly payload: Uint8Array | undefined;
}

/** What a decoder makes of one message. */
export interface DecodedMessage {
  readonly readings: readonly DecodedReading[];
  readonly notices: readonly DeviceNotice[];
  /** Parts that are understood and not kept, such as a waypoint; counted. */
  readonly ignored: number;
  /** Absent, not `undefined`, where every reading is there. With it there is at least one reading. */
  readonly refused?: RefusedReadings;
}

/** Where `fixTimeMs` came from: the payload, or our clock when the payload had no possible time. */
export type TimeSource = "device" | "received";

/** One reading as the journal keeps it: the clock decision is made and never revisited. */
export interface Reading {
  /** Place on the asset's time line, ms since the Unix epoch, UTC. */
  readonly fixTimeMs: number;
  readonly timeSource: TimeSource;
  /** The payload's own time where it was impossible and `fixTimeMs` is ours, else `undefined`. */
  readonly rawTimeMs: number | undefined;
  /** Tie-break of two readings at one fix time: higher `seq` first (-1 = none) ... */
  readonly seq: number;
  /** ... then the larger payload hash, an unsigned 32-bit integer. */
  readonly payloadHash: number;
  readonly fields: Readonly<Record<string, number>>;
  readonly faults: readonly FaultCode[] | undefined;
  /** As in {@link DecodedReading}. */
  readonly isHistorical?: true;
}

/** The readings of one accepted MQTT message, with everything replay needs to process them again. */
export interface ReadingBatch {
  readonly assetId: AssetId;
  /** The asset's project at intake; a later move does not change it. */
  readonly projectId: ProjectId;
  /** Server clock at arrival, ms since the Unix epoch. */
  readonly receivedAtMs: number;
  readonly readings: readonly Reading[];
}

/** A reading has a position when both coordinates are there. */
export function hasPosition(fields: Readonly<Record<string, number>>): boolean {
  return fields["latitude"] !== undefined && fields["longitude"] !== undefined;
}

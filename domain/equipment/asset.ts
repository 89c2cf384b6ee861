import { type Static, Type } from "typebox";
import { Location } from "../geodesy.ts";
import { AssetId, ProjectId } from "../ids.ts";
import { DecoderOptions } from "./decoder-options.ts";

const Timestamp = Type.String({
  title: "Timestamp",
  format: "date-time",
  description: "ISO 8601, UTC",
});

/** The decoders an asset may be registered with. */
export const DECODER_NAMES = [
  "plumbline",
  "owntracks",
  "thingsboard",
  "traccar",
  "osmand",
  "nmea",
  "j1939",
  "teltonika",
  "teltonika-codec8",
  "senml",
  "sparkplug",
  "things-stack",
  "chirpstack",
  "mapping",
] as const;

/**
 * Longest type of an asset, characters. Longer ones do not fit into a table; shorter ones cut real model
 * names.
 */
export const MAX_TYPE_LENGTH = 64;

/** Longest `hardware_id`, characters: a path of three names fits in. Every lookup of a device compares one. */
export const MAX_HARDWARE_ID_LENGTH = 128;

/**
 * What the hardware calls itself: an IMEI, a path like `group/edge/device`, an OwnTracks `user/device`.
 * Printable ASCII without `+` and `#`, so that it is safe as levels of an MQTT topic; spaces, which
 * Sparkplug's names often have, within it only.
 */
export const HardwareId = Type.String({
  minLength: 1,
  maxLength: MAX_HARDWARE_ID_LENGTH,
  pattern: '^[!"$-*,-~]+( +[!"$-*,-~]+)*$',
  title: "HardwareId",
  description: "What the device calls itself, e.g. its IMEI; unique among the assets that exist",
  examples: ["356307042441013"],
});

/** Make, model or serial number, as the plate of the machine has it. */
export const MachineText = Type.String({
  minLength: 1,
  maxLength: 100,
  title: "MachineText",
  description: "As on the machine's plate",
});

/** What a person registered about an asset; what the machine reports is live state. */
export const AssetRegistration = Type.Object(
  {
    id: AssetId,
    project_id: ProjectId,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    type: Type.String({ minLength: 1, maxLength: MAX_TYPE_LENGTH, examples: ["excavator"] }),
    decoder: Type.Enum([...DECODER_NAMES], {
      title: "DecoderName",
      description: "Format the device speaks",
    }),
    decoder_options: Type.Optional(DecoderOptions),
    hardware_id: Type.Optional(HardwareId),
    make: Type.Optional(MachineText),
    model: Type.Optional(MachineText),
    serial_number: Type.Optional(MachineText),
    location: Type.Optional(Location),
    maintenance: Type.Boolean({ description: "A person took the machine out of service" }),
    liveness_timeout_s: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 604_800,
        title: "LivenessTimeout",
        description:
          "Seconds without a message until the asset is silent, or without a new position until its GPS is stuck; set it to three or more reporting intervals",
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "AssetRegistration" },
);
export type AssetRegistration = Static<typeof AssetRegistration>;

/**
 * Least time-out of an asset that has none of its own, s; one that reports more seldom has three of its own
 * reporting intervals. Over a longer gap no crossing of a geofence
 * is inferred any more (docs/rules.md#geofence), so from then on the asset is not watched as people believe it to be.
 */
export const DEFAULT_LIVENESS_TIMEOUT_S = 900;

/** `status` of the contract's asset. */
export const ASSET_STATUSES = ["active", "idle", "maintenance"] as const;
export type AssetStatus = (typeof ASSET_STATUSES)[number];

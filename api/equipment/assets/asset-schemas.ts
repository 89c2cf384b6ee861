import { type Static, Type } from "typebox";
import {
  ASSET_STATUSES,
  AssetRegistration,
  DEFAULT_LIVENESS_TIMEOUT_S,
  HardwareId,
  MachineText,
} from "../../../domain/equipment/asset.ts";
import { DecoderOptions } from "../../../domain/equipment/decoder-options.ts";
import { FaultCode } from "../../../domain/equipment/reading.ts";
import { Location } from "../../../domain/geodesy.ts";
import { AssetId } from "../../../domain/ids.ts";
import { CONNECTION_STATUSES } from "../../../ingest/asset-state/asset-state.ts";
import { BASES } from "../../../ingest/asset-state/day-figures.ts";
import { Pagination } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

/** Three facts that are kept apart: the MQTT session, the messages, the positions. */
export const Connection = Type.Object(
  {
    link: Type.Enum(["connected", "disconnected", "unknown"], {
      description: "MQTT session; unknown: none was ever seen",
    }),
    link_since: Type.Optional(Timestamp),
    last_message_at: Type.Optional(
      Type.String({ format: "date-time", description: "When the newest message was received" }),
    ),
    last_fix_at: Type.Optional(
      Type.String({ format: "date-time", description: "Fix time of the newest position" }),
    ),
    status: Type.Enum([...CONNECTION_STATUSES], {
      description:
        "offline: no MQTT session for 60 s; silent: no message for liveness_timeout_s; gps_stuck: messages, but no new position for as long; unknown: never connected",
    }),
  },
  { title: "Connection" },
);
export type Connection = Static<typeof Connection>;

export const AssetPath = Type.Object({ asset_id: AssetId });

const Mocked = Type.Optional(
  Type.Boolean({
    title: "Mocked",
    description:
      "true: the device says that its position is made up by an app; it is not used for geofences, distance or work. Absent: measured, as far as the device says",
  }),
);

/** The contract's asset; `location_source` says whether the location comes from a fix. */
export const Asset = Type.Object(
  {
    id: AssetId,
    name: Type.String(),
    type: Type.String({ description: "Equipment type" }),
    status: Type.Enum([...ASSET_STATUSES]),
    location: Location,
    last_update: Timestamp,
    utilization_today: Type.Number({
      minimum: 0,
      maximum: 100,
      description: "Percent of the shift so far today",
    }),
    zone: Type.String({ description: "Zone name; empty outside every zone" }),
    heading: Type.Union([Type.Number(), Type.Null()], {
      description: "Degrees clockwise from true north; null: not known",
    }),
    speed_kmh: Type.Union([Type.Number(), Type.Null()], { description: "null: not known" }),
    accuracy_meters: Type.Union([Type.Number(), Type.Null()], {
      description:
        "Of the newest position, as GET /equipment/assets/{asset_id}/location has it; null: none yet",
    }),
    last_fix_at: Type.Union([Timestamp, Type.Null()], {
      description: "Fix time of the newest position; null: none yet",
    }),
    location_source: Type.Enum(["gnss", "registered"], {
      description: "registered: the asset never sent a fix; its or its project's registered place",
    }),
    mocked: Mocked,
    connection: Connection,
    utilization: Type.Object(
      {
        basis: Type.Enum([...BASES], {
          description:
            "Where most of today's working time comes from. observed: readings at most 5 min apart; meter: the machine's own hour meter over longer gaps; bridged: engine state or displacement at both ends of them; none: nothing is known, and utilization_today is 0",
        }),
        lower: Type.Number({ minimum: 0, maximum: 100 }),
        upper: Type.Number({ minimum: 0, maximum: 100 }),
        seen_percent: Type.Number({
          minimum: 0,
          maximum: 100,
          description: "Of today so far: time with readings at most 5 min apart",
        }),
      },
      {
        title: "UtilizationToday",
        description: "What utilization_today is computed from; bounds in percent",
      },
    ),
  },
  { title: "Asset" },
);
export type Asset = Static<typeof Asset>;

export const AssetList = Type.Object(
  { data: Type.Array(Asset), pagination: Type.Optional(Pagination) },
  { title: "AssetList" },
);

const { make, model, serial_number } = AssetRegistration.properties;
/** What the machine is called by its maker. */
const MACHINE = { make, model, serial_number };

/** An asset with everything that is known of it. */
export const AssetDetail = Type.Object(
  {
    ...Asset.properties,
    project_id: AssetRegistration.properties.project_id,
    decoder: AssetRegistration.properties.decoder,
    decoder_options: AssetRegistration.properties.decoder_options,
    hardware_id: AssetRegistration.properties.hardware_id,
    ...MACHINE,
    maintenance: AssetRegistration.properties.maintenance,
    liveness_timeout_s: Type.Integer({
      description: `Seconds of quiet until the asset is silent or its GPS stuck; unless set three reporting intervals, at least ${DEFAULT_LIVENESS_TIMEOUT_S}`,
    }),
    reporting_interval_s: Type.Optional(
      Type.Number({
        description:
          "Seconds between two reports, learned from the last messages, or a third of liveness_timeout_s where that was set; the status follows it",
      }),
    ),
    registered_location: Type.Optional(Location),
    created_at: Timestamp,
    updated_at: Timestamp,
    engine_hours: Type.Optional(
      Type.Object({
        value: Type.Number({ description: "Hours" }),
        source: Type.Enum(["machine", "accumulated"], {
          description: "The machine's own meter, or our sum of engine-on time",
        }),
      }),
    ),
    latest: Type.Record(
      Type.String(),
      Type.Object({ value: Type.Number(), timestamp: Timestamp }),
      {
        description: "Newest value of every telemetry field",
      },
    ),
    identities: Type.Record(
      Type.String(),
      Type.Object({
        value: Type.String({ description: "Empty: nobody, nothing there" }),
        timestamp: Timestamp,
      }),
      {
        description:
          "Texts that the device reports, and since when: vin, number_plate, ibutton, driver_card_1, driver_card_2, beacon_1 to beacon_4",
      },
    ),
    fault_codes: Type.Array(FaultCode, {
      description: "Active faults, of J1939 or in the maker's numbering",
    }),
  },
  { title: "AssetDetail" },
);
export type AssetDetail = Static<typeof AssetDetail>;

/** What a device logs in to MQTT with. */
export const MqttCredentials = Type.Object(
  {
    username: AssetId,
    password: Type.Optional(
      Type.String({ description: "Shown once: absent when the answer is repeated" }),
    ),
    topic: Type.String({ description: "Where the device publishes its readings" }),
    hint: Type.Optional(Type.String()),
  },
  { title: "MqttCredentials" },
);
export type MqttCredentials = Static<typeof MqttCredentials>;

/** The answer to a rotation of credentials. */
export const IssuedCredentials = Type.Object(
  { mqtt: MqttCredentials },
  { title: "IssuedCredentials" },
);

export const RegisteredAsset = Type.Object(
  { ...AssetDetail.properties, mqtt: MqttCredentials },
  { title: "RegisteredAsset" },
);

/** Body of POST /equipment/assets. */
export const NewAsset = Type.Object(
  {
    name: AssetRegistration.properties.name,
    type: AssetRegistration.properties.type,
    project_id: AssetRegistration.properties.project_id,
    id: Type.Optional(AssetId),
    location: Type.Optional(Location),
    decoder: Type.Optional(AssetRegistration.properties.decoder),
    decoder_options: AssetRegistration.properties.decoder_options,
    hardware_id: AssetRegistration.properties.hardware_id,
    ...MACHINE,
    maintenance: Type.Optional(AssetRegistration.properties.maintenance),
    liveness_timeout_s: AssetRegistration.properties.liveness_timeout_s,
  },
  { title: "NewAsset" },
);

const TextChange = Type.Optional(
  Type.Union([MachineText, Type.Null()], {
    title: "MachineTextChange",
    description: "null: no longer known",
  }),
);

/** Body of PATCH /equipment/assets/{id}; absent fields stay as they are (RFC 7396). */
export const AssetChange = Type.Object(
  {
    name: Type.Optional(AssetRegistration.properties.name),
    type: Type.Optional(AssetRegistration.properties.type),
    project_id: Type.Optional(AssetRegistration.properties.project_id),
    location: Type.Optional(
      Type.Union([Location, Type.Null()], { description: "null: the project's location" }),
    ),
    decoder: Type.Optional(AssetRegistration.properties.decoder),
    decoder_options: Type.Optional(
      Type.Union([DecoderOptions, Type.Null()], {
        description: "Replaces all of them; null: removes them",
      }),
    ),
    hardware_id: Type.Optional(
      Type.Union([HardwareId, Type.Null()], { description: "null: removes it" }),
    ),
    make: TextChange,
    model: TextChange,
    serial_number: TextChange,
    maintenance: Type.Optional(AssetRegistration.properties.maintenance),
    liveness_timeout_s: Type.Optional(
      Type.Union([AssetRegistration.properties.liveness_timeout_s, Type.Null()], {
        description: `null: three reporting intervals, at least ${DEFAULT_LIVENESS_TIMEOUT_S}`,
      }),
    ),
  },
  { title: "AssetChange" },
);
export type AssetChange = Static<typeof AssetChange>;

const MotionSource = Type.Enum(["reported", "derived", "none"], {
  title: "MotionSource",
  description:
    "reported: by the device, with this fix; derived: from this fix and those before it; none: not known, and given as 0",
});

/** The contract's asset location. */
export const AssetLocation = Type.Object(
  {
    asset_id: AssetId,
    current: Type.Object({
      latitude: Type.Number(),
      longitude: Type.Number(),
      accuracy_meters: Type.Number(),
      timestamp: Timestamp,
      speed_kmh: Type.Number(),
      heading: Type.Number({ description: "Degrees clockwise from true north" }),
      speed_source: MotionSource,
      heading_source: MotionSource,
      accuracy_source: Type.Enum(["reported", "assumed"]),
      time_source: Type.Enum(["device", "received"]),
      mocked: Mocked,
    }),
    zone: Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: "Empty texts outside every zone" },
    ),
    history: Type.Optional(
      Type.Array(
        Type.Object({ latitude: Type.Number(), longitude: Type.Number(), timestamp: Timestamp }),
        { description: "Ascending, (now - hours, now]; present when history was requested" },
      ),
    ),
  },
  { title: "AssetLocation" },
);
export type AssetLocation = Static<typeof AssetLocation>;

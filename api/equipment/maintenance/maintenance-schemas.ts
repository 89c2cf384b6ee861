import { type Static, Type } from "typebox";
import { ALERT_SEVERITIES } from "../../../domain/equipment/alert.ts";
import { MaintenancePlan } from "../../../domain/equipment/maintenance.ts";
import { FaultCode } from "../../../domain/equipment/reading.ts";
import { AssetId, ProjectId } from "../../../domain/ids.ts";
import { listOf } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

const HOURS_SOURCES = ["machine", "accumulated", "stated"] as const;

/**
 * Highest meters that a person may state; the domain's range of engine hours, and as many km; more lets a
 * slip of the hand pass.
 */
const MAX_METER = 1_000_000;

export const TypePlanPath = Type.Object({ project_id: ProjectId, type: Type.String() });

/** A plan as it is kept for an asset or a type. */
export const StoredPlan = Type.Object(
  { ...MaintenancePlan.properties, valid_from: Timestamp },
  { title: "StoredMaintenancePlan" },
);
export type StoredPlan = Static<typeof StoredPlan>;

/** The plan that holds for an asset. */
export const AssetPlan = Type.Object(
  {
    ...StoredPlan.properties,
    source: Type.Enum(["asset", "asset_type"], {
      description:
        "asset: its own plan, which replaces the other as a whole; asset_type: that of its type",
    }),
  },
  { title: "AssetMaintenancePlan" },
);
export type AssetPlan = Static<typeof AssetPlan>;

/** A number, or null where nothing is known. */
function orNull(description: string) {
  return Type.Union([Type.Number(), Type.Null()], { description });
}

const Interval = Type.Object(
  {
    unit: Type.Enum(["hours", "days", "km"]),
    every: Type.Number(),
    used: orNull("Null: not known, for the reason given"),
    remaining: orNull("Negative when it is past; null: not known"),
    used_percent: orNull("Null: not known"),
    source: Type.Enum(["machine", "accumulated", "calendar"], {
      description: "The machine's own meter, our sum over its readings, or the calendar",
    }),
    reason: Type.Optional(Type.String({ description: "Why nothing is known of it" })),
  },
  { title: "ServiceInterval" },
);

const ServiceStatus = Type.Object(
  {
    item: Type.String(),
    name: Type.String(),
    status: Type.Enum(["ok", "warning", "due"]),
    used_percent: orNull("Of the interval that is used up most; null: none is known"),
    intervals: Type.Array(Interval),
    counted_from: Timestamp,
    last_service_id: Type.Optional(
      Type.String({
        description:
          "Absent: no service is known. Then hours and km count from 0 of the machine's own meter, where it reports one; all else from when the plan was first applied to the machine",
      }),
    ),
  },
  { title: "ServiceStatus" },
);
export type ServiceStatus = Static<typeof ServiceStatus>;

const OpenLimit = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    field: Type.String(),
    above: Type.Optional(Type.Number()),
    below: Type.Optional(Type.Number()),
    clear_at: Type.Number(),
    severity: Type.Enum([...ALERT_SEVERITIES]),
    since: Timestamp,
    value: Type.Optional(Type.Number({ description: "The first value beyond the limit" })),
  },
  { title: "ExceededLimit" },
);
export type OpenLimit = Static<typeof OpenLimit>;

const OpenFault = Type.Object(
  {
    ...FaultCode.properties,
    spn_name: Type.Optional(Type.String({ description: "Absent for a number without a name" })),
    fmi_name: Type.Optional(Type.String({ description: "Absent for codes that are not of J1939" })),
    severity: Type.Enum([...ALERT_SEVERITIES]),
    occurrences: Type.Integer({ description: "Times that it occurred while it was reported" }),
    since: Timestamp,
    last_seen: Timestamp,
  },
  { title: "ActiveFault" },
);
export type OpenFault = Static<typeof OpenFault>;

/** The state of the maintenance of one asset. */
export const MaintenanceStatus = Type.Object(
  {
    asset_id: AssetId,
    status: Type.Enum(["ok", "warning", "due"], { description: "The worst of the services" }),
    plan_source: Type.Optional(
      Type.Enum(["asset", "asset_type"], { description: "Absent: the asset has no plan" }),
    ),
    services: Type.Array(ServiceStatus),
    limits: Type.Array(OpenLimit, { description: "Limits that are exceeded" }),
    faults: Type.Array(OpenFault, { description: "Active faults" }),
  },
  { title: "MaintenanceStatus" },
);
export type MaintenanceStatus = Static<typeof MaintenanceStatus>;

/** A service that a person recorded. */
export const Service = Type.Object(
  {
    id: Type.String(),
    asset_id: AssetId,
    project_id: ProjectId,
    item: Type.String(),
    serviced_at: Timestamp,
    recorded_at: Timestamp,
    engine_hours: Type.Optional(
      Type.Number({ description: "Absent: not known; hours count from when it was recorded" }),
    ),
    hours_source: Type.Optional(
      Type.Enum([...HOURS_SOURCES], {
        description: "The machine's own meter, our sum over its readings, or the request",
      }),
    ),
    odometer_km: Type.Optional(Type.Number()),
    note: Type.Optional(Type.String()),
  },
  { title: "Service" },
);
export type Service = Static<typeof Service>;

export const ServiceList = listOf("ServiceList", Service);

/** Body of POST /equipment/assets/{id}/services. */
export const NewService = Type.Object(
  {
    item: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "A service of the asset's plan",
    }),
    serviced_at: Type.Optional(
      Type.String({ format: "date-time", description: "When the work was done; default: now" }),
    ),
    engine_hours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MAX_METER,
        description: "What the machine's meter showed; default: what it reported at that time",
      }),
    ),
    odometer_km: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_METER })),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  { title: "NewService" },
);

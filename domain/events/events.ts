import type { Location } from "../geodesy.ts";

/**
 * Every type of event. A change of an earlier event has the type followed by `.revised`; one that
 * turned out not to have happened is followed by `.withdrawn`.
 */
export const EVENT_TYPES = [
  /** An asset came into a geofence; `visit_id` names the stay. */
  "equipment.geofence.entered",
  /** It left the geofence again. */
  "equipment.geofence.exited",
  /** A reported value stayed beyond a limit of the maintenance plan for the limit's duration. */
  "equipment.limit.exceeded",
  /** It went back to the limit's clear level. */
  "equipment.limit.cleared",
  /** The machine reports a fault code (SPN, FMI) that it did not report before, or reports it again. */
  "equipment.fault.raised",
  /** The machine no longer reports it. */
  "equipment.fault.cleared",
  /** A service comes near: 90 % of its interval by default. */
  "equipment.maintenance.warning",
  /** A service is due. */
  "equipment.maintenance.due",
  /** A person recorded a service; its interval starts again. */
  "equipment.maintenance.serviced",
  /**
   * A device reported something beside its readings; `data.kind` says what, in the words of its format.
   */
  "equipment.device.notice",
  /** A command to the device was stored; `data.command_id` names it in all of the following. */
  "equipment.command.queued",
  /** It was sent; `data.attempt` counts how often. Stored before the first byte leaves. */
  "equipment.command.sent",
  /** The device acknowledged receipt. */
  "equipment.command.delivered",
  /** The device answered. */
  "equipment.command.answered",
  /** It was sent without confirmation, refused by the device, or could not be sent; `data.failure` says which. */
  "equipment.command.failed",
  /** Its time ran out before it was sent. */
  "equipment.command.expired",
  /** It was withdrawn before it was sent. */
  "equipment.command.cancelled",
  /** Link: the device's MQTT session is down. */
  "equipment.asset.offline",
  "equipment.asset.online",
  /** Data: no message for the asset's time-out. */
  "equipment.asset.silent",
  "equipment.asset.reporting",
  /** Fix: messages come, but no new position for the asset's time-out. */
  "equipment.asset.gps_stuck",
  "equipment.asset.gps_recovered",
  /** Most assets of a project fell silent together; published once, instead of once per asset. */
  "equipment.project.outage",
  "equipment.project.recovered",
  /** A stockpile's volume was measured; `data.measurement_id` names the measurement. */
  "materials.stockpile.measured",
  /** A measurement brought a stockpile below its threshold `low`. */
  "materials.stockpile.low",
  /** A measurement brought a stockpile to its threshold `full`. */
  "materials.stockpile.full",
  /** A capture or a correction came to a progress report; `data.report_id` names it. */
  "progress.report.created",
  /** A report puts a project behind its schedule, and the one before it did not. */
  "progress.behind_schedule",
  /** A camera does not point where its reference view does: estimates from it are suspended. */
  "progress.camera_moved",
  /** The journal and the record store do not belong together; the pipeline went back to the oldest record. */
  "ingest.journal_gap",
  /** A device published outside its own topics; the message was acknowledged and not stored. */
  "security.foreign_topic",
  /** Another customer tried to register a `hardware_id` that an asset has; the asset keeps it. */
  "security.hardware_id_claimed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The type on the wire and in the outbox. */
export type StoredEventType = EventType | `${EventType}.revised` | `${EventType}.withdrawn`;

/** An event before the record store gives it its `sequence`. */
export interface NewEvent {
  /** Deterministic, so that a replay records the event once. */
  readonly id: string;
  /** 1 when first published; each change is the next. */
  readonly revision: number;
  readonly type: StoredEventType;
  readonly projectId: string | undefined;
  readonly assetId: string | undefined;
  readonly geofenceId?: string;
  readonly visitId?: string;
  /** Fix time of what happened, ms since the Unix epoch. */
  readonly occurredAtMs: number;
  readonly location?: Location;
  readonly accuracyMeters?: number;
  readonly inferred?: boolean;
  readonly cause?: string;
  readonly withdrawn?: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event of the outbox. `undefined` fields were not set when it was raised. */
export interface StoredEvent extends Required<Pick<NewEvent, "inferred" | "withdrawn">> {
  /** Rises strictly in the order in which events become visible; may have gaps. */
  readonly sequence: number;
  readonly id: string;
  readonly revision: number;
  readonly type: StoredEventType;
  readonly projectId: string | undefined;
  readonly assetId: string | undefined;
  readonly geofenceId: string | undefined;
  readonly visitId: string | undefined;
  readonly occurredAtMs: number;
  /** Server clock when it was stored, ms since the Unix epoch. */
  readonly recordedAtMs: number;
  readonly location: Location | undefined;
  readonly accuracyMeters: number | undefined;
  readonly cause: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

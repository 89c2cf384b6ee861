import type { Location } from "./geodesy.ts";

/** Every type of event. Types of an area are added with the code that raises them. */
export const EVENT_TYPES = [
  /** The journal and the record store do not belong together; the pipeline went back to the oldest record. */
  "ingest.journal_gap",
  /** A device published outside its own topics; the message was acknowledged and not stored. */
  "security.foreign_topic",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event before the record store gives it its `sequence`. */
export interface NewEvent {
  /** Deterministic, so that a replay records the event once. */
  readonly id: string;
  readonly revision: number;
  readonly type: EventType;
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

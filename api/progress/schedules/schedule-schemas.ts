import { type Static, Type } from "typebox";
import { ProjectId, ScheduleId, WorkZoneId } from "../../../domain/ids.ts";
import { SCHEDULE_FORMATS } from "../../../domain/sites/schedule.ts";
import { listOf } from "../../schemas/page.ts";

const Instant = (description: string) => Type.String({ format: "date-time", description });
const Percent = Type.Number({ minimum: 0, maximum: 100, description: "One decimal" });

const SUMMARY = {
  id: ScheduleId,
  project_id: ProjectId,
  revision: Type.Integer({ description: "1, 2, 3, ... in the project" }),
  format: Type.Enum([...SCHEDULE_FORMATS]),
  sha256: Type.String({ description: "SHA-256 of the file, hex" }),
  name: Type.String(),
  data_date: Type.Optional(Instant("As in the file; absent where it has none")),
  start: Instant("Earliest start of an activity"),
  finish: Instant("Latest finish of an activity"),
  activities: Type.Integer(),
  warnings: Type.Array(Type.String(), { description: "What was left out or assumed" }),
  imported_by: Type.String({ description: "Id of the API key" }),
  imported_at: Instant("When the file came"),
};

/** A revision in a list. */
const ScheduleRevision = Type.Object(SUMMARY, { title: "ScheduleRevision" });
export type ScheduleRevision = Static<typeof ScheduleRevision>;

export const ScheduleRevisionList = listOf("ScheduleRevisionList", ScheduleRevision);

const UnmatchedActivity = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    wbs: Type.String(),
    zone_codes: Type.Array(Type.String()),
  },
  { title: "UnmatchedActivity" },
);

const ScheduleZone = Type.Object(
  {
    zone_id: WorkZoneId,
    name: Type.String(),
    activities: Type.Integer({ description: "Number of activities of the zone" }),
    planned_percent: Type.Optional(Percent),
  },
  { title: "ScheduleZone" },
);

/** How activities fall to zones. */
const MATCHES = {
  zones: Type.Array(ScheduleZone),
  unmatched_activities: Type.Integer({ description: "Number of activities without a zone" }),
  unmatched: Type.Array(UnmatchedActivity, { description: "The first 50 of them" }),
  plan_warnings: Type.Array(Type.String(), { description: "What the plan leaves open" }),
};

/** A revision with what it means for the project now. */
export const ScheduleDetail = Type.Object(
  {
    ...SUMMARY,
    planned_percent: Percent,
    weight_basis: Type.Enum(["cost", "work", "duration", "count"]),
    ...MATCHES,
  },
  { title: "Schedule" },
);
export type ScheduleDetail = Static<typeof ScheduleDetail>;

/** What an import would make, of which nothing is stored. */
export const ScheduleDryRun = Type.Object(
  {
    revision: Type.Integer({ description: "That an import would make" }),
    format: SUMMARY.format,
    name: Type.String(),
    start: Type.String({ format: "date-time" }),
    finish: Type.String({ format: "date-time" }),
    activities: Type.Integer(),
    warnings: Type.Array(Type.String()),
    ...MATCHES,
    is_newest: Type.Boolean({ description: "The newest revision is of this very file" }),
    groups: Type.Array(
      Type.Object({
        by: Type.Enum(["wbs", "code"]),
        value: Type.String({ description: "Path of the WBS, or code" }),
        activities: Type.Integer(),
        unmatched: Type.Integer({ description: "Of no zone" }),
        zone_ids: Type.Array(WorkZoneId),
        example: Type.String({ description: "Name of one activity" }),
      }),
    ),
    groups_total: Type.Integer({ description: "Listed or not" }),
  },
  { title: "ScheduleDryRun" },
);
export type ScheduleDryRun = Static<typeof ScheduleDryRun>;

export const PlannedProgress = Type.Object(
  {
    project_id: ProjectId,
    basis: Type.Enum(["schedule", "project_dates"]),
    schedule_revision: Type.Optional(Type.Integer()),
    start: Instant("Of the plan"),
    finish: Instant("Of the plan"),
    data: Type.Array(
      Type.Object({
        at: Instant("Time of the values"),
        planned_percent: Percent,
        zones: Type.Array(
          Type.Object({
            zone_id: WorkZoneId,
            name: Type.String(),
            planned_percent: Type.Optional(Percent),
          }),
        ),
      }),
    ),
  },
  { title: "PlannedProgress" },
);
export type PlannedProgress = Static<typeof PlannedProgress>;

export const SchedulePath = Type.Object({ project_id: ProjectId });

/** Parameter of routes about one revision. */
export const REVISION_PARAMETER = {
  revision: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Absent: the newest" }),
  ),
};

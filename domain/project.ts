import { type Static, Type } from "typebox";
import { Location } from "./geodesy.ts";
import { ProjectId } from "./ids.ts";

const TimeOfDay = Type.String({
  pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$",
  description: "Local time of day, HH:MM; 24:00 is the end of the day",
});

/** The daily working time; an `end` at or before `start` is on the next day (a night shift). */
export const Shift = Type.Object({ start: TimeOfDay, end: TimeOfDay }, { title: "Shift" });
export type Shift = Static<typeof Shift>;

/** The shift of a project that names none. */
export const WHOLE_DAY: Shift = { start: "00:00", end: "24:00" };

const Timestamp = Type.String({
  title: "Timestamp",
  format: "date-time",
  description: "ISO 8601, UTC",
});
const CalendarDate = Type.String({ format: "date", description: "ISO 8601 calendar date" });

/** A construction project: a place, a time zone and a shift. */
export const Project = Type.Object(
  {
    id: ProjectId,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    location: Location,
    time_zone: Type.String({ description: "IANA time zone name", examples: ["Europe/Berlin"] }),
    shift: Shift,
    planned_start: Type.Optional(CalendarDate),
    planned_finish: Type.Optional(CalendarDate),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Project" },
);
export type Project = Static<typeof Project>;

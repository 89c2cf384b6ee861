import { type Static, type TSchema, Type } from "typebox";
import { CONNECTION_STATUSES } from "../../ingest/asset-state/asset-state.ts";
import { Alert } from "../equipment/alerts/alert-schemas.ts";
import { ListedReport } from "../progress/reports/report-schemas.ts";

const Count = Type.Integer({ minimum: 0 });
const countsOf = <Name extends string>(names: readonly Name[], description: string) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, Count])) as Record<Name, typeof Count>,
    {
      description,
    },
  );

const Equipment = Type.Object({
  assets: Count,
  status: countsOf(["active", "idle", "maintenance"], "Assets by status"),
  connection: countsOf(CONNECTION_STATUSES, "Assets by connection; unknown: no message ever came"),
  open_alerts: countsOf(["critical", "warning", "info"], "Open alerts by severity"),
  newest_alerts: Type.Array(Alert, { description: "The three that opened last of the open ones" }),
});

const Materials = Type.Object({
  stockpiles: Count,
  status: countsOf(
    ["empty", "low", "adequate", "full"],
    "Stockpiles with a declared or measured volume by status",
  ),
  unknown: Type.Integer({ minimum: 0, description: "Stockpiles without any volume" }),
});

const Progress = Type.Object({
  captures_processing: Count,
  reports: Type.Array(ListedReport, {
    description: "The newest report of each project that has one",
  }),
  reports_complete: Type.Boolean({
    description: "False: there are more than 100 projects; ask for one of them",
  }),
});

const orHidden = <Section extends TSchema>(section: Section, scope: string) =>
  Type.Union([section, Type.Null()], { description: `null: the key lacks ${scope}` });

/** Counts of everything that the key may see. */
export const Overview = Type.Object(
  {
    as_of: Type.String({ format: "date-time" }),
    projects: Count,
    equipment: orHidden(Equipment, "equipment:read"),
    materials: orHidden(Materials, "materials:read"),
    progress: orHidden(Progress, "progress:read"),
  },
  { title: "Overview" },
);
export type Overview = Static<typeof Overview>;

import { type Static, Type } from "typebox";
import { Location } from "../../../domain/geodesy.ts";
import { AssetId, GeofenceId, ProjectId, VisitId } from "../../../domain/ids.ts";
import { listOf } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

/** How one end of a visit is known. */
const VisitEnd = Type.Object(
  {
    cause: Type.String({
      description:
        "crossing, or what else began or ended the visit: first_fix, fence_changed, fence_deleted, asset_moved, asset_deleted",
    }),
    location: Location,
    accuracy_meters: Type.Number({ minimum: 0 }),
  },
  { title: "VisitEnd" },
);

/** One stay of one asset in one fence. */
export const Visit = Type.Object(
  {
    id: VisitId,
    project_id: ProjectId,
    asset_id: AssetId,
    geofence_id: GeofenceId,
    entered_at: Timestamp,
    exited_at: Type.Optional(
      Type.String({ format: "date-time", description: "Absent while the asset is inside" }),
    ),
    duration_s: Type.Number({ minimum: 0, description: "Seconds; until now while inside" }),
    inferred: Type.Boolean({
      description: "Seen only as a line between two fixes outside; its times are interpolated",
    }),
    entry: VisitEnd,
    exit: Type.Optional(VisitEnd),
  },
  { title: "Visit" },
);
export type Visit = Static<typeof Visit>;

export const VisitList = listOf("VisitList", Visit);

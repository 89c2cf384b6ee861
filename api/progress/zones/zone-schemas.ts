import { type Static, Type } from "typebox";
import { CaptureId, ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import { ZONE_METRICS, ZONE_SURFACES } from "../../../domain/sites/work-zone.ts";
import { orRemoved } from "../../schemas/or-null.ts";
import { listOf } from "../../schemas/page.ts";
import { Polygon } from "../../schemas/polygon.ts";
import { Timestamp } from "../../schemas/timestamp.ts";
import { SurfaceHeightUnit } from "../../schemas/vertical-datum.ts";

/** Names are drawn into maps and written into models: on one line, without control characters. */
export const ZONE_NAME = { max: 200, pattern: "^[^\\u0000-\\u001f\\u007f]*$" } as const;
const Name = Type.String({
  title: "ZoneName",
  minLength: 1,
  maxLength: ZONE_NAME.max,
  pattern: ZONE_NAME.pattern,
});
const Weight = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1e12,
  title: "ZoneWeight",
  description:
    "Share of the project, relative to the other zones; absent: by the schedule, or the planned volume",
});
const Declared = Type.Number({
  minimum: 0,
  maximum: 100,
  title: "DeclaredProgress",
  description: "Percent at declared_at, carried forward until there is evidence",
});

/** Levels and stages of a metric at most: beyond any building; more only make bodies and reports larger. */
export const MOST_LEVELS = 200;
export const MOST_STAGES = 100;
/** Tolerances, metres: below the first nothing can be measured, above the second anything goes. */
export const TOLERANCE_M = { min: 0.001, max: 10 } as const;
/** Tops of levels, metres above the baseline: no building is higher, but a mistaken unit is. */
export const LEVEL_TOP_M = { above: 0, max: 10_000 } as const;
export const MAX_LEVEL_WEIGHT = 1e12;

const Level = Type.Object({
  name: Name,
  top_m: Type.Number({
    exclusiveMinimum: LEVEL_TOP_M.above,
    maximum: LEVEL_TOP_M.max,
    description: "Planned height of its top, metres above the baseline; rising",
  }),
  weight: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: MAX_LEVEL_WEIGHT,
      description: "Share of the zone's work, relative to the other levels. Default 1",
    }),
  ),
});

const Stage = Type.Object({
  name: Name,
  credit: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "Percent complete of a zone in this stage; rising",
  }),
});

const Metric = Type.Object(
  {
    kind: Type.Enum([...ZONE_METRICS], {
      description:
        "fill, cut, height, area: by flights; image: by cameras; stages: by photographs; manual: by observations",
    }),
    tolerance_m: Type.Optional(
      Type.Number({
        minimum: TOLERANCE_M.min,
        maximum: TOLERANCE_M.max,
        description:
          "Of surfaces: metres off the design that count as done. Absent: by the level of detection",
      }),
    ),
    levels: Type.Optional(
      Type.Array(Level, { minItems: 1, maxItems: MOST_LEVELS, description: "Of height" }),
    ),
    stages: Type.Optional(
      Type.Array(Stage, { minItems: 2, maxItems: MOST_STAGES, description: "Of stages" }),
    ),
  },
  { title: "ZoneMetric" },
);

const ActivityNames = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
    title: "ActivityPatterns",
    maxItems: 1_000,
    description,
  });

const ActivitiesChange = Type.Object(
  {
    codes: Type.Optional(ActivityNames("Values of activity codes, or the zone column of a CSV")),
    wbs: Type.Optional(ActivityNames("Paths of the work breakdown structure; all below counts")),
    names: Type.Optional(ActivityNames("Names or ids of activities; * matches any text")),
  },
  {
    title: "ZoneActivitiesChange",
    description: "Activities of the schedule that are the zone's: any match is enough",
  },
);
const Activities = Type.Required(ActivitiesChange, { title: "ZoneActivities" });

const Surface = Type.Object(
  {
    kind: Type.Enum(["level", "raster", "tin", "flight"], {
      description:
        "level: one height; raster: a GeoTIFF; tin: triangles from LandXML; flight: the ground as a flight saw it",
    }),
    height_m: Type.Optional(Type.Number({ description: "Of level, metres" })),
    reference: Type.Optional(
      Type.Enum(["survey", "baseline"], {
        description: "Of level: in the heights of the surveys, or above the baseline",
      }),
    ),
    surface_url: Type.Optional(
      Type.String({ description: "The file; opens without a header for 7 days" }),
    ),
    surface_height_unit: SurfaceHeightUnit,
    capture_id: Type.Optional(CaptureId),
  },
  { title: "ZoneSurface" },
);
export type Surface = Static<typeof Surface>;

export const ZonePath = Type.Object({ zone_id: WorkZoneId });
export const ZoneSurfacePath = Type.Object({
  zone_id: WorkZoneId,
  surface: Type.Enum([...ZONE_SURFACES]),
});

/** A work zone as the API shows it. */
export const Zone = Type.Object(
  {
    id: WorkZoneId,
    project_id: ProjectId,
    name: Name,
    polygon: Type.Optional(Polygon),
    metric: Metric,
    baseline: Type.Optional(Surface),
    design: Type.Optional(Surface),
    weight: Type.Optional(Weight),
    declared_progress: Declared,
    declared_at: Timestamp,
    activities: Activities,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "WorkZone" },
);
export type Zone = Static<typeof Zone>;

export const ZoneList = listOf("WorkZoneList", Zone);

/** Answer to a surface: the zone, and what is to be known of the file. */
export const ZoneWithSurface = Type.Object(
  {
    ...Zone.properties,
    warnings: Type.Array(Type.String(), {
      description: "What was left out of the file, or assumed",
    }),
  },
  { title: "WorkZoneWithSurface" },
);

const DeclaredAt = Type.String({
  format: "date-time",
  description: "When the declared progress was true; not in the future. Absent: now",
});

/** Body of POST /progress/zones. */
export const NewZone = Type.Object(
  {
    project_id: ProjectId,
    name: Name,
    metric: Metric,
    id: Type.Optional(WorkZoneId),
    polygon: Type.Optional(Polygon),
    weight: Type.Optional(Weight),
    declared_progress: Type.Optional(Declared),
    declared_at: Type.Optional(DeclaredAt),
    activities: Type.Optional(ActivitiesChange),
  },
  { title: "NewWorkZone" },
);

/** Body of PATCH /progress/zones/{id}; absent fields stay as they are, null removes (RFC 7396). */
export const ZoneChange = Type.Object(
  {
    name: Type.Optional(Name),
    metric: Type.Optional(Metric),
    polygon: orRemoved(Polygon),
    weight: orRemoved(Weight),
    declared_progress: Type.Optional(Declared),
    declared_at: Type.Optional(DeclaredAt),
    activities: orRemoved(ActivitiesChange),
  },
  { title: "WorkZoneChange" },
);
export type ZoneChange = Static<typeof ZoneChange>;

/** Fields that the routes read themselves, to say more of what is wrong with them. */
export const READ_BY_ROUTES = ["metric", "polygon"] as const;

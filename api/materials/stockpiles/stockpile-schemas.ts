import { type Static, Type } from "typebox";
import { SURFACE_HEIGHT_M } from "../../../domain/geometry/surface-height.ts";
import { GeofenceId, MeasurementId, ProjectId, StockpileId } from "../../../domain/ids.ts";
import {
  BASE_METHODS,
  DEFAULT_THRESHOLDS,
  FOOTPRINT_STATES,
  STOCKPILE_STATUSES,
  VOLUME_BASES,
} from "../../../domain/sites/stockpile.ts";
import { orRemoved } from "../../schemas/or-null.ts";
import { Pagination } from "../../schemas/page.ts";
import { Polygon } from "../../schemas/polygon.ts";
import { Timestamp } from "../../schemas/timestamp.ts";
import { SurfaceHeightUnit } from "../../schemas/vertical-datum.ts";

/**
 * Largest volume and capacity, cubic metres: a kilometre cubed. Less could refuse a quarry; more lets a
 * mistaken unit pass.
 */
const MAX_VOLUME_M3 = 1e9;

const Material = Type.String({
  minLength: 1,
  maxLength: 200,
  title: "MaterialName",
  description: "Material name; filters compare it without regard to case",
});
const StorageArea = Type.String({ minLength: 1, maxLength: 200, description: "Storage area name" });
const Capacity = Type.Number({
  minimum: 0.001,
  maximum: MAX_VOLUME_M3,
  description: "Cubic metres, three decimals",
});
const DeclaredVolume = Type.Number({
  minimum: 0,
  maximum: MAX_VOLUME_M3,
  description: "Cubic metres, three decimals, declared by a person",
});
const MeasuredAt = Type.String({
  format: "date-time",
  description: "When it held the declared volume; not in the future. Absent: now",
});
const Density = Type.Number({
  minimum: 0.001,
  maximum: 25,
  description: "Tonnes a cubic metre as it lies",
});
const Percent = Type.Number({ minimum: 0, maximum: 100 });

const Thresholds = Type.Object(
  { empty_percent: Percent, low_percent: Percent, full_percent: Percent },
  {
    title: "StockpileThresholds",
    description:
      "Shares of the capacity, rising: `empty` and `low` below, `full` from that share on",
  },
);
/** Absent shares stay as they are, and on creation are those of `DEFAULT_THRESHOLDS`. */
const ThresholdsChange = Type.Partial(Thresholds, {
  title: "GivenThresholds",
  description: `Shares of the capacity, percent; must rise. Default ${Object.values(DEFAULT_THRESHOLDS).join(", ")}`,
});

const Base = Type.Object(
  {
    method: Type.Enum([...BASE_METHODS], {
      description:
        "plane: fitted to the ground around the toe; tin: triangles through it; level: one height; survey: a surface from before the heap",
    }),
    height_m: Type.Optional(
      Type.Number({
        minimum: SURFACE_HEIGHT_M.min,
        maximum: SURFACE_HEIGHT_M.max,
        description: "Of method level, metres, in the heights of the surveys",
      }),
    ),
    surface_url: Type.Optional(
      Type.String({
        description:
          "Of method survey: the address of a GeoTIFF of heights, as POST /progress/images gave it, or of a surface of this stockpile",
      }),
    ),
    surface_height_unit: SurfaceHeightUnit,
  },
  { title: "StockpileBase" },
);
export type Base = Static<typeof Base>;

export const StockpilePath = Type.Object({ stockpile_id: StockpileId });

/** The contract's stockpile (the first seven fields, always there) and what else is known of it. */
export const Stockpile = Type.Object(
  {
    id: StockpileId,
    material: Material,
    location: StorageArea,
    current_volume_m3: Type.Number({ description: "Cubic metres, three decimals" }),
    max_capacity_m3: Capacity,
    last_measured: Type.String({
      format: "date-time",
      description:
        "When it held the current volume: time of the measurement, or as a person declared",
    }),
    status: Type.Enum([...STOCKPILE_STATUSES]),
    project_id: ProjectId,
    volume_basis: Type.Enum([...VOLUME_BASES], {
      description:
        "Source of the volume: a person, or the measurement `measurement_id`; none: no source yet, and 0 means not known",
    }),
    is_outdated: Type.Boolean({
      description:
        "The volume is of another footprint or base: they were changed after `measurement_id`, and the next measurement is of them",
    }),
    measurement_id: Type.Optional(MeasurementId),
    uncertainty_95_m3: Type.Optional(
      Type.Number({
        description: "Half of the 95 % interval of the current volume; absent: it was declared",
      }),
    ),
    tonnes: Type.Optional(
      Type.Number({ description: "Current volume times density; absent: no density is known" }),
    ),
    density_t_per_m3: Type.Optional(Density),
    thresholds: Thresholds,
    footprint: Type.Optional(Polygon),
    footprint_status: Type.Enum([...FOOTPRINT_STATES], {
      description: "proposed: found in the first surface, to be confirmed by a person",
    }),
    base: Base,
    geofence_id: Type.Optional(GeofenceId),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Stockpile" },
);
export type Stockpile = Static<typeof Stockpile>;

export const StockpileList = Type.Object(
  { data: Type.Array(Stockpile), pagination: Type.Optional(Pagination) },
  { title: "StockpileList" },
);

/** Body of POST /materials/stockpiles. */
export const NewStockpile = Type.Object(
  {
    material: Material,
    location: StorageArea,
    max_capacity_m3: Capacity,
    project_id: ProjectId,
    id: Type.Optional(StockpileId),
    current_volume_m3: Type.Optional(DeclaredVolume),
    measured_at: Type.Optional(MeasuredAt),
    density_t_per_m3: Type.Optional(Density),
    thresholds: Type.Optional(ThresholdsChange),
    footprint: Type.Optional(Polygon),
    base: Type.Optional(Base),
    geofence_id: Type.Optional(GeofenceId),
  },
  { title: "NewStockpile" },
);

/** Body of PATCH /materials/stockpiles/{id}; absent fields stay as they are, null removes (RFC 7396). */
export const StockpileChange = Type.Object(
  {
    material: Type.Optional(Material),
    location: Type.Optional(StorageArea),
    max_capacity_m3: Type.Optional(Capacity),
    current_volume_m3: Type.Optional(DeclaredVolume),
    measured_at: Type.Optional(MeasuredAt),
    density_t_per_m3: orRemoved(Density),
    thresholds: Type.Optional(ThresholdsChange),
    footprint: orRemoved(Polygon),
    footprint_status: Type.Optional(
      Type.Enum(["confirmed"], { description: "Confirms the footprint that was proposed" }),
    ),
    base: Type.Optional(Base),
    geofence_id: orRemoved(GeofenceId),
  },
  { title: "StockpileChange" },
);
export type StockpileChange = Static<typeof StockpileChange>;

/** Fields that the routes read themselves, to say more of what is wrong with them. */
export const READ_BY_ROUTES = ["footprint", "base"] as const;

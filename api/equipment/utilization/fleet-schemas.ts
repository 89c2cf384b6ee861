import { type Static, Type } from "typebox";
import { AssetId } from "../../../domain/ids.ts";
import { listOf } from "../../schemas/page.ts";
import { CalendarDate, FigureBasis, FigureParts, orNull } from "./day-schemas.ts";

/** What rows of a fleet's utilisation may be of. */
export const GROUPS = ["asset", "type", "day"] as const;
export type GroupBy = (typeof GROUPS)[number];

const FleetFigure = Type.Object(
  {
    value: orNull("Sum of the days on which it is known; null: of none"),
    lower: orNull("Sum of the lower bounds; null: a day has none"),
    upper: orNull("Sum of the upper bounds; null: a day has none"),
    known_days: Type.Integer({ description: "Of `asset_days`, those on which it is known" }),
    basis: FigureBasis,
    parts: FigureParts,
  },
  { title: "FleetFigure" },
);
export type FleetFigure = Static<typeof FleetFigure>;

const FleetRow = Type.Object(
  {
    asset_id: Type.Optional(AssetId),
    asset_name: Type.Optional(Type.String()),
    type: Type.Optional(Type.String({ description: "Type of the asset or assets" })),
    day: Type.Optional(Type.String({ format: "date", description: "Local date of its project" })),
    assets: Type.Integer({ description: "Assets that the row is of" }),
    asset_days: Type.Integer({
      description:
        "Days of assets that are in the sums: those on which one reported, and those between",
    }),
    utilization: orNull(
      "Working time in the shift, percent of the shift of the days on which it is known",
    ),
    working_s: orNull("Working seconds inside the shift"),
    overtime_s: orNull("Working seconds outside the shift"),
    engine_on_s: orNull("Seconds in which the engine ran"),
    distance_m: orNull("Metres"),
    figures: Type.Object({
      working: FleetFigure,
      overtime: FleetFigure,
      engine_on: FleetFigure,
      distance: FleetFigure,
    }),
  },
  { title: "FleetUtilizationRow" },
);
export type FleetRow = Static<typeof FleetRow>;

export const FleetUtilization = Type.Object(
  {
    from: CalendarDate,
    to: CalendarDate,
    ...listOf("FleetUtilization", FleetRow).properties,
  },
  { title: "FleetUtilization" },
);

import { type Static, Type } from "typebox";
import { BASES } from "../../../ingest/asset-state/day-figures.ts";

/** A number, or null where nothing is known. */
export function orNull(description: string) {
  return Type.Union([Type.Number(), Type.Null()], { description });
}

export const CalendarDate = Type.String({ format: "date" });

/** Where most of a figure comes from. */
export const FigureBasis = Type.Enum([...BASES], {
  description: "Where most of its time comes from",
});

/** How much of a value comes from where, seconds or metres. */
export const FigureParts = Type.Object(
  { observed: Type.Number(), meter: Type.Number(), bridged: Type.Number() },
  { description: "The value by its sources" },
);

/** One figure of a day with what it is based on. */
export const Figure = Type.Object(
  {
    value: orNull("Seconds or metres; null: nothing is known"),
    lower: orNull("Lower bound; null: not kept"),
    upper: orNull("Upper bound; null: not kept"),
    basis: FigureBasis,
    seen_percent: orNull("Of the day, today of the day so far, that was seen; null: not kept"),
    parts: FigureParts,
    reason: Type.Optional(Type.String({ description: "Why there is no value, or are no bounds" })),
  },
  { title: "UtilizationFigure" },
);

/** What an asset did on one day. */
export const UtilizationRow = Type.Object(
  {
    day: Type.String({ format: "date", description: "Local calendar date of the project" }),
    utilization: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
      description:
        "Working time in the shift, percent of the shift; today: of the shift so far; null: not known",
    }),
    working_s: orNull("Working seconds inside the shift"),
    overtime_s: orNull("Working seconds outside the shift"),
    engine_on_s: orNull("Seconds in which the engine ran"),
    distance_m: orNull("Metres"),
    figures: Type.Object(
      { working: Figure, overtime: Figure, engine_on: Figure, distance: Figure },
      { description: "The same figures with what they are computed from" },
    ),
  },
  { title: "UtilizationDay" },
);
export type UtilizationRow = Static<typeof UtilizationRow>;

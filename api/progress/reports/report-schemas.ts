import { type Static, Type } from "typebox";
import { CaptureId, ProjectId, ReportId, WorkZoneId } from "../../../domain/ids.ts";
import { NO_ESTIMATE, PROGRESS_METHODS } from "../../../domain/sites/capture.ts";
import { REPORT_STATUSES, ZONE_STATUSES } from "../../../domain/sites/progress-report.ts";
import { orNull } from "../../schemas/or-null.ts";
import { Pagination } from "../../schemas/page.ts";
import { timestampOf } from "../../schemas/timestamp.ts";

const Percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `Percent, one decimal: ${description}` });
const Address = (description: string) =>
  Type.String({ format: "uri", description: `${description}; opens without a header for 6 days` });

const Interval = (description: string) =>
  orNull(Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description }));

/** Fields of the contract that list and detail share. */
const SHARED_FIELDS = {
  id: ReportId,
  project_id: ProjectId,
  capture_date: timestampOf("When its images were taken"),
  progress_percentage: Percent(
    "complete, of the zones that were ever seen (seen_percent); 0 while nothing was",
  ),
  status: Type.Enum([...REPORT_STATUSES]),
};

const PLAN_FIELDS = {
  planned: Percent(
    "by the plan, of the zones that progress_percentage covers, each at the time of its figure",
  ),
  actual: Percent("the same as progress_percentage"),
  variance: Type.Number({ description: "actual less planned, points, exactly" }),
};

const SeenPercent = Percent("of the project, by weight, that progress_percentage covers");

const Basis = Type.Enum(["schedule", "project_dates"], {
  description:
    "What planned is computed from: the imported schedule, or a line between the project's planned dates",
});

/** A report as in lists: the contract's fields, and the basis of its plan. */
export const ListedReport = Type.Object(
  {
    ...SHARED_FIELDS,
    comparison: Type.Object({ ...PLAN_FIELDS, basis: Basis, seen_percent: SeenPercent }),
    zones_completed: Type.Integer({ minimum: 0 }),
    total_zones: Type.Integer({ minimum: 0 }),
  },
  { title: "ListedProgressReport" },
);
export type ListedReport = Static<typeof ListedReport>;

export const ReportList = Type.Object(
  { data: Type.Array(ListedReport), pagination: Pagination },
  { title: "ProgressReportList" },
);

const Zone = Type.Object({
  name: Type.String(),
  progress: Percent("complete"),
  status: Type.Enum([...ZONE_STATUSES]),
  zone_id: WorkZoneId,
  method: Type.Enum([...PROGRESS_METHODS], { description: "The source of the figure" }),
  interval_95: Interval(
    "Low and high end of 95 %; an earlier figure is a lower bound only; null: it cannot be bounded",
  ),
  observed_percent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "Of the zone: what this capture saw; 0: the figure is not from it",
  }),
  evidence: Type.Object(
    {},
    {
      additionalProperties: true,
      description: "Captures and observations behind it, and figures of the method",
    },
  ),
  planned: orNull(Percent("by the plan; null: nothing is planned for it")),
  weight: Type.Number({ description: "Share of the project, relative to the other zones" }),
  as_of: timestampOf("When the figure was true"),
  raw_progress: orNull(Type.Number({ description: "Before smoothing over time" })),
  regression_suspected: Type.Boolean({ description: "It fell by more than its uncertainty" }),
  no_estimate: orNull(Type.Enum([...NO_ESTIMATE], { description: "Why this capture has none" })),
  notes: Type.Array(Type.String()),
});

const Images = Type.Object({
  orthomosaic_url: Address("Orthomosaic (GeoTIFF), or the drawn map of the zones (PNG)"),
  model_3d_url: Address("Model, GLB"),
  kind: Type.Enum(["survey", "zone_plan"], {
    description: "Of a drone survey, or drawn from the outlines of the zones",
  }),
  as_of: timestampOf("Capture date of the flight that they are of"),
  map_url: Address("A picture that browsers show"),
});

const nullableNumber = orNull(Type.Number());
export const EarnedValue = Type.Object(
  {
    planned_value: Type.Number(),
    earned_value: Type.Number(),
    schedule_variance: Type.Number(),
    spi: nullableNumber,
    spi_t: nullableNumber,
    earned_schedule_days: nullableNumber,
    forecast_finish: orNull(Type.String()),
    forecast_finish_interval_95: orNull(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })),
  },
  { title: "EarnedValue" },
);

/** A report with its zones; what it is compared with is under `schedule`. */
export const Report = Type.Object(
  {
    ...SHARED_FIELDS,
    zones: Type.Array(Zone),
    images: Images,
    capture_id: CaptureId,
    recorded_at: timestampOf("When the report was made"),
    interval_95: Interval("95 %, of the whole project: what was never seen counts from 0 to 100"),
    seen_percent: SeenPercent,
    seen_interval_95: Interval("95 %, of progress_percentage; null: nothing was seen"),
    status_confidence: Type.Enum(["high", "low"], {
      description: "low: interval_95 crosses a bound of the status",
    }),
    schedule: Type.Object({
      planned: PLAN_FIELDS.planned,
      planned_all: Percent("by the plan, of the whole project on the capture date"),
      variance: PLAN_FIELDS.variance,
      basis: Basis,
      tolerance_points: Type.Number({ description: "Points that still count as on schedule" }),
      revision: orNull(Type.Integer({ description: "Of the imported schedule" })),
    }),
    earned_value: orNull(EarnedValue),
    weight_basis: Type.Enum(["declared", "cost", "work", "duration", "volume", "equal"]),
    revision: Type.Integer({ minimum: 1, description: "Corrections count on from 1" }),
    supersedes: orNull(ReportId),
    correction: orNull(Type.Object({ by: Type.String(), note: Type.String() })),
    warnings: Type.Array(Type.String()),
    pictures: Type.Array(
      Type.Object({ title: Type.String(), url: Address("Picture with the outlines of the zones") }),
    ),
    report_url: Address("The report as one HTML page to read and to print"),
  },
  { title: "ProgressReport" },
);
export type Report = Static<typeof Report>;

export const ReportPath = Type.Object({ report_id: ReportId });

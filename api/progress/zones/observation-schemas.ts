import { type Static, Type } from "typebox";
import { CaptureId, ObservationId, ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import { listOf } from "../../schemas/page.ts";
import { timestampOf } from "../../schemas/timestamp.ts";

const Percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `Percent${description}` });
const Person = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
const Interval = Type.Array(Percent(": at least, and at most"), {
  title: "PercentInterval",
  minItems: 2,
  maxItems: 2,
});

/** Body of POST /progress/zones/{id}/observations. */
export const NewObservation = Type.Object(
  {
    progress: Type.Optional(
      Percent("; 100 confirms the zone complete. Required unless stage is given"),
    ),
    stage: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "Of a zone of the metric stages: the one it is in; progress is then its credit",
      }),
    ),
    interval_95: Type.Optional(Interval),
    observed_at: Type.Optional(
      timestampOf(
        "Time of the observation; not in the future. Absent: when the capture was taken, else now",
      ),
    ),
    observed_by: Type.Optional(Person("The observer; absent: the name of the API key")),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
    image_url: Type.Optional(
      Type.String({
        description:
          "A photograph of it, JPEG, PNG or WebP: an address that POST /progress/images gave",
      }),
    ),
    capture_id: Type.Optional(
      Type.Unsafe<CaptureId>({
        ...CaptureId,
        description:
          "The capture that the person assessed: its views of the zone become labels of the models",
      }),
    ),
  },
  { title: "NewObservation" },
);
export type NewObservation = Static<typeof NewObservation>;

/** What a person said of a work zone. */
export const Observation = Type.Object(
  {
    id: ObservationId,
    zone_id: WorkZoneId,
    project_id: ProjectId,
    progress: Percent(""),
    interval_95: Type.Optional(Interval),
    observed_at: timestampOf("When it was so"),
    observed_by: Person("Who says so"),
    note: Type.String(),
    image_url: Type.Optional(
      Type.String({
        format: "uri",
        description:
          "The photograph, which opens without a header for six days at least; with `&w=160`, 320, 640 or 1280 as a WebP that wide. Absent: none",
      }),
    ),
    source: Type.Enum(["observation", "correction"], {
      description: "correction: made by correcting a report",
    }),
    recorded_at: timestampOf("When it was recorded"),
  },
  { title: "Observation" },
);
export type Observation = Static<typeof Observation>;

export const ObservationWithLabels = Type.Object(
  {
    ...Observation.properties,
    labels: Type.Integer({
      description: "Views of the zone that became labels of its models; 0 without a capture",
    }),
  },
  { title: "ObservationWithLabels" },
);

export const ObservationList = listOf("ObservationList", Observation);

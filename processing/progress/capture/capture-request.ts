import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { DomainError } from "../../../domain/errors.ts";
import { CaptureId } from "../../../domain/ids.ts";
import { type Capture, MOST_CAPTURE_IMAGES } from "../../../domain/sites/capture.ts";
import type { NewJob } from "../../../storage/ports/platform/jobs.ts";
import { unitsOfProfile } from "../../survey/survey-fields.ts";

/** Kind of job that `createCaptureJob` works on. */
export const CAPTURE_JOB = "capture";

/** Input of a job of the kind `capture`, as JSON. */
export const CaptureRequest = Type.Object({
  captureId: CaptureId,
  /** URLs, signed addresses of uploaded images, data URLs. */
  images: Type.Array(Type.String(), { minItems: 1, maxItems: MOST_CAPTURE_IMAGES }),
  /** As the capture's. */
  purpose: Type.Optional(Type.Literal("survey")),
});
type CaptureRequest = Static<typeof CaptureRequest>;

const check = Compile(CaptureRequest);

/** @throws DomainError `PARAMETER_INVALID` naming what is wrong first. */
export function readCaptureRequest(input: unknown): CaptureRequest {
  if (check.Check(input)) return input;
  const [first] = check.Errors(input);
  const where = first?.instancePath ?? "";
  throw new DomainError(
    "PARAMETER_INVALID",
    `the capture's input is not valid: ${where} ${first?.message ?? ""}`.trim(),
  );
}

/**
 * Attempts at a capture: a store that is away, or a process that is killed, twice. More keep the lane of the
 * project busy with a job that kills its process each time.
 */
const MAX_ATTEMPTS = 3;

/**
 * Work of one image, in photographs of a flight: 36 of them take up to 90 s on two cores, one of a fixed
 * camera 0.15 to 0.2 s on one (docs/progress-method.md#fixed-cameras). Each capture has one unit beside: fetching, and its report.
 * So captures of all types use one average of seconds per unit.
 */
const UNITS_PER_IMAGE = { drone: 1, cctv: 0.1, manual: 0.1 };

/**
 * The work on a capture as a job for `JobRecords.add`; its id is the capture's `job_id`. Captures of one
 * project are worked on one at a time, in the order they came: each flight is brought onto the ones before
 * it, and a report includes what those found. `images` as the job fetches them.
 */
export function captureJob(
  {
    id,
    project_id,
    job_id,
    capture_type,
    flight_metadata,
    purpose,
  }: Pick<Capture, "id" | "project_id" | "job_id" | "capture_type" | "purpose"> &
    Partial<Pick<Capture, "flight_metadata">>,
  images: readonly string[],
): NewJob {
  const isFull = capture_type === "drone" && flight_metadata?.["profile"] === "full";
  const profile = isFull ? "full" : "quick";
  const input: CaptureRequest = {
    captureId: id,
    images: [...images],
    ...(purpose === undefined ? {} : { purpose }),
  };
  return {
    id: job_id,
    kind: CAPTURE_JOB,
    projectId: project_id,
    input,
    dedupeKey: undefined,
    lane: `progress:${project_id}`,
    joinCompletedMs: 0,
    priority: 0,
    maxAttempts: MAX_ATTEMPTS,
    workUnits: 1 + images.length * UNITS_PER_IMAGE[capture_type] * unitsOfProfile(profile),
  };
}

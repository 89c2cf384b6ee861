import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { DomainError } from "../../domain/errors.ts";
import { HEIGHT_UNITS } from "../../domain/geometry/vertical-datum.ts";
import { newId, StockpileId } from "../../domain/ids.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { NewJob } from "../../storage/ports/platform/jobs.ts";
import { ControlPoints, IsControlSubset, ScaleBars } from "../survey/control-schema.ts";
import { EXPORT_FIELDS } from "../survey/export-fields.ts";
import { SURVEY_FIELDS, unitsOfProfile } from "../survey/survey-fields.ts";

/** Kind of job that `createMeasureJob` works on. */
export const MEASURE_JOB = "measure";

/** Images of one measurement at most (docs/rules.md#keys-and-requests). */
export const MOST_MEASURE_IMAGES = 300;

/** Input of a job of the kind `measure`, as JSON. */
export const MeasureRequest = Type.Object({
  stockpileId: StockpileId,
  /** URLs, signed addresses of uploaded images, data URLs; or one GeoTIFF of heights. */
  images: Type.Array(Type.String(), { minItems: 1, maxItems: MOST_MEASURE_IMAGES }),
  /** When it was requested, ms since the Unix epoch: used as the time of capture where none is known. */
  requestedAtMs: Type.Integer({ minimum: 0 }),
  /** When it was flown, ms since the Unix epoch; absent: by the images, else when it was requested. */
  flownAtMs: Type.Optional(Type.Integer({ minimum: 0 })),
  controlPoints: ControlPoints,
  scaleBars: ScaleBars,
  isControlSubset: IsControlSubset,
  /** In what a given surface counts heights; absent: as it says, else metres. */
  heightUnit: Type.Optional(Type.Enum([...HEIGHT_UNITS])),
  ...SURVEY_FIELDS,
  ...EXPORT_FIELDS,
});
export type MeasureRequest = Static<typeof MeasureRequest>;

const check = Compile(MeasureRequest);

/** @throws DomainError `PARAMETER_INVALID` naming what is wrong first. */
export function readMeasureRequest(input: unknown): MeasureRequest {
  if (check.Check(input)) return input;
  const [first] = check.Errors(input);
  const where = first?.instancePath ?? "";
  throw new DomainError(
    "PARAMETER_INVALID",
    `the measurement's input is not valid: ${where} ${first?.message ?? ""}`.trim(),
  );
}

/** The same request is answered by the same measurement for so long, ms (docs/rules.md#keys-and-requests). */
const JOIN_COMPLETED_MS = DAY_MS;
/** Somebody waits for a measurement; surveys of captures (0) do not hurry. */
const PRIORITY = 10;
/**
 * Attempts at a job: outlasts a store that is away, or a process that is killed, twice; more repeat what fails
 * every time.
 */
const MAX_ATTEMPTS = 3;

/**
 * A measurement as a job for `JobRecords.add`. Asking again for the same images of a stockpile whose
 * footprint and base are the same joins it.
 */
export function measureJob(
  stockpile: Pick<Stockpile, "id" | "project_id" | "footprint" | "footprint_state" | "base">,
  request: Pick<MeasureRequest, "images" | "requestedAtMs"> & Partial<MeasureRequest>,
): NewJob {
  const { images, requestedAtMs, controlPoints = [], scaleBars = [], ...asked } = request;
  const { id, project_id, footprint, footprint_state: state, base } = stockpile;
  // A proposed footprint is a result of these images, no other question.
  const outline = state === "confirmed" ? footprint : undefined;
  const input: MeasureRequest = {
    stockpileId: id,
    images,
    requestedAtMs,
    controlPoints,
    scaleBars,
    ...asked,
  };
  const facts = [id, outline ?? null, base, images, controlPoints, scaleBars];
  return {
    id: newId("job"),
    kind: MEASURE_JOB,
    projectId: project_id,
    input,
    dedupeKey: keyOf(Object.keys(asked).length === 0 ? facts : [...facts, asked]),
    // An epoch is brought onto the one before it.
    lane: `stockpile:${id}`,
    joinCompletedMs: JOIN_COMPLETED_MS,
    priority: PRIORITY,
    maxAttempts: MAX_ATTEMPTS,
    workUnits: images.length * unitsOfProfile(asked.profile),
  };
}

function keyOf(facts: readonly unknown[]): string {
  return `${MEASURE_JOB}:${createHash("sha256").update(JSON.stringify(facts)).digest("hex")}`;
}

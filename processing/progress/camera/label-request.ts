import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { DomainError } from "../../../domain/errors.ts";
import {
  CameraId,
  newId,
  type ObservationId,
  type ProjectId,
  WorkZoneId,
} from "../../../domain/ids.ts";
import type { NewJob } from "../../../storage/ports/platform/jobs.ts";

/** Kind of job that `createLabelJob` works on. */
export const LABEL_JOB = "label";

/** Input of a job of the kind `label`, as JSON. */
const LabelRequest = Type.Object({
  zoneId: WorkZoneId,
  /** Absent: a photograph without a fixed view. */
  cameraId: Type.Optional(CameraId),
  /** URL, signed address of an uploaded image, or data URL. */
  image: Type.String(),
  progress: Type.Number({ minimum: 0, maximum: 100 }),
  stage: Type.Optional(Type.String()),
  labelledBy: Type.String(),
  labelledAtMs: Type.Integer({ minimum: 0 }),
  /** Absent: the time in the image's EXIF, else when it was labelled. */
  takenAtMs: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type LabelRequest = Static<typeof LabelRequest>;

const check = Compile(LabelRequest);

/** @throws DomainError `PARAMETER_INVALID` naming what is wrong first. */
export function readLabelRequest(input: unknown): LabelRequest {
  if (check.Check(input)) return input;
  const [first] = check.Errors(input);
  const where = first?.instancePath ?? "";
  throw new DomainError(
    "PARAMETER_INVALID",
    `the label's input is not valid: ${where} ${first?.message ?? ""}`.trim(),
  );
}

/** The label that a text, such as a job's id, always makes. */
export const labelIdOf = (...parts: readonly string[]): ObservationId =>
  `obs_${createHash("sha256").update(parts.join(" ")).digest("base64url").slice(0, 22)}` as ObservationId;

/** Somebody waits for it, as for a measurement. */
const PRIORITY = 10;
const MAX_ATTEMPTS = 3;

/** A label as a job for `JobRecords.add`: the same label, sent again while it runs, joins it. */
export function labelJob(
  projectId: ProjectId,
  request: LabelRequest,
  /** Text that is the same whenever the image is. */
  identity: string,
): NewJob {
  const { zoneId, cameraId = null, progress, stage = null, labelledBy, takenAtMs = null } = request;
  const facts = [zoneId, cameraId, identity, progress, stage, labelledBy, takenAtMs];
  const hash = createHash("sha256").update(JSON.stringify(facts)).digest("hex");
  return {
    id: newId("job"),
    kind: LABEL_JOB,
    projectId,
    input: request,
    dedupeKey: `${LABEL_JOB}:${hash}`,
    lane: undefined,
    joinCompletedMs: 0,
    priority: PRIORITY,
    maxAttempts: MAX_ATTEMPTS,
    workUnits: 1,
  };
}

import { createHash } from "node:crypto";
import type { JobId, MeasurementId } from "../../domain/ids.ts";

/** The measurement that a job makes, however often it is begun. */
export const measurementIdOf = (jobId: JobId): MeasurementId =>
  `msr_${createHash("sha256").update(jobId).digest("base64url").slice(0, 22)}` as MeasurementId;

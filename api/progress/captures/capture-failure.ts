import type { JobOutline } from "../../../storage/ports/platform/jobs.ts";
import { gateDetailOf } from "../../surveys/gate-detail.ts";
import type { ListedCapture } from "./capture-schemas.ts";

type Failure = NonNullable<ListedCapture["error"]>;

/** Code that a canceled capture is stored with; no `ErrorCode`: nothing went wrong. */
const CANCELED = "canceled";
/** What is stored of a capture that somebody cancels. */
export const CANCELLATION = { code: CANCELED, message: "The capture was canceled" } as const;

/** Failures that lie in what the client sent, or in the room for it, by their `ErrorCode`. */
const WIRE_CODES: Readonly<Record<string, Failure["code"]>> = {
  [CANCELED]: CANCELED,
  DISK_FULL: "insufficient_storage",
  FILE_TOO_LARGE: "payload_too_large",
  IMAGES_UNUSABLE: "unusable_images",
  IMAGE_REFUSED: "unusable_images",
  PARAMETER_INVALID: "invalid_parameter",
  QUOTA_EXCEEDED: "quota_exceeded",
  SURFACE_INVALID: "unusable_images",
};

/** Why a capture failed, as a client reads it; `job` where there still is one: it knows the gate. */
export function captureFailure(
  { code, message }: { readonly code: string; readonly message: string },
  job: JobOutline | undefined,
): Failure {
  const wireCode = WIRE_CODES[code] ?? "internal_error";
  const text = wireCode === "internal_error" ? `The analysis failed: ${message}` : message;
  const gate = wireCode === CANCELED ? undefined : gateDetailOf(job?.error?.details);
  return { code: wireCode, message: text, ...(gate === undefined ? {} : { details: [gate] }) };
}

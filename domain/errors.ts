/**
 * Stable machine-readable codes, `NOUN_PROBLEM`. They never reach a client: the wire code and HTTP
 * status of each are chosen in one place, `api/errors/error-handler.ts`.
 */
export type ErrorCode =
  | "ALERT_NOT_FOUND"
  | "ASSET_NOT_FOUND"
  | "BACKUP_INVALID"
  | "BACKUP_REFUSED"
  | "CAMERA_NOT_FOUND"
  | "CAPTURE_FINISHED"
  | "CAPTURE_NOT_FOUND"
  | "COMMAND_NOT_FOUND"
  | "COMMAND_SENT"
  | "DECODE_FAILED"
  | "DELIVERY_NOT_FOUND"
  | "DISK_FULL"
  | "ENGINE_FAILED"
  | "FILE_TOO_LARGE"
  | "FORWARDER_NOT_FOUND"
  | "GEOFENCE_NOT_FOUND"
  | "IDEMPOTENCY_KEY_REUSED"
  | "ID_CONFLICT"
  | "IMAGES_UNUSABLE"
  | "IMAGE_REFUSED"
  | "JOB_FINISHED"
  | "JOB_NOT_FOUND"
  | "JOURNAL_CORRUPT"
  | "JOURNAL_FULL"
  | "KEY_NOT_FOUND"
  | "LEASE_LOST"
  | "LIMIT_REACHED"
  | "MAPPING_INVALID"
  | "MAPPING_IN_USE"
  | "MAPPING_NOT_FOUND"
  | "MEASUREMENT_NOT_FOUND"
  | "MIGRATION_FAILED"
  | "MUTE_NOT_FOUND"
  | "OBSERVATION_NOT_FOUND"
  | "PARAMETER_INVALID"
  | "PLAN_NOT_FOUND"
  | "PROJECT_IN_USE"
  | "PROJECT_NOT_FOUND"
  | "QUARANTINE_NOT_FOUND"
  | "QUOTA_EXCEEDED"
  | "REPORT_CORRECTED"
  | "REPORT_NOT_FOUND"
  | "SCHEDULE_INVALID"
  | "SCHEDULE_NOT_FOUND"
  | "SCHEMA_TOO_NEW"
  | "SESSION_NOT_FOUND"
  | "SETTINGS_INVALID"
  | "SOURCE_NOT_FOUND"
  | "STOCKPILE_NOT_FOUND"
  | "STORE_DAMAGED"
  | "STORE_LOCKED"
  | "STORE_UNAVAILABLE"
  | "SURFACE_INVALID"
  | "SURVEY_IN_USE"
  | "SURVEY_NOT_FOUND"
  | "TASK_FAILED"
  | "WEBHOOK_NOT_FOUND"
  | "ZONE_NOT_FOUND";

/** A failure the caller can act on. Anything else that is thrown is a bug. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import { StorageShortage } from "../../domain/platform/storage-shortage.ts";
import { noteMethods } from "./allowed-methods.ts";
import { DetailedError } from "./detailed-error.ts";
import type { ErrorBody, ErrorDetail, WireCode } from "./error.ts";
import { Refusal } from "./refusal.ts";

interface Answer {
  readonly status: number;
  readonly code: WireCode;
}

const NOT_FOUND: Answer = { status: 404, code: "not_found" };
const CONFLICT: Answer = { status: 409, code: "conflict" };
const INTERNAL: Answer = { status: 500, code: "internal_error" };

/** The only place where a domain failure becomes an HTTP status and a wire code. */
const ANSWER_BY_CODE: Record<ErrorCode, Answer> = {
  ALERT_NOT_FOUND: NOT_FOUND,
  ASSET_NOT_FOUND: NOT_FOUND,
  BACKUP_INVALID: INTERNAL,
  BACKUP_REFUSED: CONFLICT,
  CAMERA_NOT_FOUND: NOT_FOUND,
  CAPTURE_FINISHED: CONFLICT,
  CAPTURE_NOT_FOUND: NOT_FOUND,
  COMMAND_NOT_FOUND: NOT_FOUND,
  COMMAND_SENT: CONFLICT,
  DECODE_FAILED: { status: 400, code: "invalid_request" },
  DELIVERY_NOT_FOUND: NOT_FOUND,
  DISK_FULL: { status: 507, code: "insufficient_storage" },
  ENGINE_FAILED: INTERNAL,
  FILE_TOO_LARGE: { status: 400, code: "payload_too_large" },
  FORWARDER_NOT_FOUND: NOT_FOUND,
  GEOFENCE_NOT_FOUND: NOT_FOUND,
  IDEMPOTENCY_KEY_REUSED: CONFLICT,
  ID_CONFLICT: { status: 409, code: "id_taken" },
  IMAGES_UNUSABLE: { status: 400, code: "unusable_images" },
  IMAGE_REFUSED: { status: 400, code: "unusable_images" },
  JOB_FINISHED: CONFLICT,
  JOB_NOT_FOUND: NOT_FOUND,
  JOURNAL_CORRUPT: INTERNAL,
  JOURNAL_FULL: INTERNAL,
  KEY_NOT_FOUND: NOT_FOUND,
  LEASE_LOST: INTERNAL,
  LIMIT_REACHED: CONFLICT,
  MAPPING_INVALID: { status: 400, code: "invalid_request" },
  MAPPING_IN_USE: CONFLICT,
  MAPPING_NOT_FOUND: NOT_FOUND,
  MEASUREMENT_NOT_FOUND: NOT_FOUND,
  MIGRATION_FAILED: INTERNAL,
  MUTE_NOT_FOUND: NOT_FOUND,
  OBSERVATION_NOT_FOUND: NOT_FOUND,
  PARAMETER_INVALID: { status: 400, code: "invalid_parameter" },
  PLAN_NOT_FOUND: NOT_FOUND,
  PROJECT_IN_USE: CONFLICT,
  PROJECT_NOT_FOUND: NOT_FOUND,
  QUARANTINE_NOT_FOUND: NOT_FOUND,
  QUOTA_EXCEEDED: { status: 507, code: "quota_exceeded" },
  REPORT_CORRECTED: CONFLICT,
  REPORT_NOT_FOUND: NOT_FOUND,
  SCHEDULE_INVALID: { status: 400, code: "invalid_request" },
  SCHEDULE_NOT_FOUND: NOT_FOUND,
  SCHEMA_TOO_NEW: INTERNAL,
  SESSION_NOT_FOUND: NOT_FOUND,
  SETTINGS_INVALID: INTERNAL,
  SOURCE_NOT_FOUND: NOT_FOUND,
  STOCKPILE_NOT_FOUND: NOT_FOUND,
  STORE_DAMAGED: INTERNAL,
  STORE_LOCKED: INTERNAL,
  STORE_UNAVAILABLE: INTERNAL,
  SURFACE_INVALID: { status: 400, code: "invalid_request" },
  SURVEY_IN_USE: CONFLICT,
  SURVEY_NOT_FOUND: NOT_FOUND,
  TASK_FAILED: INTERNAL,
  WEBHOOK_NOT_FOUND: NOT_FOUND,
  ZONE_NOT_FOUND: NOT_FOUND,
};

/** What endpoints of the contract, which have its statuses only, answer instead of 409. */
const contractAnswer = ({ status, code }: Answer): Answer =>
  status !== 409
    ? { status, code }
    : { status: 400, code: code === "conflict" ? "invalid_request" : code };
/** A full disk is a store that cannot take anything now; a quota is a limit of the caller. */
const CONTRACT_SHORTAGES: Readonly<Record<StorageShortage["code"], Answer>> = {
  DISK_FULL: INTERNAL,
  QUOTA_EXCEEDED: { status: 429, code: "rate_limit_exceeded" },
};
/** When to try again, s: sooner asks for nothing, because somebody has to free space first. */
const SHORTAGE_RETRY_S = 60;

/** One text for all, so that an absent resource and another tenant's look the same. */
const NOT_FOUND_MESSAGE = "Not found";

/** Status and wire code of any failure, and what the client may read of it. */
function answerTo(
  error: FastifyError | Error,
  { routeOptions }: FastifyRequest,
): Answer & { readonly message: string } {
  if (error instanceof Refusal) {
    return { status: error.statusCode, code: error.code, message: error.message };
  }
  if (error instanceof DomainError) {
    const answer = ANSWER_BY_CODE[error.code];
    if (answer === NOT_FOUND) return { ...answer, message: NOT_FOUND_MESSAGE };
    if (answer === INTERNAL) return { ...answer, message: "Internal server error" };
    return { ...answer, message: error.message };
  }
  const code = "code" in error ? error.code : undefined;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return { status: 400, code: "payload_too_large", message: error.message };
  }
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    const [type = "application/json"] = routeOptions.schema?.consumes ?? [];
    return { status: 400, code: "invalid_request", message: `Content-Type must be ${type}` };
  }
  // A path segment longer than any id: nothing is there.
  if (code === "FST_ERR_MAX_PARAM_LENGTH") return { ...NOT_FOUND, message: NOT_FOUND_MESSAGE };
  const status = "statusCode" in error ? (error.statusCode ?? 500) : 500;
  if (status >= 400 && status < 500) {
    // 413, 415 and their kin are not among the contract's statuses.
    return { status: 400, code: "invalid_request", message: error.message };
  }
  return { ...INTERNAL, message: "Internal server error" };
}

export function errorBody(code: WireCode, message: string, requestId: string): ErrorBody {
  return { error: { code, message, request_id: requestId } };
}

/** Status and body of any failure of a request; what is a failure of ours is logged. */
export function failureOf(
  error: Error,
  request: FastifyRequest,
): { readonly status: number; readonly body: ErrorBody } {
  let { status, code, message } = answerTo(error, request);
  if (request.routeOptions.config?.contract === true) {
    ({ status, code } = contractAnswer({ status, code }));
    if (error instanceof StorageShortage) ({ status, code } = CONTRACT_SHORTAGES[error.code]);
  }
  // What is refused on purpose is not a failure of ours; shortages are counted where they are found.
  const isMeant = error instanceof Refusal || error instanceof StorageShortage;
  if (status >= 500 && !isMeant) {
    request.log.error({ err: error, request_id: request.id, url: request.url }, "request failed");
  }
  const body = errorBody(code, message, request.id);
  if (error instanceof DetailedError) body.error.details = [...error.details];
  if (error instanceof StorageShortage) body.error.details = [shortageDetail(error)];
  return { status, body };
}

/** What there was and what was needed, bytes, as far as it is known: a full disk of others does not say. */
function shortageDetail({ code, message, figures }: StorageShortage): ErrorDetail {
  const { neededBytes, leftBytes, usedBytes, limitBytes } = figures;
  return {
    parameter: code === "DISK_FULL" ? "disk" : "project_id",
    message,
    ...(neededBytes === undefined ? {} : { bytes_needed: neededBytes }),
    ...(leftBytes === undefined ? {} : { bytes_left: leftBytes }),
    ...(usedBytes === undefined ? {} : { bytes_used: usedBytes }),
    ...(limitBytes === undefined ? {} : { bytes_limit: limitBytes }),
  };
}

/** Answers any failure; also for requests that never reach a route. */
export function sendError(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, body } = failureOf(error, request);
  if (error instanceof StorageShortage) reply.header("retry-after", SHORTAGE_RETRY_S);
  // Answers to keys are private already; a failure of a public address must not be kept at all.
  if (reply.getHeader("cache-control") !== "private") reply.header("cache-control", "no-store");
  return reply.code(status).type("application/json; charset=utf-8").send(body);
}

/** A page that paths without a route are answered with, if a browser asks for one. */
export interface FallbackPage {
  takes(request: FastifyRequest): boolean;
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** Installs the one error handler and the one not-found handler. Before any route, whose methods it notes. */
export function handleErrors(app: FastifyInstance, page?: FallbackPage): void {
  const allowed = noteMethods(app);
  app.setErrorHandler(sendError);
  const answerNoRoute = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (page?.takes(request) === true) return page.send(request, reply);
    const [path = ""] = request.url.split("?", 1);
    const methods = allowed(path);
    if (methods.length === 0) {
      return sendError(new Refusal(404, "not_found", NOT_FOUND_MESSAGE), request, reply);
    }
    const list = methods.join(", ");
    reply.header("allow", list);
    const message = `${request.method} is not a method of this path, which has ${list}`;
    return sendError(new Refusal(405, "invalid_request", message), request, reply);
  };
  app.setNotFoundHandler(answerNoRoute);
  // Before its body is read, whose type or length would be refused in the name of a route that there is not.
  app.addHook("preParsing", (request, reply, _body, done) => {
    if (request.is404) answerNoRoute(request, reply);
    else done();
  });
}

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { sendError } from "../errors/error-handler.ts";
import { Refusal } from "../errors/refusal.ts";

const TOO_LARGE =
  "The body is larger than 1 MiB: name images by URL, or send them to POST /api/v1/progress/images and name the addresses in its answer";
const NOBODY_WORKS =
  "This service does not process images (WORKERS=0), and shares no database with one that does";

/** The error handler of a route whose body may hold images: a body that is too large is answered with what to do. */
export function sendImageError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const isTooLarge = "code" in error && error.code === "FST_ERR_CTP_BODY_TOO_LARGE";
  const answer = isTooLarge ? new Refusal(400, "payload_too_large", TOO_LARGE) : error;
  return sendError(answer, request, reply);
}

/** @throws Refusal with 500 where there is no process that works on jobs. */
export function requireWorkers({ isWorkedOn }: { readonly isWorkedOn: boolean }): void {
  if (!isWorkedOn) throw new Refusal(500, "internal_error", NOBODY_WORKS);
}

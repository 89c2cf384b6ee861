import { randomBytes } from "node:crypto";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Registry } from "prom-client";
import { MAX_HARDWARE_ID_LENGTH } from "../domain/equipment/asset.ts";
import { HOUR_MS } from "../domain/time.ts";
import { DEVICE_DECORATOR } from "./auth/device-login.ts";
import { type Guard, PRINCIPAL_DECORATOR } from "./auth/guard.ts";
import { type FallbackPage, handleErrors, sendError } from "./errors/error-handler.ts";
import { limitBodyTime } from "./http/body-time.ts";
import { refuseUnreadable } from "./http/client-errors.ts";
import { allowOrigins } from "./http/cors.ts";
import { drainBodies } from "./http/drain-body.ts";
import { answerExpectations } from "./http/expect-continue.ts";
import { measureRequests } from "./http/http-metrics.ts";
import { answerForNode } from "./http/http-protocol.ts";
import { readJsonBodies } from "./http/json-body.ts";
import { namePlugins } from "./http/plugin-names.ts";
import { secureAnswers, setSecurityHeaders } from "./http/security-headers.ts";
import { validateRequests } from "./validation/validation.ts";

/** Largest request body, bytes (docs/rules.md#keys-and-requests). */
const BODY_LIMIT = 1024 * 1024;
/**
 * Time to receive one whole request, ms: longer lets slow clients occupy sockets, shorter cuts off 1 MiB at
 * 0.3 Mbit/s.
 */
const REQUEST_TIMEOUT_MS = 30_000;
/** The same for images: 300 of 12 MB at 1 MB/s; shorter cuts off slower uplinks in the middle. */
const UPLOAD_TIMEOUT_MS = HOUR_MS;

export interface HttpAppOptions {
  readonly log: FastifyBaseLogger;
  readonly metrics: Registry;
  /** Who may ask. */
  readonly guard: Guard;
  /** Origins whose pages may call it from a browser; absent: none. */
  readonly corsOrigins?: readonly string[];
  /** What paths without a route are answered with, if a browser asks for a page; absent: nothing. */
  readonly page?: FallbackPage | undefined;
}

/**
 * An app without routes, whose answers and limits are those of every HTTP port of the service: nothing that a
 * client sends holds a connection or the processor for long. Every answer has our form, a request id and
 * security headers, also where Node or Fastify would answer by themselves.
 */
export function createHttpApp({
  log,
  metrics,
  guard,
  corsOrigins = [],
  page,
}: HttpAppOptions): FastifyInstance {
  const nextRequestId = createRequestIds();
  const refuse = refuseUnreadable(guard, nextRequestId);
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    // A child logger per request costs more than the guard; log lines name their request themselves.
    childLoggerFactory: (logger) => logger,
    // One debug line per request instead (http-metrics): an info line costs as much as the answer.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextRequestId,
    bodyLimit: BODY_LIMIT,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    // 503 is not among the contract's statuses; a request that came in before the end is answered.
    return503OnClosing: false,
    clientErrorHandler: refuse,
    http: { requireHostHeader: false, headersTimeout: REQUEST_TIMEOUT_MS },
    // Fastify's own limit of 100 characters is below that of hardware ids, which paths of ISO 15143-3 name.
    routerOptions: { maxParamLength: MAX_HARDWARE_ID_LENGTH },
    // A path that cannot be decoded reaches no route and no hook.
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(request, reply);
      guard.check(request, reply, (refusal) => {
        void sendError(refusal ?? error, request, reply);
      });
    },
  });

  namePlugins(app);
  app.decorateRequest(PRINCIPAL_DECORATOR, null);
  app.decorateRequest(DEVICE_DECORATOR, null);
  // Before the guard, whose refusals are answers too, and may leave a body unread.
  secureAnswers(app);
  drainBodies(app);
  allowOrigins(app, corsOrigins);
  app.addHook("onRequest", (request, reply, done) => guard.check(request, reply, done));
  answerExpectations(app);
  answerForNode(app, (socket) => refuse({}, socket));
  limitBodyTime(app, REQUEST_TIMEOUT_MS, refuse);
  measureRequests(app, metrics);
  handleErrors(app, page);
  readJsonBodies(app);
  validateRequests(app);
  return app;
}

/** Ids such as `req_k3Jd0aXw-1z`: unique across restarts without a random number per request. */
function createRequestIds(): () => string {
  const run = randomBytes(6).toString("base64url");
  let count = 0;
  return () => {
    count += 1;
    return `req_${run}-${count.toString(36)}`;
  };
}

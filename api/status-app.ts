import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { HttpIngest } from "../ingest/http/http-ingest.ts";
import ingestRoutes from "./ingest/ingest.ts";
import health, { type HealthOptions } from "./platform/health.ts";
import { drainBodies } from "./plugins/drain-body.ts";
import { handleErrors } from "./plugins/errors.ts";
import { measureRequests } from "./plugins/http-metrics.ts";
import { secureAnswers } from "./plugins/security-headers.ts";
import { validateRequests } from "./plugins/validation.ts";
import { ErrorBody } from "./schemas/error.ts";

/** Time to receive one whole request, ms: as for the API, whose largest body but images is as large. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Health and metrics of a process that serves no API, and readings by HTTP where it has a journal; closing it
 * closes nothing else.
 */
export async function buildStatusApp(
  options: HealthOptions & {
    readonly log: FastifyBaseLogger;
    /** Absent: the process takes no readings. */
    readonly ingest?: HttpIngest | undefined;
  },
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: REQUEST_TIMEOUT_MS,
  });
  secureAnswers(app);
  measureRequests(app, options.metrics);
  await app.register(health, options);
  if (options.ingest !== undefined) {
    drainBodies(app);
    app.addSchema(ErrorBody);
    handleErrors(app);
    validateRequests(app);
    await app.register(ingestRoutes, { ingest: options.ingest, prefix: "/api/v1/ingest" });
  }
  await app.ready();
  return app;
}

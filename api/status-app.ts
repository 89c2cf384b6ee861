import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { HttpIngest } from "../ingest/http/http-ingest.ts";
import { NO_GUARD } from "./auth/guard.ts";
import { ErrorBody } from "./errors/error.ts";
import { createHttpApp } from "./http-app.ts";
import ingestRoutes from "./ingest/routes.ts";
import health, { type HealthOptions } from "./platform/health.ts";

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
  const { log, metrics } = options;
  const app = createHttpApp({ log, metrics, guard: NO_GUARD });
  app.addSchema(ErrorBody);
  await app.register(health, options);
  if (options.ingest !== undefined) {
    await app.register(ingestRoutes, { ingest: options.ingest, prefix: "/api/v1/ingest" });
  }
  await app.ready();
  return app;
}

import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import health, { type HealthOptions } from "./platform/health.ts";
import { measureRequests } from "./plugins/http-metrics.ts";
import { secureAnswers } from "./plugins/security-headers.ts";

/** Health and metrics of a process that serves no API; closing it closes nothing else. */
export async function buildStatusApp(
  options: HealthOptions & { readonly log: FastifyBaseLogger },
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
  });
  secureAnswers(app);
  measureRequests(app, options.metrics);
  await app.register(health, options);
  await app.ready();
  return app;
}

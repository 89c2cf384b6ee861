import type { FastifyInstance } from "fastify";
import { Histogram, type Registry } from "prom-client";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The answer lasts as long as the client stays; no duration of a request. */
    stream?: boolean;
  }
}

/** Upper bounds, s; a list takes under a millisecond, 72 h of history about ten. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Durations of HTTP requests by method, route pattern and status, and a debug line for each. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: "plumbline_http_request_duration_seconds",
    help: "From the first byte of a request to the last byte of its answer.",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS_S,
    registers: [registry],
  });
  const verbose = app.log.level === "debug" || app.log.level === "trace";
  app.addHook("onResponse", (request, reply, done) => {
    const seconds = reply.elapsedTime / 1000;
    const { url, config } = request.routeOptions;
    // Unknown paths share one label: clients choose them, and every label costs memory for ever.
    const labels = { method: request.method, route: url ?? "unknown", status: reply.statusCode };
    if (config?.stream !== true || reply.statusCode >= 300) durations.observe(labels, seconds);
    if (verbose) {
      const { method, id } = request;
      const { statusCode } = reply;
      request.log.debug(
        { method, url: request.url, statusCode, seconds, request_id: id },
        "request",
      );
    }
    done();
  });
}

import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Registry } from "prom-client";
import { Type } from "typebox";

export interface HealthOptions {
  readonly health: () => readonly string[];
  readonly metrics: Registry;
}

const Live = Type.Object({ status: Type.Enum(["ok"]) }, { title: "Liveness" });
const Readiness = Type.Object(
  {
    status: Type.Enum(["ready", "not_ready"]),
    reasons: Type.Array(Type.String(), { description: "Why the service is not ready" }),
  },
  { title: "Readiness" },
);

/** How soon a probe may ask again, s. Chosen. */
const RETRY_AFTER_S = 5;

/**
 * For orchestrators and Prometheus: no key, no count against any limit. Put a proxy in front where
 * figures about the fleet's size must not be read by everybody who reaches the port.
 */
const health: FastifyPluginAsyncTypebox<HealthOptions> = async (app, options) => {
  app.get(
    "/health/live",
    {
      config: { access: "public" },
      schema: {
        operationId: "getLiveness",
        tags: ["operations"],
        summary: "The process answers",
        security: [],
        response: { 200: Live },
      },
    },
    async () => ({ status: "ok" as const }),
  );

  app.get(
    "/health/ready",
    {
      config: { access: "public" },
      schema: {
        operationId: "getReadiness",
        tags: ["operations"],
        summary: "The service takes and stores messages; 503 says why not",
        security: [],
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      const reasons = [...options.health()];
      if (reasons.length === 0) return { status: "ready" as const, reasons };
      return reply
        .code(503)
        .header("retry-after", RETRY_AFTER_S)
        .send({ status: "not_ready" as const, reasons });
    },
  );

  app.get(
    "/metrics",
    {
      config: { access: "public" },
      schema: {
        operationId: "getMetrics",
        tags: ["operations"],
        summary: "Counters and timings for Prometheus",
        security: [],
        response: {
          200: {
            description: "Prometheus text format",
            content: { "text/plain": { schema: Type.String() } },
          },
        },
      },
    },
    async (_request, reply) =>
      reply.type(options.metrics.contentType).send(await options.metrics.metrics()),
  );
};

export default health;

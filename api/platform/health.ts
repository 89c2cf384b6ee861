import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Registry } from "prom-client";
import { type Static, Type } from "typebox";
import type { Damage } from "../../storage/check/damage-log.ts";

export interface HealthOptions {
  readonly health: () => readonly string[];
  /** Files that are damaged. */
  readonly damage: () => readonly Damage[];
  /** Absent: there is nothing beside `health`. */
  readonly warnings?: () => readonly string[];
  readonly metrics: Registry;
}

const Live = Type.Object({ status: Type.Enum(["ok"]) }, { title: "Liveness" });
export const Readiness = Type.Object(
  {
    status: Type.Enum(["ready", "not_ready"]),
    reasons: Type.Array(Type.String(), { description: "Why the service is not ready" }),
    damage: Type.Optional(
      Type.Array(
        Type.Object({
          store: Type.Enum(["journal", "records", "telemetry"]),
          file: Type.String({ description: "Path below DATA_DIR" }),
          problem: Type.String(),
          since: Type.String({ format: "date-time", description: "When it was found" }),
          refuses_answers: Type.Boolean({
            description: "Requests fail because of it; otherwise the service works around it",
          }),
          command: Type.String({
            description: "What to run on the server, with the service stopped",
          }),
        }),
        { description: "Damaged files of the data folder that are not repaired yet" },
      ),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "What needs attention although it stops nothing yet, such as a certificate that expires",
      }),
    ),
  },
  { title: "Readiness" },
);

/** How soon a probe may ask again, s: later delays the traffic that comes back, sooner is load on a start. */
const RETRY_AFTER_S = 5;

/** The path of the data folder is not shown outside. */
const COMMAND = "plumbline check --data-dir DATA_DIR --repair";

function shown({ store, file, problem, sinceMs, refusesAnswers }: Damage) {
  const since = new Date(sinceMs).toISOString();
  return { store, file, problem, since, refuses_answers: refusesAnswers, command: COMMAND };
}

function reasonOf({ store, file, problem, sinceMs }: Damage): string {
  return `${store}: ${file} is damaged since ${new Date(sinceMs).toISOString()} (${problem}); run ${COMMAND}`;
}

/** Whether the service takes, stores and answers, and what needs attention. Answers from memory. */
export function readinessOf(
  options: Pick<HealthOptions, "health" | "damage" | "warnings">,
): Static<typeof Readiness> {
  const found = options.damage();
  const damage = found.length === 0 ? {} : { damage: found.map(shown) };
  const attention = [...(options.warnings?.() ?? [])];
  const warnings = attention.length === 0 ? {} : { warnings: attention };
  const reasons = [...options.health(), ...found.filter((one) => one.refusesAnswers).map(reasonOf)];
  const status = reasons.length === 0 ? "ready" : "not_ready";
  return { status, reasons, ...warnings, ...damage };
}

/**
 * For orchestrators and Prometheus: no key, no count against any limit. Put a proxy in front where not
 * everybody who reaches the port may read figures about the fleet's size.
 */
const health: FastifyPluginAsyncTypebox<HealthOptions> = async (app, options) => {
  app.addHook("onRequest", (_request, reply, done) => {
    reply.header("cache-control", "no-store");
    done();
  });

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
        summary:
          "The service takes, stores and answers; 503 says why not, `damage` what is damaged",
        security: [],
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      const readiness = readinessOf(options);
      if (readiness.status === "ready") return readiness;
      return reply.code(503).header("retry-after", RETRY_AFTER_S).send(readiness);
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

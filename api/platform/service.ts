import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Registry } from "prom-client";
import { type Static, Type } from "typebox";
import { isoTime } from "../../domain/iso-time.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import type { ApiDependencies } from "../dependencies/dependencies.ts";
import { FAILURES } from "../errors/error.ts";
import { orNull } from "../schemas/or-null.ts";
import { Timestamp, timestampOf } from "../schemas/timestamp.ts";
import { Readiness, readinessOf } from "./health.ts";

const Count = orNull(Type.Integer({ minimum: 0 }));
const Bytes = orNull(Type.Number({ minimum: 0 }));

const Service = Type.Object(
  {
    as_of: Timestamp,
    readiness: Readiness,
    version: orNull(Type.String()),
    node_version: Type.String(),
    started_at: timestampOf("Start of this process"),
    memory_bytes: Type.Number({ description: "Resident memory of this process" }),
    journal: Type.Object({
      bytes: Bytes,
      free_bytes: Bytes,
      unprocessed_records: Count,
      unstored_records: Count,
    }),
    jobs: Type.Object({ queued: Count, running: Count }),
    disk: Type.Object({ free_bytes: Bytes, kept_bytes: Bytes }),
    backup: Type.Object({ offered: Type.Boolean(), last_at: orNull(Timestamp) }),
  },
  {
    title: "ServiceState",
    description:
      "null: this process does not know. unprocessed_records wait for live state and events, unstored_records for the telemetry store; below kept_bytes of free disk uploads and backups are refused; last_at is the last whole download from this process",
  },
);

export interface ServiceOptions
  extends Pick<ApiDependencies, "health" | "damage" | "warnings" | "disk" | "backups" | "console"> {
  readonly records: Pick<RecordStore, "jobs">;
  readonly metrics: Registry;
  readonly now: () => number;
  /** When the last backup was read to its end, ms since the Unix epoch; `undefined`: none was. */
  readonly lastBackupMs: () => number | undefined;
}

/** How the service is, for people; mounted at `/api/v1`. */
const service: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, options) => {
  const { records, metrics, disk, now } = options;
  const startedAt = isoTime(now() - 1_000 * process.uptime());

  app.get(
    "/service",
    {
      config: { access: "admin" },
      schema: {
        operationId: "getService",
        tags: ["operations"],
        summary: "Whether the service is ready, its backlog, queue, disk, version and backup",
        response: { 200: Service, ...FAILURES },
      },
    },
    async (_request, reply): Promise<Static<typeof Service>> => {
      reply.header("cache-control", "no-store");
      const lastBackupMs = options.lastBackupMs();
      const space = disk?.stats();
      return {
        as_of: isoTime(now()),
        readiness: readinessOf(options),
        version: options.console?.version ?? null,
        node_version: process.versions.node,
        started_at: startedAt,
        memory_bytes: process.memoryUsage.rss(),
        journal: {
          bytes: await gauge(metrics, "plumbline_journal_bytes"),
          free_bytes: await gauge(metrics, "plumbline_journal_free_bytes"),
          unprocessed_records: await gauge(metrics, LAG, "pipeline"),
          unstored_records: await gauge(metrics, LAG, "telemetry"),
        },
        jobs: await jobCounts(records.jobs),
        disk: { free_bytes: space?.freeBytes ?? null, kept_bytes: space?.keptBytes ?? null },
        backup: {
          offered: options.backups !== undefined,
          last_at: lastBackupMs === undefined ? null : isoTime(lastBackupMs),
        },
      };
    },
  );
};

export default service;

const LAG = "plumbline_journal_lag_records";

/** The value of a gauge of this process, `null` where it has none: the journal is in another one. */
async function gauge(metrics: Registry, name: string, reader?: string): Promise<number | null> {
  const found = await metrics.getSingleMetric(name)?.get();
  const one = found?.values.find(
    ({ labels }) => reader === undefined || labels["reader"] === reader,
  );
  return typeof one?.value === "number" ? one.value : null;
}

/** Jobs of all kinds; unknown where the store is away, which must not hide the rest. */
async function jobCounts(
  jobs: Pick<RecordStore["jobs"], "load">,
): Promise<{ readonly queued: number | null; readonly running: number | null }> {
  try {
    const load = await jobs.load();
    const sum = (of: "queued" | "running") => load.reduce((all, kind) => all + kind[of], 0);
    return { queued: sum("queued"), running: sum("running") };
  } catch {
    return { queued: null, running: null };
  }
}

import pg from "pg";
import { type InfluxServer, startInfluxServer } from "../../support/influx-server.ts";
import { raisePartitions } from "../../support/kafka/add-partitions.ts";
import { type KafkaBrokers, startKafka } from "../../support/kafka/kafka-brokers.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { type PostgresServer, startPostgresServer } from "../../support/postgres-server.ts";
import { until } from "../../support/until.ts";
import { type Machine, machinesOf } from "../cluster/fleet.ts";
import { provision } from "../cluster/provision.ts";
import { type Cluster, openCluster, type RoleProcess } from "../roles/cluster.ts";
import { PatientFleet } from "./patient-fleet.ts";

export const PARTITIONS = 12;
/** By the default of KAFKA_TOPIC_PREFIX. */
const TOPIC = "plumbline.records";
/** Fixes of a machine are 30 s apart, so 7,000 of them fit into this, ms. */
export const SPAN_MS = 60 * 3_600_000;

/** Servers of its own that may be killed, ingest processes on them, and registered machines. */
export interface KafkaSite {
  readonly kafka: KafkaBrokers;
  readonly postgres: PostgresServer;
  readonly influx: InfluxServer;
  readonly cluster: Cluster;
  readonly api: RoleProcess;
  readonly startMs: number;
  /** Starts an ingest process on an empty folder; `hooks`: a control replaces one of its modules. */
  startIngest(hooks?: string): Promise<RoleProcess>;
  /** Gives the topic so many partitions. */
  raisePartitions(partitions: number): Promise<void>;
  /** Machines that connect to any of these ports. */
  fleet(ports: () => readonly number[]): PatientFleet;
  /** Asks the record store; while it is away, until it is back. */
  query<T extends pg.QueryResultRow>(sql: string): Promise<readonly T[]>;
  close(): Promise<void>;
}

export async function openKafkaSite(size: {
  readonly machines: number;
  readonly projects: number;
  readonly rate: number;
  /** Of the topic at first. Default: {@link PARTITIONS}. */
  readonly partitions?: number;
}): Promise<KafkaSite> {
  const startMs = Date.now() - SPAN_MS;
  const machines: readonly Machine[] = machinesOf(size.machines, size.projects);
  const [kafka, postgres, influx] = await Promise.all([
    startKafka({ count: 3 }),
    startPostgresServer(),
    startInfluxServer(),
  ]);
  const cluster = await openCluster({ databaseUrl: postgres.url, influxUrl: influx.url });
  const api = await cluster.start("api");
  const access = await provision(api.api, machines, startMs);

  return {
    ...{ kafka, postgres, influx, cluster, api, startMs },
    startIngest(hooks) {
      const environment = {
        KAFKA_BROKERS: kafka.addresses.join(","),
        KAFKA_PARTITIONS: String(size.partitions ?? PARTITIONS),
      };
      if (hooks === undefined) return cluster.start("ingest", environment);
      const NODE_OPTIONS = `--import=${hooks}`;
      return cluster.start("ingest", { ...environment, NODE_OPTIONS }, "sources");
    },
    raisePartitions: (partitions) => raisePartitions(kafka.addresses, TOPIC, partitions),
    fleet: (ports) => new PatientFleet({ machines, access, startMs, rate: size.rate, ports }),
    async query<T extends pg.QueryResultRow>(sql: string) {
      const rows = await until(
        "the record store answers",
        async () => {
          const client = new pg.Client({ connectionString: postgres.url });
          client.on("error", () => undefined);
          try {
            await client.connect();
            return (await client.query<T>(sql)).rows;
          } finally {
            await client.end().catch(() => undefined);
          }
        },
        PATIENT_MS,
      );
      return rows;
    },
    async close() {
      await cluster.close();
      await Promise.all([kafka.close(), influx.close(), postgres.close()]);
    },
  };
}

/** Who works on the partitions now: names of processes with how many they have. */
export async function owners(site: KafkaSite): Promise<ReadonlyMap<string, number>> {
  const rows = await site.query<{ holder: string; count: string }>(
    "SELECT holder, count(*) FROM leases WHERE name LIKE 'partition/%' GROUP BY 1",
  );
  return new Map(rows.map(({ holder, count }) => [holder, Number(count)]));
}

/** Waits until so many processes share all partitions and go on committing. */
export async function evenlyShared(
  site: KafkaSite,
  processes: number,
  partitions: number = PARTITIONS,
): Promise<void> {
  await until(
    `${processes} processes share the partitions`,
    async () => {
      const shares = [...(await owners(site)).values()];
      const all = shares.reduce((sum, count) => sum + count, 0);
      return shares.length === processes && all === partitions;
    },
    PATIENT_MS,
  );
}

/** Waits until the acknowledged messages are so many more than now. */
export async function goesOn(fleet: PatientFleet, by: number): Promise<void> {
  const before = fleet.acknowledged;
  await until(`${by} more are acknowledged`, () => fleet.acknowledged >= before + by, PATIENT_MS);
}

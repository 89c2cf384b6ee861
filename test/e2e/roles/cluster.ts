import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { createPostgresDatabase, POSTGRES } from "../../support/databases.ts";
import { INFLUXDB, openInfluxServer } from "../../support/influx-server.ts";
import { type MqttDevice, openDevice } from "../../support/mqtt-device.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { S3, S3_REGION, type S3Server, startVersitygw } from "../../support/s3/versitygw.ts";
import {
  type Program,
  runServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from "../../support/service-process.ts";
import type { DeviceAccess } from "../../support/site.ts";
import { until } from "../../support/until.ts";

export const ADMIN_KEY = "roles-test-admin-key-of-thirty-eight-chars";
export const BUCKET = "plumbline";

/** What several processes need to share anything. */
export const SERVERS = {
  absent: POSTGRES.absent ?? S3.absent,
  required: POSTGRES.required && S3.required,
};

/** One process of a role, with a client that has the admin key. */
export interface RoleProcess {
  readonly service: ServiceProcess;
  readonly api: ApiClient;
}

/** The servers that processes of several roles share, and the processes that were started on them. */
export interface Cluster {
  /** Starts a process with a data folder of its own; `environment` goes over what all share. */
  start(
    role: string,
    environment?: Readonly<Record<string, string>>,
    program?: Program,
  ): Promise<RoleProcess>;
  /** Runs a process that cannot start; yields what it wrote. */
  fail(role: string, environment: Readonly<Record<string, string>>): Promise<string>;
  readonly databaseUrl: string;
  /** Every process has {@link BUCKET} on it. */
  readonly s3: S3Server;
  /** Settings of the bucket that processes share. */
  readonly bucket: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** Yields the address that processes are given instead of the database's own. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** An empty database, its caller's. Absent: a new one on the server of `DATABASE_URL`. */
  readonly databaseUrl?: string;
  /** An InfluxDB, its caller's. Absent: a new one, where there is one on the machine. */
  readonly influxUrl?: string;
}

/** Databases, and an S3 server on which the processes make their bucket. Nothing is migrated yet. */
export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { through = async (given: string) => given } = options;
  const database =
    options.databaseUrl === undefined
      ? await createPostgresDatabase()
      : { url: options.databaseUrl, drop: async () => undefined };
  const influx = options.influxUrl === undefined ? await ownInflux() : { url: options.influxUrl };
  const url = await through(database.url);
  const s3 = await startVersitygw();
  const bucket = {
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: s3.url,
    S3_REGION,
    S3_ACCESS_KEY_ID: s3.keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.keys.secretAccessKey,
    S3_PATH_STYLE: "true",
  };
  const dirs: string[] = [];
  const services: ServiceProcess[] = [];

  async function processOptions(
    role: string,
    environment: Readonly<Record<string, string>>,
    program?: Program,
  ): Promise<ServiceProcessOptions> {
    const dataDir = await mkdtemp(join(tmpdir(), `plumbline-${role}-`));
    dirs.push(dataDir);
    const shared = {
      ROLE: role,
      DATABASE_URL: url,
      SECRET_KEY: "pepper-that-all-processes-of-this-test-share",
      INFLUX_URL: influx?.url ?? "http://127.0.0.1:9",
      // A server of `INFLUX_TEST_URL` may have others' databases.
      INFLUX_DATABASE: new URL(database.url).pathname.slice(1),
      ...bucket,
    };
    return {
      dataDir,
      adminKey: ADMIN_KEY,
      environment: { ...shared, ...environment },
      ...(program === undefined ? {} : { program }),
    };
  }

  return {
    databaseUrl: database.url,
    s3,
    bucket,
    async start(role, environment = {}, program) {
      const service = await startServiceProcess(await processOptions(role, environment, program));
      services.push(service);
      return { service, api: createApiClient(service.http, ADMIN_KEY) };
    },
    async fail(role, environment) {
      const { output } = await runServiceProcess(await processOptions(role, environment));
      return output.join("\n");
    },
    async close() {
      for (const service of services) await service.end("SIGKILL");
      for (const dir of dirs) await rm(dir, { recursive: true, force: true });
      await s3.close();
      await influx?.close?.();
      await database.drop();
    },
  };
}

async function ownInflux(): Promise<{ readonly url: string; close?(): Promise<void> } | undefined> {
  return INFLUXDB.absent === undefined ? await openInfluxServer() : undefined;
}

/** Connects the device of an asset once an ingest process has learned of it. */
export function letIn({ service }: RoleProcess, access: DeviceAccess): Promise<MqttDevice> {
  return until(
    `${access.username} is let in`,
    async () => {
      const opened = await openDevice({ access, port: service.mqttPort });
      if (opened.returnCode === 0) return opened;
      // Ingest polls new assets every second, and bars an address that fails too often.
      await delay(500);
      return undefined;
    },
    PATIENT_MS,
  );
}

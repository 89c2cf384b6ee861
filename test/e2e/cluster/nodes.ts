import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { ProjectId } from "../../../domain/ids.ts";
import { shardOf } from "../../../ingest/cluster/shards.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import type { Gate } from "./gate.ts";

export const SHARDS = 64;

/** What both nodes share. */
export interface ClusterAccess {
  readonly databaseUrl: string;
  readonly mqttUrl: string;
  readonly adminKey: string;
}

/** Starts an ingest node that reaches PostgreSQL and InfluxDB through gates of its own. */
export function startNode(
  dataDir: string,
  { databaseUrl, mqttUrl, adminKey }: ClusterAccess,
  gates: { readonly database: Gate; readonly influx: Gate },
): Promise<ServiceProcess> {
  const database = new URL(databaseUrl);
  database.hostname = "127.0.0.1";
  database.port = String(gates.database.port);
  return startServiceProcess({
    dataDir,
    adminKey,
    environment: {
      DATABASE_URL: database.href,
      INFLUX_URL: `http://127.0.0.1:${gates.influx.port}`,
      MQTT_URL: mqttUrl,
      SHARDS: String(SHARDS),
      SECRET_KEY: "the same secret key in every process of it",
      LOG_LEVEL: "info",
    },
  });
}

/** Which of these projects the node has the lease of. */
export async function projectsOf(
  dataDir: string,
  projectIds: readonly string[],
  databaseUrl: string,
): Promise<readonly string[]> {
  const nodeId = (await readFile(join(dataDir, "node.id"), "utf8")).trim();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT name FROM leases WHERE holder = $1 AND expires_at > clock_timestamp()",
      [nodeId],
    );
    const names = new Set(rows.map(({ name }) => name));
    return projectIds.filter((id) => names.has(`shard/${shardOf(id as ProjectId, SHARDS)}`));
  } finally {
    await client.end();
  }
}

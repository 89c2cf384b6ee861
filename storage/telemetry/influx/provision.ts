import { DomainError } from "../../../domain/errors.ts";
import { callInflux } from "./http.ts";
import { runInfluxQl } from "./influxql.ts";
import { type ProvisionOptions, provisionBucket } from "./provision-bucket.ts";
import { type InfluxTarget, RETENTION_POLICY } from "./target.ts";

/**
 * Makes sure that there is a database (or bucket) which keeps telemetry for `retentionDays` and can be
 * read with InfluxQL; creates what is missing. Repeating it is harmless.
 * @throws DomainError `STORE_UNAVAILABLE` while InfluxDB is away; `SETTINGS_INVALID`, with what to run or to
 *   set, when the credentials do not allow it.
 */
export async function provisionInflux(
  target: InfluxTarget,
  options: ProvisionOptions,
): Promise<void> {
  if (target.dialect === "v1") return provisionDatabase(target, options);
  const { headers, json, status } = await callInflux(target, "/ping", options);
  if (status >= 500) {
    throw new DomainError("STORE_UNAVAILABLE", `InfluxDB answered ${status} to /ping`);
  }
  if (isVersion3(headers, json)) return provisionVersion3(target, options);
  return provisionBucket(target, options);
}

/**
 * Version 1: a database, and in it a retention policy of our own. A user who may only read and write
 * passes where both are there already.
 */
async function provisionDatabase(
  target: InfluxTarget,
  { retentionDays, timeoutMs }: ProvisionOptions,
): Promise<void> {
  const database = `"${target.database.replace(/["\\]/g, "\\$&")}"`;
  const run = (statement: string) =>
    runInfluxQl(target, statement, { method: "POST", timeoutMs }).catch((error: unknown) => {
      throw isRefusal(error) ? instruction(error, statement) : error;
    });
  const policies = await runInfluxQl(target, `SHOW RETENTION POLICIES ON ${database}`, {
    method: "POST",
    timeoutMs,
  }).catch((error: unknown) => {
    // Credentials that may not read may perhaps create; what that needs is reported below.
    if (isRefusal(error) || isMissing(error)) return undefined;
    throw error;
  });
  if (policies === undefined) await run(`CREATE DATABASE ${database}`);
  const known = policies?.[0]?.values.find(([name]) => name === RETENTION_POLICY);
  if (known?.[1] === (retentionDays === undefined ? "0s" : `${retentionDays * 24}h0m0s`)) return;
  // As the server chooses for a new policy; said, because a shorter one than before must be changed with it.
  const shards = retentionDays === undefined || retentionDays > 180 ? "7d" : "1d";
  const duration = retentionDays === undefined ? "INF" : `${retentionDays}d`;
  await run(
    `${known === undefined ? "CREATE" : "ALTER"} RETENTION POLICY "${RETENTION_POLICY}" ` +
      `ON ${database} DURATION ${duration} REPLICATION 1 SHARD DURATION ${shards}`,
  );
}

/** Version 3 makes a database at its first write; made here it gets its retention too. */
async function provisionVersion3(
  target: InfluxTarget,
  { retentionDays, timeoutMs }: ProvisionOptions,
): Promise<void> {
  const body = {
    db: target.database,
    ...(retentionDays === undefined ? {} : { retention_period: `${retentionDays}d` }),
  };
  const { status, text } = await callInflux(target, "/api/v3/configure/database", {
    method: "POST",
    body,
    timeoutMs,
  });
  // 409: it is there. 404 and 405: an edition whose databases are made elsewhere.
  if (status < 300 || status === 409 || status === 404 || status === 405) return;
  const error = new DomainError("STORE_UNAVAILABLE", `InfluxDB answered ${status}: ${text}`);
  if (status !== 401 && status !== 403) throw error;
  throw instruction(error, `influxdb3 create database ${target.database}`);
}

function isVersion3(headers: Headers, json: unknown): boolean {
  const version = headers.get("x-influxdb-version") ?? (json as { version?: unknown })?.version;
  return typeof version === "string" && /^v?3\./.test(version);
}

/** Version 1 answers 401 and 403 for what a user may not do. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError && /answered (401|403)\b/.test(error.message);

const isMissing = (error: unknown): boolean =>
  error instanceof DomainError && error.message.includes("database not found");

function instruction(cause: unknown, command: string): DomainError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new DomainError(
    "SETTINGS_INVALID",
    `${why}. Let an administrator of InfluxDB run: ${command}; or set credentials that may`,
    { cause },
  );
}

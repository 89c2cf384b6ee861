import { DomainError } from "../../../domain/errors.ts";
import { DAY_S } from "../../../domain/time.ts";
import { callInflux, type InfluxAnswer } from "./http.ts";
import { runInfluxQl } from "./influxql.ts";
import type { InfluxTarget } from "./target.ts";

/** What there is to keep, and for how long; `undefined` days: for ever. */
export interface ProvisionOptions {
  readonly retentionDays: number | undefined;
  readonly timeoutMs: number;
}

interface Bucket {
  readonly id: string;
  readonly orgID: string;
}

/**
 * InfluxDB 2: the bucket of that name in the organisation, with its retention, and a mapping that lets
 * InfluxQL find it as a database (DBRP). A bucket that is there keeps the retention it has.
 * @throws DomainError `STORE_UNAVAILABLE`, or `SETTINGS_INVALID` with an instruction.
 */
export async function provisionBucket(
  target: InfluxTarget,
  options: ProvisionOptions,
): Promise<void> {
  const bucket = (await findBucket(target, options)) ?? (await createBucket(target, options));
  await provisionMapping(target, bucket, options);
}

async function findBucket(
  target: InfluxTarget,
  { timeoutMs }: ProvisionOptions,
): Promise<Bucket | undefined> {
  const query = new URLSearchParams({ name: target.database, org: target.org });
  const answer = await callInflux(target, `/api/v2/buckets?${query}`, { timeoutMs });
  // Some versions answer an empty list for an unknown bucket, some 404; an unknown organisation is reported
  // below.
  if (answer.status === 404) return undefined;
  refuse(target, answer, "read buckets");
  return first<Bucket>(answer, "buckets");
}

async function createBucket(
  target: InfluxTarget,
  { retentionDays, timeoutMs }: ProvisionOptions,
): Promise<Bucket> {
  const query = new URLSearchParams({ org: target.org });
  const orgs = await callInflux(target, `/api/v2/orgs?${query}`, { timeoutMs });
  if (orgs.status !== 404) refuse(target, orgs, "read organisations");
  const org = first<{ readonly id: string }>(orgs, "orgs");
  if (org === undefined) {
    // A token for other buckets sees an empty list, and an organisation that is not there is a 404.
    const why =
      orgs.status === 404
        ? `InfluxDB knows no organisation "${target.org}" (INFLUX_ORG) that INFLUX_TOKEN may see`
        : `there is no bucket "${target.database}" (INFLUX_BUCKET) that INFLUX_TOKEN may see, ` +
          `and it may not create one in organisation "${target.org}": ${remedy(target)}`;
    throw new DomainError("SETTINGS_INVALID", why);
  }
  const created = await callInflux(target, "/api/v2/buckets", {
    method: "POST",
    timeoutMs,
    body: {
      orgID: org.id,
      name: target.database,
      retentionRules:
        retentionDays === undefined
          ? []
          : [{ type: "expire", everySeconds: retentionDays * DAY_S }],
    },
  });
  refuse(target, created, "create buckets");
  return created.json as Bucket;
}

async function provisionMapping(
  target: InfluxTarget,
  bucket: Bucket,
  { timeoutMs }: ProvisionOptions,
): Promise<void> {
  if (await isReadable(target, timeoutMs)) return;
  const query = new URLSearchParams({ orgID: bucket.orgID, db: target.database });
  const known = await callInflux(target, `/api/v2/dbrps?${query}`, { timeoutMs });
  refuse(target, known, "read DBRP mappings");
  if (first(known, "content") !== undefined) return;
  const created = await callInflux(target, "/api/v2/dbrps", {
    method: "POST",
    timeoutMs,
    body: {
      orgID: bucket.orgID,
      bucketID: bucket.id,
      database: target.database,
      retention_policy: "autogen",
      default: true,
    },
  });
  refuse(target, created, "create DBRP mappings");
}

/**
 * Whether InfluxQL finds the bucket already: later versions map every bucket by its name, and a token for
 * this bucket alone may not read mappings.
 */
function isReadable(target: InfluxTarget, timeoutMs: number): Promise<boolean> {
  return runInfluxQl(target, "SHOW MEASUREMENTS LIMIT 1", { timeoutMs }).then(
    () => true,
    () => false,
  );
}

/** The first entry of a list in an answer. */
function first<T>(answer: InfluxAnswer, list: string): T | undefined {
  const found = (answer.json as Record<string, readonly T[] | undefined> | undefined)?.[list];
  return found?.[0];
}

/** @throws DomainError unless the answer is a success. */
function refuse(target: InfluxTarget, { status, text }: InfluxAnswer, what: string): void {
  if (status < 300) return;
  const why = `InfluxDB answered ${status}: ${text.slice(0, 300)}`;
  if (status !== 401 && status !== 403) throw new DomainError("STORE_UNAVAILABLE", why);
  throw new DomainError(
    "SETTINGS_INVALID",
    `${why}. INFLUX_TOKEN may not ${what}: ${remedy(target)}`,
  );
}

const remedy = ({ database, org }: InfluxTarget): string =>
  `give it that right, or let an administrator run influx bucket create --name ${database} --org ${org} ` +
  `and influx v1 dbrp create --db ${database} --rp autogen --default --bucket-id <its id>`;

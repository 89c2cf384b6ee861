import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DamageKind, Place } from "./kinds.ts";

/** One file to be damaged. */
export interface Target {
  /** Below the data folder. */
  readonly file: string;
  readonly place: Place;
  /** The damage that a run of every file once does to it. */
  readonly usual: DamageKind;
}

/**
 * Every kind of file of a data folder, and the parts of it. Files of one group are damaged together in a run
 * of every file once: none of them hides the damage of another.
 */
export async function listTargets(dataDir: string): Promise<readonly (readonly Target[])[]> {
  const telemetry = await names(join(dataDir, "telemetry", "embedded"), /^period-.*\.mdb$/);
  const [older = "", newer = ""] = telemetry;
  const [segment = ""] = await names(join(dataDir, "journal"), /\.log$/);
  const [stage = ""] = await names(join(dataDir, "processing", "stages"), /\.stage$/);
  const cluster = join(dataDir, "records", "cluster");
  const [log = ""] = await names(join(cluster, "pg_wal"), /^[0-9A-F]{24}$/);
  const relations = await relationFiles(cluster);
  const at = (file: string, usual: DamageKind, place: Place = "middle"): Target => ({
    file,
    place,
    usual,
  });
  const inRecords = (file: string, usual: DamageKind, place?: Place) =>
    at(`records/cluster/${file}`, usual, place);
  return [
    [
      at("telemetry/embedded/names.log", "flipped"),
      at(`telemetry/embedded/${older}`, "missing"),
      at(`telemetry/embedded/${newer}`, "truncated"),
      at("journal/id", "flipped"),
      at("journal/cursors.json", "missing"),
      at(`processing/stages/${stage}`, "flipped"),
    ],
    [at(`telemetry/embedded/${newer}`, "flipped", "head"), at(`journal/${segment}`, "zeroed")],
    [
      at("telemetry/embedded/catalog.mdb", "zeroed", "head"),
      at(`journal/${segment}`, "flipped", "head"),
    ],
    [at(`journal/${segment}`, "truncated", "tail"), at("secret.key", "flipped")],
    // What PostgreSQL opens past,
    [
      inRecords("PG_VERSION", "missing"),
      inRecords("postgresql.conf", "flipped"),
      inRecords(relations.freeSpace, "missing"),
      inRecords(relations.table, "zeroed", "head"),
      inRecords(relations.index, "flipped"),
    ],
    // and what it does not open without.
    [
      inRecords("global/pg_control", "flipped", "head"),
      inRecords("global/pg_filenode.map", "truncated"),
      inRecords("global/1262", "zeroed"),
      inRecords("base/5/pg_filenode.map", "flipped"),
      inRecords(relations.catalog, "truncated"),
      inRecords(`pg_wal/${log}`, "zeroed", "head"),
      inRecords("pg_xact/0000", "missing"),
      inRecords("pg_multixact/offsets/0000", "flipped", "head"),
    ],
  ];
}

/**
 * What a kill leaves without the sums of a stop: a table and an index of the database, a catalog, outcomes of
 * transactions and the log, and the journal.
 */
export async function listCrashTargets(dataDir: string): Promise<readonly (readonly Target[])[]> {
  const cluster = join(dataDir, "records", "cluster");
  const { table, index } = await relationFiles(cluster);
  const [log = ""] = await names(join(cluster, "pg_wal"), /^[0-9A-F]{24}$/);
  const [segment = ""] = await names(join(dataDir, "journal"), /\.log$/);
  const at = (file: string, usual: DamageKind, place: Place = "middle"): Target => ({
    file,
    place,
    usual,
  });
  return [
    [at(`records/cluster/${table}`, "emptied")],
    [
      at(`records/cluster/${index}`, "zeroed"),
      at("records/cluster/pg_xact/0000", "zeroed", "head"),
    ],
    [at(`records/cluster/pg_wal/${log}`, "flipped")],
    // Its telemetry is in the journal alone: no period was sealed, and the catalog holds nothing yet.
    [at(`journal/${segment}`, "flipped")],
  ];
}

/** Files of tables below it are PostgreSQL's own. */
const FIRST_OWN_OID = 16_384;

/** Files of the cluster's own kinds: the largest table and index of ours, a catalog, a map of free space. */
async function relationFiles(cluster: string) {
  const folder = join(cluster, "base", "5");
  const sized: { readonly name: string; readonly size: number }[] = [];
  for (const name of await readdir(folder)) {
    sized.push({ name, size: (await stat(join(folder, name))).size });
  }
  const own = sized
    .filter(({ name, size }) => Number(name) >= FIRST_OWN_OID && size > 0)
    .sort((a, b) => b.size - a.size || Number(a.name) - Number(b.name));
  const [freeSpace] = sized.filter(({ name }) => /^\d{4}_fsm$/.test(name));
  return {
    table: `base/5/${own[0]?.name}`,
    index: `base/5/${own[1]?.name}`,
    // pg_attribute
    catalog: "base/5/1249",
    freeSpace: `base/5/${freeSpace?.name}`,
  };
}

async function names(dir: string, pattern: RegExp): Promise<readonly string[]> {
  return (await readdir(dir)).filter((name) => pattern.test(name)).sort();
}

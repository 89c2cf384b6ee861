import crypto from "node:crypto";
import type { PGliteInterface, Transaction } from "@electric-sql/pglite";
import { migrate } from "../storage/records/migrate.ts";
import { dropTemplates } from "../storage/records/pglite/drop-templates.ts";
import type { Database, Queryable } from "../storage/records/sql/database.ts";

/**
 * Written into the cluster wherever PostgreSQL asks for the time, ms since the Unix epoch: any fixed time makes
 * the same bytes each time.
 */
const CLUSTER_TIME_MS = Date.UTC(2026, 0, 1);

/**
 * Makes an empty cluster with the schema of `migrations` in the folder `dir`: initdb by PGlite, with its
 * own defaults (checksums of the data pages among them). Two runs make the same bytes: time and randomness
 * are fixed, for the whole process, which must do nothing else afterwards.
 */
export async function makeCluster(dir: string, migrations: URL): Promise<void> {
  fixTimeAndRandomness();
  const { PGlite } = await import("@electric-sql/pglite");
  const pglite = await PGlite.create({
    dataDir: dir,
    // A log file that is not needed any more is deleted, not kept for later use.
    startParams: [...PGlite.defaultStartParams, "-c", "wal_recycle=off"],
  });
  const database = asDatabase(pglite);
  await migrate(database, migrations);
  await dropTemplates(database);
  await pglite.exec("VACUUM");
  await emptyLog(pglite);
  await pglite.close();
}

/** Begins a new log file after a checkpoint. The files of the tables hold all that the old one does (10 MB). */
async function emptyLog(pglite: PGliteInterface): Promise<void> {
  await pglite.query("SELECT pg_switch_wal()");
  await pglite.exec("CHECKPOINT");
}

function fixTimeAndRandomness(): void {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [CLUSTER_TIME_MS] : given) as [number]));
    }
    static override now(): number {
      return CLUSTER_TIME_MS;
    }
  } as DateConstructor;
  performance.now = () => 0;
  // PGlite asks for it on Node by `require("node:crypto")`.
  crypto.randomFillSync = (<T extends NodeJS.ArrayBufferView>(view: T): T => {
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(1);
    return view;
  }) as typeof crypto.randomFillSync;
}

/** The part of a database that migrations need. */
function asDatabase(pglite: PGliteInterface): Pick<Database, "query" | "transaction"> & Database {
  const queries = (on: Pick<Transaction, "query" | "exec">): Queryable => ({
    async query<Row>(text: string, values?: readonly unknown[]) {
      if (values !== undefined) return (await on.query<Row>(text, [...values])).rows;
      // Several statements in one text, as a file of a migration has them.
      return (await on.exec(text)).at(-1)?.rows as Row[];
    },
  });
  return {
    ...queries(pglite),
    transaction: (work) => pglite.transaction((transaction) => work(queries(transaction))),
    close: () => pglite.close(),
  };
}

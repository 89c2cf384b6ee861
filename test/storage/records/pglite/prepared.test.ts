import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  contentHash,
  migrationHashes,
  pgliteVersion,
  readManifest,
} from "../../../../scripts/prepared-cluster.ts";
import { openRecordStore } from "../../../../storage/records/open.ts";
import { openPglite } from "../../../../storage/records/pglite/open.ts";
import {
  type ClusterEntry,
  PREPARED_CLUSTER,
  readCluster,
  unpackCluster,
} from "../../../../storage/records/pglite/prepared.ts";

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-prepared-"));
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

it("the prepared database comes from the installed PGlite and from migrations as they are today", () => {
  const { pglite, migrations } = readManifest();
  const today = migrationHashes();
  const names = Object.keys(migrations);
  // Newer migrations run on top of it; none of those it has gone through may change or move.
  const first = Object.fromEntries(Object.entries(today).slice(0, names.length));
  expect({ pglite, migrations }, "stale: run `npm run build:database`").toEqual({
    pglite: pgliteVersion(),
    migrations: first,
  });
});

it("the prepared database holds what its manifest says", async () => {
  const entries: ClusterEntry[] = [];
  for await (const entry of readCluster()) entries.push(entry);
  expect(contentHash(entries)).toBe(readManifest().content);
});

it("a new database has checksums, its migrations, and files for its owner only", async () => {
  const database = await openPglite(dir);
  const versions = await database.query(
    "SELECT count(*)::int AS count, max(version) AS newest FROM schema_migrations",
  );
  const count = Object.keys(readManifest().migrations).length;
  expect(versions).toEqual([{ count, newest: count }]);
  expect(await database.query("SHOW data_checksums")).toEqual([{ data_checksums: "on" }]);
  // One that VACUUM never reaches would end all writing after 2^31 transactions.
  expect(await database.query("SELECT datname AS name FROM pg_database")).toEqual([
    { name: "postgres" },
  ]);
  await database.close();
  const modes = await Promise.all(
    ["cluster", "cluster/base", "cluster/PG_VERSION"].map(async (name) =>
      ((await stat(join(dir, name))).mode & 0o777).toString(8),
    ),
  );
  expect(modes).toEqual(["700", "700", "600"]);
});

it("a start drops the template databases of an older release's database, also half dropped ones", async () => {
  const old = await openPglite(dir);
  await old.query("CREATE TABLE kept AS SELECT 7 AS value");
  for (const name of ["template0", "template1"]) {
    await old.query(`CREATE DATABASE ${name} TEMPLATE postgres IS_TEMPLATE true`);
  }
  // As a crash inside DROP DATABASE leaves it.
  await old.query(`UPDATE pg_database SET datistemplate = false, datconnlimit = -2
                     WHERE datname = 'template0'`);
  await old.close();
  const records = await openRecordStore({ dataDir: dir, databaseUrl: undefined });
  // As a kill leaves it: the templates were there when the start marked the files.
  const killed = join(dir, "killed");
  await cp(join(dir, "cluster"), join(killed, "cluster"), { recursive: true });
  await cp(join(dir, "cluster.marks"), join(killed, "cluster.marks"));
  await records.close();

  for (const folder of [dir, killed]) {
    const database = await openPglite(folder);
    expect(await database.query("SELECT datname AS name FROM pg_database")).toEqual([
      { name: "postgres" },
    ]);
    expect(await database.query("SELECT value FROM kept")).toEqual([{ value: 7 }]);
    await database.close();
  }
});

it("an archive that is cut off leaves no folder behind, and the database can be made later", async () => {
  const whole = await readFile(PREPARED_CLUSTER);
  const cut = join(dir, "cut.tar.br");
  await writeFile(cut, whole.subarray(0, Math.floor(whole.length / 2)));
  const cluster = join(dir, "cluster");
  await expect(unpackCluster(cluster, pathToFileURL(cut))).rejects.toThrow();
  expect(await readdir(dir)).toEqual(["cut.tar.br"]);
  await unpackCluster(cluster);
  expect(existsSync(join(cluster, "PG_VERSION"))).toBe(true);
});

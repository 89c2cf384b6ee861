import { cp, mkdir, mkdtemp, open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clusterNotes } from "../../../../storage/records/pglite/cluster-sums.ts";
import { readFlushedMark } from "../../../../storage/records/pglite/flushed-mark.ts";
import { LogFiles, readReplayStart } from "../../../../storage/records/pglite/log-records.ts";
import { openPglite } from "../../../../storage/records/pglite/open.ts";
import type { Database } from "../../../../storage/records/sql/database.ts";
import { freshRecordsDir } from "../../../support/databases.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";

const PAGE_BYTES = 8_192;
const COMMITS = 9;

/** The folder of a database as a kill -9 leaves it: no stop, the last writing on disk and no longer than that. */
let killed: string;
/** The same, before its last commit was noted as flushed. */
let killedAtOnce: string;
let root: string;
let dir: string;
const files = { kept: "", index: "" };

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plumbline-crashed-"));
  const live = await freshRecordsDir();
  const first = await openPglite(live);
  await first.query("CREATE TABLE kept (id int PRIMARY KEY, text text)");
  await first.query("INSERT INTO kept SELECT i, repeat('x', 500) FROM generate_series(1, 2000) i");
  await first.query("CREATE TABLE dropped (text text)");
  await first.query("CREATE TABLE emptied (text text)");
  await first.query("CREATE UNLOGGED TABLE unlogged (id int PRIMARY KEY, text text)");
  await first.query(
    "INSERT INTO unlogged SELECT i, repeat('x', 500) FROM generate_series(1, 2000) i",
  );
  await first.query("CREATE TABLE deleted (text text)");
  for (const name of ["dropped", "emptied", "deleted"]) {
    await first.query(`INSERT INTO ${name} SELECT repeat('x', 500) FROM generate_series(1, 2000)`);
  }
  await first.close();
  // The next start marks all of that.
  const database = await openPglite(live);
  await database.query("DROP TABLE dropped");
  await database.query("TRUNCATE emptied");
  await database.query("CREATE TABLE counted (n int)");
  for (let n = 0; n < COMMITS; n++) await database.query(`INSERT INTO counted VALUES (${n})`);
  await database.query("DELETE FROM deleted");
  await database
    .transaction(async (transaction) => {
      await transaction.query(
        "INSERT INTO kept SELECT i, repeat('y', 500) FROM generate_series(3000, 4000) i",
      );
      throw new RangeError("rolled back: its pages stay in the file");
    })
    .catch(() => undefined);
  const [paths] = await database.query<typeof files>(
    "SELECT pg_relation_filepath('kept') AS kept, pg_relation_filepath('kept_pkey') AS index",
  );
  Object.assign(files, paths);
  killedAtOnce = join(root, "killed-at-once");
  killed = join(root, "killed");
  await database.query(`INSERT INTO counted VALUES (${COMMITS})`);
  await image(live, killedAtOnce);
  // As if no second had passed since the start.
  await rm(join(killedAtOnce, "cluster.flushed"), { force: true });
  await until(
    "the last commit is noted",
    async () => (readFlushedMark(join(live, "cluster")) ?? 0) >= (await flushedLsn(database)),
    PATIENT_MS,
  );
  await image(live, killed);
  await database.close();
  await rm(live, { recursive: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  dir = join(root, "case");
  await rm(dir, { recursive: true, force: true });
});

async function image(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !/\/lock(\/|$)/.test(path) });
}

async function flushedLsn(database: Database): Promise<number> {
  const [row] = await database.query<{ lsn: number }>(
    "SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 AS lsn",
  );
  return row?.lsn ?? 0;
}

/** Copies the killed folder, damages it and opens it. */
async function openDamaged(
  damage: (cluster: string) => Promise<void>,
  from = killed,
): Promise<Database> {
  await cp(from, dir, { recursive: true });
  await damage(join(dir, "cluster"));
  return openPglite(dir);
}

async function zero(path: string, from: number, bytes: number): Promise<void> {
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(bytes), 0, bytes, from);
  await file.close();
}

/** Starts of the records of commits in the log, ascending. */
function commits(cluster: string): readonly number[] {
  const start = readReplayStart(cluster);
  if (start === undefined) throw new Error("no pg_control");
  const log = new LogFiles(cluster, start.timeline);
  return [...log.find(start.lsn, log.end, 0)]
    .filter(({ manager, info }) => manager === 1 && (info & 0x70) === 0)
    .map(({ start: at }) => at);
}

/** Changes one bit in the log. */
async function flipLog(cluster: string, lsn: number): Promise<void> {
  const start = readReplayStart(cluster);
  const log = new LogFiles(cluster, start?.timeline ?? 0);
  const path = join(cluster, log.pathOf(lsn));
  const bytes = await readFile(path);
  const at = lsn % (16 * 1024 ** 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

const damaged = (path: string, problem: string) => ({
  code: "STORE_DAMAGED",
  message: expect.stringMatching(new RegExp(`${path} is damaged: ${problem}`)),
});

describe("an embedded database after kill -9", () => {
  it("an embedded database after kill -9 opens with every commit when nothing is damaged, over tables that were dropped, emptied and vacuumed", async () => {
    const database = await openDamaged(async () => undefined);
    const rows = await database.query<{ n: number }>("SELECT n FROM counted ORDER BY n");
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: COMMITS + 1 }, (_, i) => i));
    // PostgreSQL empties it after every crash.
    expect(await database.query("SELECT id FROM unlogged")).toEqual([]);
    await database.close();
  });

  it("an embedded database after kill -9 opens again and again after each kill", async () => {
    await cp(killed, dir, { recursive: true });
    for (let round = 0; round < 2; round++) {
      const database = await openPglite(dir);
      await database.query("INSERT INTO counted VALUES (100)");
      const next = `${dir}-${round}`;
      await image(dir, next);
      await database.close();
      await rm(dir, { recursive: true });
      await cp(next, dir, { recursive: true });
      await rm(next, { recursive: true });
    }
    const database = await openPglite(dir);
    const rows = await database.query("SELECT n FROM counted WHERE n = 100");
    expect(rows.length).toBe(2);
    await database.close();
  });

  it("an embedded database after kill -9 is refused when a table was cut to 0 bytes, at every start", async () => {
    const refused = damaged(files.kept, "(it has \\d+ bytes of at least \\d+|page 0 is all zeros)");
    await expect(
      openDamaged((cluster) => truncate(join(cluster, files.kept), 0)),
    ).rejects.toMatchObject(refused);
    await expect(openPglite(dir)).rejects.toMatchObject(refused);
  });

  it("an embedded database after kill -9 is refused when a page in the middle of a table or index is all zeros", async () => {
    for (const [path, page] of [
      [files.kept, 50],
      [files.index, 2],
    ] as const) {
      await rm(dir, { recursive: true, force: true });
      await expect(
        openDamaged((cluster) => zero(join(cluster, path), page * PAGE_BYTES, PAGE_BYTES)),
      ).rejects.toMatchObject(damaged(path, `page ${page} is all zeros`));
    }
  });

  it("an embedded database after kill -9 is refused when outcomes of transactions are gone", async () => {
    await expect(
      openDamaged((cluster) => zero(join(cluster, "pg_xact/0000"), 0, PAGE_BYTES)),
    ).rejects.toMatchObject(damaged("pg_xact/0000", "what had to stay"));
  });

  it("an embedded database after kill -9 is refused when the log is damaged before its end, and the log stays as it is", async () => {
    const all = commits(join(killed, "cluster"));
    expect(all.length).toBeGreaterThanOrEqual(COMMITS);
    const target = all.at(-6) ?? 0;
    for (const [from, offset] of [
      [killed, 0],
      [killed, 24],
      [killedAtOnce, 5],
      [killedAtOnce, 17],
    ] as const) {
      await rm(dir, { recursive: true, force: true });
      await expect(
        openDamaged((cluster) => flipLog(cluster, target + offset), from),
      ).rejects.toMatchObject(damaged("pg_wal/[0-9A-F]{24}", ""));
      expect(commits(join(dir, "cluster"))).toEqual(all.filter((at) => at !== target));
    }
  });

  it("an embedded database after kill -9 gives a repair the rows that its log holds up to the damage", async () => {
    await cp(killed, dir, { recursive: true });
    await flipLog(join(dir, "cluster"), commits(join(dir, "cluster")).at(-6) ?? 0);
    const database = await openPglite(dir, { isSalvage: true });
    const [row] = await database.query<{ kept: number }>(
      "SELECT count(*)::int AS kept FROM kept WHERE id <= 2000",
    );
    expect(row?.kept).toBe(2000);
    const counted = await database.query("SELECT n FROM counted");
    // Of the last six commits one was the DELETE.
    expect(counted.length).toBe(COMMITS + 1 - 5);
    await database.close();
  });

  it("an embedded database after kill -9 is refused when all of it is gone, until what is noted beside it is removed", async () => {
    const gone = {
      code: "STORE_DAMAGED",
      message: expect.stringMatching(/cluster is missing: .* shows that it was there/),
    };
    const remove = (cluster: string) => rm(cluster, { recursive: true });
    await expect(openDamaged(remove)).rejects.toMatchObject(gone);
    await expect(openPglite(dir)).rejects.toMatchObject(gone);
    for (const note of clusterNotes(join(dir, "cluster"))) await rm(note, { force: true });
    await (await openPglite(dir)).close();
  });

  it("an embedded database after kill -9 goes on with the marks it has when new ones cannot be written", async () => {
    await cp(killed, dir, { recursive: true });
    const marks = join(dir, "cluster.marks");
    const before = await readFile(marks, "utf8");
    await mkdir(`${marks}.new`);
    const database = await openPglite(dir);
    expect((await database.query("SELECT n FROM counted")).length).toBe(COMMITS + 1);
    expect(await readFile(marks, "utf8")).toBe(before);
    await database.close();
  });

  it("an embedded database after kill -9 is refused when a whole page of the log is zeros", async () => {
    const target = commits(join(killed, "cluster")).at(-6) ?? 0;
    const start = readReplayStart(join(killed, "cluster"));
    const path = new LogFiles(join(killed, "cluster"), start?.timeline ?? 0).pathOf(target);
    const page = Math.floor((target % (16 * 1024 ** 2)) / PAGE_BYTES) * PAGE_BYTES;
    await expect(
      openDamaged((cluster) => zero(join(cluster, path), page, PAGE_BYTES)),
    ).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  });

  it("an embedded database after kill -9 is refused when the last commit is damaged that was a second old", async () => {
    const last = commits(join(killed, "cluster")).at(-1) ?? 0;
    await expect(openDamaged((cluster) => flipLog(cluster, last + 24))).rejects.toMatchObject(
      damaged("pg_wal/[0-9A-F]{24}", "the log can be read up to .*, and was on disk up to"),
    );
  });

  it("an embedded database after kill -9 opens without its last transaction when a crash cut off the writing of it", async () => {
    const last = commits(join(killedAtOnce, "cluster")).at(-1) ?? 0;
    const database = await openDamaged((cluster) => flipLog(cluster, last + 24), killedAtOnce);
    const rows = await database.query("SELECT n FROM counted");
    expect(rows.length).toBe(COMMITS);
    await database.close();
  });
});

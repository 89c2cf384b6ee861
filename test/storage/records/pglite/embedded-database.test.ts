import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPglite } from "../../../../storage/records/pglite/open.ts";
import { PgliteServer } from "../../../../storage/records/pglite/server.ts";
import type { Database } from "../../../../storage/records/sql/database.ts";
import { freshRecordsDir } from "../../../support/databases.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";

/** Longest wait for an answer in the test of an endless statement, ms. */
const ANSWER_MS = 2_000;

describe("embedded database", () => {
  let dir: string;
  let database: Database;

  beforeAll(async () => {
    dir = await freshRecordsDir();
    database = await openPglite(dir);
    await database.query("CREATE TABLE notes (text text)");
  });
  beforeEach(async () => {
    await database.query("DELETE FROM notes");
  });
  afterAll(async () => {
    await database.close();
    await rm(dir, { recursive: true });
  });

  it("the embedded database rolls a transaction back when its work throws, and passes the error on", async () => {
    const failing = database.transaction(async (transaction) => {
      await transaction.query("INSERT INTO notes VALUES ('lost')");
      throw new RangeError("no");
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await database.query("SELECT text FROM notes")).toEqual([]);
  });

  it("the embedded database runs with fsync and full-page writes on", async () => {
    const rows = await database.query(
      `SELECT name, setting FROM pg_settings
       WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name`,
    );
    expect(rows.map((row) => [row["name"], row["setting"]])).toEqual([
      ["fsync", "on"],
      ["full_page_writes", "on"],
      ["synchronous_commit", "on"],
    ]);
  });

  it("the embedded database makes a checkpoint after 128 MiB of writing, so that the log does not grow for ever", async () => {
    const redo = async () => {
      const [row] = await database.query<{ redo: number }>(
        "SELECT (redo_lsn - '0/0'::pg_lsn)::bigint AS redo FROM pg_control_checkpoint()",
      );
      return row?.redo ?? 0;
    };
    const before = await redo();
    await database.query("CREATE TABLE bulk (text text STORAGE EXTERNAL)");
    for (let i = 0; i < 9; i++) {
      await database.query(
        "INSERT INTO bulk SELECT repeat('x', 1024 * 1024) FROM generate_series(1, 16)",
      );
    }
    expect((await redo()) - before).toBeGreaterThan(100 * 1024 * 1024);
    await database.query("DROP TABLE bulk");
  });

  it("the embedded database vacuums a table whose rows were deleted, within 16 MiB of writing", async () => {
    await database.query("CREATE TABLE brief (text text)");
    await database.query("CREATE TABLE bulk (text text STORAGE EXTERNAL)");
    await database.query("INSERT INTO brief SELECT 'gone' FROM generate_series(1, 20000)");
    await database.query("DELETE FROM brief");
    const bytes = async () => {
      const [row] = await database.query<{ bytes: number }>(
        "SELECT pg_relation_size('brief')::int AS bytes",
      );
      return row?.bytes;
    };
    expect(await bytes()).toBeGreaterThan(0);
    // PostgreSQL adds up what a session deleted about once a second.
    const isVacuumed = async () => {
      await database.query(
        "INSERT INTO bulk SELECT repeat('x', 1024 * 1024) FROM generate_series(1, 17)",
      );
      await database.query("TRUNCATE bulk");
      return (await bytes()) === 0;
    };
    await until("the table is vacuumed", isVacuumed, PATIENT_MS);
    await database.query("DROP TABLE brief, bulk");
  });

  it("the embedded database is refused a second time in one process, by pid", async () => {
    await expect(openPglite(dir)).rejects.toMatchObject({
      code: "STORE_LOCKED",
      message: expect.stringContaining(`process ${process.pid}`),
    });
  });

  it("the embedded database answers STORE_UNAVAILABLE once closed, and has every commit when opened again", async () => {
    await database.query("INSERT INTO notes VALUES ($1)", ["kept"]);
    await database.close();
    await expect(database.query("SELECT 1")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    database = await openPglite(dir, { answerMs: ANSWER_MS });
    expect(await database.query("SELECT text FROM notes")).toEqual([{ text: "kept" }]);
  });

  it("the embedded database fails a statement that takes too long and all behind it, then serves again with all commits", async () => {
    await database.query("INSERT INTO notes VALUES ('kept')");
    const endless = database.transaction(async (transaction) => {
      await transaction.query("INSERT INTO notes VALUES ('lost')");
      await transaction.query("SELECT count(*) FROM generate_series(1, 1000000000)");
    });
    await expect(endless).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await expect
      .poll(() => database.query("SELECT text FROM notes").catch(() => []), { timeout: PATIENT_MS })
      .toEqual([{ text: "kept" }]);
  });
});

it("each connection to the embedded database starts with a clean session", async () => {
  const dir = await freshRecordsDir();
  const server = new PgliteServer(join(dir, "cluster"));
  const connect = async () => {
    const client = new pg.Client({
      stream: () => server.connect(),
      user: "u",
      database: "postgres",
    });
    await client.connect();
    return client;
  };
  const prepared = (text: string) => ({ name: "same name", text, values: [] });
  const first = await connect();
  await first.query(prepared("SELECT 1 AS n"));
  await first.query("SET search_path = nowhere");
  await first.query("BEGIN");
  await first.query("CREATE TABLE public.left_open (n int)");
  await first.end();
  const second = await connect();
  expect((await second.query(prepared("SELECT 2 AS n"))).rows).toEqual([{ n: 2 }]);
  expect((await second.query("SHOW search_path")).rows).toEqual([{ search_path: "public" }]);
  await expect(second.query("SELECT * FROM left_open")).rejects.toThrow(/does not exist/);
  await second.end();
  await server.close();
  await rm(dir, { recursive: true });
});

it("an interrupted first start leaves nothing that a second one takes for a database", async () => {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-first-"));
  const unfinished = join(dir, "cluster.unfinished");
  await mkdir(unfinished);
  await writeFile(join(unfinished, "PG_VERSION"), "18\n");
  const database = await openPglite(dir);
  expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(existsSync(unfinished)).toBe(false);
  await database.close();
  await rm(dir, { recursive: true });
});

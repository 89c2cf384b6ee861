import { createServer } from "node:net";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { openRecordStore } from "../../../../storage/records/open.ts";
import { openPostgres } from "../../../../storage/records/sql/postgres.ts";
import { describeRecordStore } from "../../../contracts/record-store.ts";
import { asset, hash32, project } from "../../../contracts/records/rows.ts";
import { createPostgresDatabase, POSTGRES } from "../../../support/databases.ts";
import { PATIENT_MS } from "../../../support/patience.ts";

describeRecordStore(POSTGRES);

describe("a PostgreSQL that is away", () => {
  const open = (databaseUrl: string) => openRecordStore({ dataDir: "unused", databaseUrl });

  it("a PostgreSQL that is away is STORE_UNAVAILABLE when nothing listens", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await new Promise((resolve) => server.close(resolve));
    await expect(open(`postgres://u:secret@127.0.0.1:${port}/db`)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.not.stringContaining("secret"),
    });
  });

  it("a PostgreSQL that is away is STORE_UNAVAILABLE when a server hangs up during the log-in", async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(open(`postgres://u@127.0.0.1:${port}/db`)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    server.close();
  });
});

describe.skipIf(POSTGRES.absent !== undefined)(
  `PostgreSQL${POSTGRES.absent === undefined ? "" : ` (skipped: ${POSTGRES.absent})`}`,
  () => {
    it("the PostgreSQL store fails a query whose backend is terminated, and serves the next one", async () => {
      const { url, drop } = await createPostgresDatabase();
      const database = await openPostgres(url);
      const suicide = database.query("SELECT pg_terminate_backend(pg_backend_pid())");
      await expect(suicide).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
      await database.close();
      await drop();
    });

    it("the PostgreSQL store survives the end of idle connections", async () => {
      const { url, drop } = await createPostgresDatabase();
      const database = await openPostgres(url);
      await Promise.all([1, 2, 3].map(() => database.query("SELECT pg_sleep(0.05)")));
      const admin = new pg.Client({ connectionString: url });
      await admin.connect();
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await admin.end();
      await expect
        .poll(() => database.query("SELECT 1 AS one").catch(() => []), { timeout: PATIENT_MS })
        .toEqual([{ one: 1 }]);
      await database.close();
      await drop();
    });

    it("the PostgreSQL store holds a later change of assets back until an earlier one is visible to followers", async () => {
      const { url, drop } = await createPostgresDatabase();
      const store = await openRecordStore({ dataDir: "unused", databaseUrl: url });
      await store.projects.insert(project("p1"));
      // Another process in the middle of its change: it has its revision, and has not committed.
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      await other.query("BEGIN");
      await other.query("UPDATE counters SET value = value + 1 WHERE name = 'asset_revision'");
      let inserted = false;
      const insert = store.assets.insert(asset("a1"), hash32(1)).then(() => {
        inserted = true;
      });
      await expect
        .poll(async () => {
          const waiting = await other.query(
            "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) OR NOT granted AND locktype = 'transactionid'",
          );
          return (waiting.rows as { n: number }[])[0]?.n;
        })
        .toBeGreaterThanOrEqual(1);
      expect(inserted).toBe(false);
      await other.query("COMMIT");
      await insert;
      expect((await store.assets.changesSince(0)).revision).toBe(2);
      await other.end();
      await store.close();
      await drop();
    });
  },
);

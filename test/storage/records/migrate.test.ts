import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../../storage/records/migrate.ts";
import { PGLITE, POSTGRES, type TestRecords } from "../../support/databases.ts";

const backends = [PGLITE, POSTGRES].filter((backend) => backend.absent === undefined);

describe.each(backends)("migrations on $name", (backend) => {
  let records: TestRecords;
  let dir: string;
  let folder: URL;

  beforeAll(async () => {
    records = await backend.open();
  });
  afterAll(() => records.close());
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "plumbline-migrations-"));
    folder = pathToFileURL(`${dir}/`);
    // The store's own migrations are in the template: start from nothing.
    await records.database.query("DROP TABLE IF EXISTS one, two; DELETE FROM schema_migrations");
  });
  afterEach(() => rm(dir, { recursive: true }));

  const add = (name: string, sql: string) => writeFile(join(dir, name), sql);
  const versions = async () =>
    (await records.database.query("SELECT version FROM schema_migrations ORDER BY version")).map(
      (row) => row["version"],
    );

  it("migrations run in order, each once", async () => {
    await add("0001_one.sql", "CREATE TABLE one (n int); INSERT INTO one VALUES (1)");
    await migrate(records.database, folder);
    expect(await versions()).toEqual([1]);
    await add("0002_two.sql", "CREATE TABLE two AS SELECT n + 1 AS n FROM one");
    await migrate(records.database, folder);
    await migrate(records.database, folder);
    expect(await versions()).toEqual([1, 2]);
    expect(await records.database.query("SELECT n FROM two")).toEqual([{ n: 2 }]);
  });

  it("migrations are refused with SCHEMA_TOO_NEW when the database is newer, naming both versions", async () => {
    await add("0001_one.sql", "CREATE TABLE one (n int)");
    await migrate(records.database, folder);
    await records.database.query("INSERT INTO schema_migrations (version) VALUES (7)");
    await expect(migrate(records.database, folder)).rejects.toMatchObject({
      code: "SCHEMA_TOO_NEW",
      message: expect.stringMatching(/version 7.* up to 1\b/),
    });
  });

  it("migrations leave nothing of a step that fails, and keep the steps before it", async () => {
    await add("0001_one.sql", "CREATE TABLE one (n int)");
    await add("0002_two.sql", "CREATE TABLE two (n int); INSERT INTO two VALUES ('not a number')");
    await expect(migrate(records.database, folder)).rejects.toThrow(/invalid input syntax/);
    expect(await versions()).toEqual([1]);
    await expect(records.database.query("SELECT * FROM two")).rejects.toThrow(/does not exist/);
  });

  it("migrations run once when four programs start together", async () => {
    await add("0001_one.sql", "CREATE TABLE one (n int); INSERT INTO one VALUES (1)");
    await Promise.all([1, 2, 3, 4].map(() => migrate(records.database, folder)));
    expect(await records.database.query("SELECT n FROM one")).toEqual([{ n: 1 }]);
  });

  it("migrations must be numbered without gaps", async () => {
    await add("0001_one.sql", "CREATE TABLE one (n int)");
    await add("0003_three.sql", "SELECT 1");
    await expect(migrate(records.database, folder)).rejects.toThrow(
      /0003_three.sql is not number 2/,
    );
  });
});

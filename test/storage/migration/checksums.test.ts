import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { copyTable } from "../../../storage/migration/copy-table.ts";
import { seriesChecksum } from "../../../storage/migration/series-checksum.ts";
import { tableChecksum } from "../../../storage/migration/table-checksum.ts";
import { listTables, type Table } from "../../../storage/migration/tables.ts";
import type { Series } from "../../../storage/ports/telemetry-store.ts";
import { PGLITE, type TestRecords } from "../../support/databases.ts";

const DAY_MS = 86_400_000;

describe("the checksum of an asset", () => {
  const rows = [
    { t: 1_000, a: 1, b: Number.NaN },
    { t: 2_000, a: -0, b: 7 },
    { t: DAY_MS + 5, a: 3, b: Number.NaN },
  ];

  function seriesOf(kept: readonly { t: number; a: number; b: number }[], names = ["a", "b"]) {
    const columns = names.map((name): [string, Float64Array] => [
      name,
      Float64Array.from(kept, (row) => (name === "a" ? row.a : row.b)),
    ]);
    const carried = columns.filter(([, column]) => !column.every(Number.isNaN));
    const series: Series = {
      timesMs: Float64Array.from(kept, ({ t }) => t),
      columns: new Map(carried),
    };
    return series;
  }

  function checksumOf(all: typeof rows, names?: string[]) {
    const range = { assetId: "x" as AssetId, fromMs: 0, toMs: 2 * DAY_MS, windowMs: DAY_MS };
    return seriesChecksum(
      async ({ fromMs, toMs }) =>
        seriesOf(
          all.filter(({ t }) => t >= fromMs && t < toMs),
          names,
        ),
      range,
      () => undefined,
    );
  }

  it("the checksum of an asset counts the rows, and does not mind the order of the fields", async () => {
    const sum = await checksumOf(rows);
    expect(sum.points).toBe(3);
    expect(await checksumOf(rows, ["b", "a"])).toEqual(sum);
  });

  it.each([
    ["a value", [{ t: 1_000, a: 1 + Number.EPSILON, b: Number.NaN }, ...rows.slice(1)]],
    ["the sign of zero", rows.map((row) => ({ ...row, a: row.a + 0 }))],
    ["a time", [{ t: 1_001, a: 1, b: Number.NaN }, ...rows.slice(1)]],
    ["an absent value", rows.map((row) => ({ ...row, b: 7 }))],
  ])("the checksum of an asset is another one for another %s", async (_, changed) => {
    expect((await checksumOf(changed)).sha256).not.toBe((await checksumOf(rows)).sha256);
  });
});

describe("the copy of a table", () => {
  let source: TestRecords;
  let target: TestRecords;
  let tables: readonly Table[];
  beforeAll(async () => {
    [source, target] = [await PGLITE.open(), await PGLITE.open()];
    tables = await listTables(source.database);
  });
  beforeEach(() => Promise.all([source.reset(), target.reset()]));
  afterAll(() => Promise.all([source.close(), target.close()]));

  const visitDays = () => tables.find(({ name }) => name === "utilization_days") as Table;
  const insertDays = (records: TestRecords, count: number) =>
    records.database.query(
      `INSERT INTO utilization_days SELECT 'asset-' || n % 7, date '2026-01-01' + n / 7, 'p', n / 3.0, 0, 0, 0
       FROM generate_series(0, $1::int - 1) AS n`,
      [count],
    );

  it("comes after every table that it refers to", () => {
    const place = (name: string) => tables.findIndex((table) => table.name === name);
    expect(place("projects")).toBeGreaterThan(-1);
    expect(place("assets")).toBeGreaterThan(place("projects"));
    expect(place("webhook_deliveries")).toBeGreaterThan(place("webhooks"));
    expect(tables.map(({ name }) => name)).not.toContain("schema_migrations");
  });

  it("the copy of a table goes on behind the last key, over several pages", async () => {
    await insertDays(source, 4_500);
    const pages: number[] = [];
    const keys: (readonly string[])[] = [];
    const note = async (rows: number, last: readonly string[]) => {
      pages.push(rows);
      keys.push(last);
    };
    await copyTable(source.database, target.database, visitDays(), undefined, note);
    await copyTable(source.database, target.database, visitDays(), keys[0], note);
    expect(pages).toEqual([2_000, 2_000, 500, 2_000, 500]);
    expect(await tableChecksum(target.database, visitDays())).toEqual(
      await tableChecksum(source.database, visitDays()),
    );
  });

  it("the copy of a table takes fewer rows at once where they are large, and one that is larger than a page", async () => {
    const schedules = tables.find(({ name }) => name === "schedules") as Table;
    // Text that does not compress: 3 rows of 0.96 MB, one of 2.9 MB, 2,000 small ones.
    await source.database.query(
      `INSERT INTO schedules SELECT lpad(n::text, 5, '0'), 'p', n, 'f', '{}', to_json(noise.text)
       FROM generate_series(1, 2004) AS n, LATERAL (
         SELECT string_agg(encode(sha512((n || '/' || i)::bytea), 'hex'), '') AS text
         FROM generate_series(1, CASE WHEN n <= 3 THEN 7500 WHEN n = 4 THEN 22500 ELSE 1 END) AS i
       ) AS noise`,
    );
    const pages: number[] = [];
    const note = async (rows: number) => {
      pages.push(rows);
    };
    await copyTable(source.database, target.database, schedules, undefined, note);
    expect(pages).toEqual([2, 1, 1, 2_000]);
    const sum = await tableChecksum(source.database, schedules);
    expect(await tableChecksum(target.database, schedules)).toEqual(sum);
    expect(sum.rows).toBe(2_004);
  });

  it("the copy of a table has another checksum when one value differs, whatever its page", async () => {
    await insertDays(source, 20_001);
    const before = await tableChecksum(source.database, visitDays());
    await source.database.query(
      "UPDATE utilization_days SET distance_m = 1e-300 WHERE (asset_id, day) = (SELECT asset_id, max(day) FROM utilization_days GROUP BY asset_id ORDER BY asset_id DESC LIMIT 1)",
    );
    const after = await tableChecksum(source.database, visitDays());
    expect([before.rows, after.rows, before.sum === after.sum]).toEqual([20_001, 20_001, false]);
  });
});

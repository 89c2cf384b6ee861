import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asset, hash32, project } from "../../contracts/records/rows.ts";
import { PGLITE, POSTGRES, type TestRecords } from "../../support/databases.ts";

const STEP = new URL(
  "../../../storage/records/migrations/0032_late_positions.sql",
  import.meta.url,
);
const backends = [PGLITE, POSTGRES].filter((backend) => backend.absent === undefined);

describe.each(
  backends,
)("the step of the schema that notes since when lateness is known, on $name", (backend) => {
  let records: TestRecords;
  beforeAll(async () => {
    records = await backend.open();
  });
  afterAll(() => records.close());

  it("a store that had machines before knows the lateness of positions from the step on, a new one always", async () => {
    const { database, store } = records;
    const step = await readFile(STEP, "utf8");
    const again = async () => {
      await database.query("DELETE FROM counters WHERE name = 'late_known_from_ms'");
      await database.query(step);
    };
    await again();
    expect(await store.lateness.knownFromMs()).toBe(0);
    await store.projects.insert(project("p1"));
    await store.assets.insert(asset("a1"), hash32(1));
    const beforeMs = Date.now();
    await again();
    const knownFromMs = await store.lateness.knownFromMs();
    // The clock of the database may be another one than ours.
    expect(Math.abs(knownFromMs - beforeMs)).toBeLessThan(60_000);
  });
});

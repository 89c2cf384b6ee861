import type { LatenessRecords } from "../../ports/equipment/lateness.ts";
import type { Database } from "../sql/database.ts";

/** The time that the schema's step 32 wrote down, in SQL. */
export class SqlLatenessRecords implements LatenessRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async knownFromMs(): Promise<number> {
    const [row] = await this.#database.query<{ value: number }>(
      "SELECT value FROM counters WHERE name = 'late_known_from_ms'",
    );
    return row?.value ?? 0;
  }
}

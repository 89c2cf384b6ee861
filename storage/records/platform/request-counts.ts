import type { RequestCount, RequestCounts } from "../../ports/platform/request-counts.ts";
import type { Database } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";

const MINUTE_S = 60;

type CountedRow = {
  readonly caller: string;
  readonly minute: number;
  readonly requests: number;
  readonly now_s: number;
};

/** Counts of requests in SQL. */
export class SqlRequestCounts implements RequestCounts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(requests: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, RequestCount>> {
    const rows = await this.#database.query<CountedRow>(COUNT, [
      [...requests.keys()],
      [...requests.values()],
    ]);
    return new Map(
      rows.map((row) => {
        const endS = (row.minute + 1) * MINUTE_S;
        const leftMs = Math.max(0, (endS - row.now_s) * 1_000);
        return [row.caller, { requests: row.requests, endS, leftMs }];
      }),
    );
  }

  expire(): Promise<boolean> {
    const old = `aged.minute < floor(extract(epoch FROM clock_timestamp()) / ${MINUTE_S})::bigint - 60`;
    return expireRows(this.#database, { table: "request_counts", old, order: "minute" }, []);
  }
}

/**
 * Rows in the order of callers, so that two processes never wait for each other. A statement that
 * waited for a row while the minute ended counts into the minute that is there.
 */
const COUNT = `
INSERT INTO request_counts AS stored (caller, minute, requests)
SELECT caller, floor(extract(epoch FROM clock_timestamp()) / ${MINUTE_S})::bigint, requests
FROM unnest($1::text[], $2::bigint[]) AS given (caller, requests)
ORDER BY caller
ON CONFLICT (caller) DO UPDATE SET
  minute = CASE WHEN stored.minute - excluded.minute IN (0, 1) THEN stored.minute
    ELSE excluded.minute END,
  requests = CASE WHEN stored.minute - excluded.minute IN (0, 1)
    THEN stored.requests + excluded.requests ELSE excluded.requests END
RETURNING caller, minute, requests, extract(epoch FROM clock_timestamp())::float8 AS now_s`;

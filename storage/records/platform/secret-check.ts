import type { SecretCheck } from "../../ports/platform/secret-check.ts";
import type { Database } from "../sql/database.ts";

/** The check value of the secret key in SQL. */
export function createSecretCheck(database: Database): SecretCheck {
  async function find(): Promise<Uint8Array | undefined> {
    const [row] = await database.query<{ value: Uint8Array }>("SELECT value FROM secret_check");
    return row && new Uint8Array(row.value);
  }
  return {
    find,
    async keep(value) {
      await database.query(
        "INSERT INTO secret_check (value) VALUES ($1) ON CONFLICT (id) DO NOTHING",
        [value],
      );
      // Another process may have been first.
      return (await find()) ?? value;
    },
    async forget() {
      await database.query("DELETE FROM secret_check");
    },
  };
}

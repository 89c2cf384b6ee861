import type { SecretCheck } from "../../ports/platform/secret-check.ts";
import type { Database } from "../sql/database.ts";

/** The check value of the secret key in SQL. */
export class SqlSecretCheck implements SecretCheck {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(): Promise<Uint8Array | undefined> {
    const [row] = await this.#database.query<{ value: Uint8Array }>(
      "SELECT value FROM secret_check",
    );
    return row && new Uint8Array(row.value);
  }

  async keep(value: Uint8Array): Promise<Uint8Array> {
    await this.#database.query(
      "INSERT INTO secret_check (value) VALUES ($1) ON CONFLICT (id) DO NOTHING",
      [value],
    );
    // Another process may have been first.
    return (await this.find()) ?? value;
  }

  async forget(): Promise<void> {
    await this.#database.query("DELETE FROM secret_check");
  }
}

import {
  CONNECTIONS_PER_ASSET,
  type ListenerName,
  UNKNOWN_CONNECTIONS,
} from "../../../domain/equipment/connection-log.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type { ConnectionRecords, LoggedConnection } from "../../ports/equipment/device-log.ts";
import type { Database } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { withoutNul } from "../sql/text.ts";

/** Represents every name that no asset has; an id has at least one character. */
const UNKNOWN = "";

type StoredConnection = {
  readonly subject: string;
  readonly sequence: number;
  readonly at_ms: number;
  readonly address: string;
  readonly listener: string;
  readonly protocol_level: number | null;
  readonly outcome: string;
  readonly detail: string | null;
  readonly client_id: string | null;
  readonly username: string | null;
};

/** The connection log in SQL. */
export class SqlConnectionRecords implements ConnectionRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(entries: readonly LoggedConnection[]): Promise<void> {
    if (entries.length === 0) return;
    const subjects = entries.map(({ assetId }) => assetId ?? UNKNOWN);
    await this.#database.transaction(async (transaction) => {
      await transaction.query(
        `INSERT INTO connection_log (subject, sequence, at_ms, address, listener, protocol_level,
           outcome, detail, client_id, username)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[],
           $6::smallint[], $7::text[], $8::text[], $9::text[], $10::text[])
         ON CONFLICT DO NOTHING`,
        [
          subjects,
          entries.map(({ sequence }) => sequence),
          entries.map(({ atMs }) => Math.round(atMs)),
          entries.map(({ address }) => withoutNul(address)),
          entries.map(({ listener }) => listener),
          entries.map(({ protocolLevel }) => protocolLevel ?? null),
          entries.map(({ outcome }) => outcome),
          entries.map(({ detail }) => textOrNull(detail)),
          entries.map(({ clientId }) => textOrNull(clientId)),
          entries.map(({ username }) => textOrNull(username)),
        ],
      );
      const touched = [...new Set(subjects)];
      await transaction.query(
        `DELETE FROM connection_log AS old
         USING unnest($1::text[], $2::int[]) AS touched (subject, kept)
         WHERE old.subject = touched.subject AND old.sequence <= (
           SELECT sequence FROM connection_log WHERE subject = touched.subject
           ORDER BY sequence DESC OFFSET touched.kept LIMIT 1
         )`,
        [
          touched,
          touched.map((subject) =>
            subject === UNKNOWN ? UNKNOWN_CONNECTIONS : CONNECTIONS_PER_ASSET,
          ),
        ],
      );
    });
  }

  async newest(assetId: AssetId | undefined, limit: number): Promise<readonly LoggedConnection[]> {
    const rows = await this.#database.query<StoredConnection>(
      `SELECT subject, sequence, at_ms, address, listener, protocol_level, outcome, detail,
         client_id, username
       FROM connection_log WHERE subject = $1 ORDER BY sequence DESC LIMIT $2`,
      [assetId ?? UNKNOWN, limit],
    );
    return rows.map(toEntry);
  }

  expire(beforeMs: number): Promise<boolean> {
    return expireRows(
      this.#database,
      { table: "connection_log", old: "aged.at_ms < $1", order: "at_ms" },
      [beforeMs],
    );
  }
}

const textOrNull = (text: string | undefined): string | null =>
  text === undefined ? null : withoutNul(text);

function toEntry(row: StoredConnection): LoggedConnection {
  return {
    assetId: row.subject === UNKNOWN ? undefined : (row.subject as AssetId),
    sequence: row.sequence,
    atMs: row.at_ms,
    address: row.address,
    listener: row.listener as ListenerName,
    protocolLevel: row.protocol_level ?? undefined,
    outcome: row.outcome,
    detail: row.detail ?? undefined,
    clientId: row.client_id ?? undefined,
    username: row.username ?? undefined,
  };
}

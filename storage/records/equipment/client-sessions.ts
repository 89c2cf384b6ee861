import type { AssetId } from "../../../domain/ids.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import type {
  ClaimResult,
  ClientSession,
  ClientSessions,
  NumberedSession,
  TakeoverLimit,
} from "../../ports/equipment/client-sessions.ts";
import type { Database } from "../sql/database.ts";

/** Counts of take-overs whose minute and ban are over for sure. */
const OLD_TAKEOVERS = "began_at < clock_timestamp() - interval '1 hour'";

/**
 * A claim's number: microseconds of the database, so that it is higher than those of rows that were deleted. Two
 * claims in one microsecond, or a clock that steps back, are told apart by the row.
 */
const NOW_US = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/**
 * Sessions of clients in SQL. Rows are locked in the order of their ids everywhere, so that no two statements wait
 * for each other.
 */
export class SqlClientSessions implements ClientSessions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async claim(
    nodeId: string,
    sessions: readonly ClientSession[],
    isLate: boolean,
  ): Promise<readonly ClaimResult[]> {
    if (sessions.length === 0) return [];
    const rows = await this.#database.query<{ id: string; epoch: number | null; banned: boolean }>(
      `WITH given AS (
         SELECT * FROM unnest($2::text[], $3::text[], $4::bool[], $5::bigint[])
           AS given (id, asset_id, is_link, at_ms)
       ), banned AS (
         SELECT id FROM client_takeovers JOIN given USING (id) WHERE banned_until > clock_timestamp()
       ), taken AS (
         INSERT INTO client_sessions AS held (id, asset_id, is_link, node_id, epoch, at_ms)
         SELECT id, asset_id, is_link, $1, ${NOW_US}, at_ms FROM given
         WHERE id NOT IN (SELECT id FROM banned) ORDER BY id
         ON CONFLICT (id) DO UPDATE SET
           asset_id = excluded.asset_id,
           is_link = excluded.is_link,
           node_id = excluded.node_id,
           epoch = greatest(held.epoch + 1, excluded.epoch),
           former_node_id = held.node_id,
           at_ms = excluded.at_ms
         WHERE NOT $6::bool OR held.at_ms <= excluded.at_ms
         RETURNING id, epoch, former_node_id
       ), noted AS (
         INSERT INTO lost_client_sessions (node_id, id, epoch)
         SELECT former_node_id, id, epoch FROM taken
         WHERE former_node_id NOT IN ('', $1)
       )
       SELECT given.id, taken.epoch, banned.id IS NOT NULL AS banned
       FROM given LEFT JOIN taken USING (id) LEFT JOIN banned USING (id)`,
      [
        nodeId,
        sessions.map(({ id }) => id),
        sessions.map(({ assetId }) => assetId ?? ""),
        sessions.map(({ isLink }) => isLink),
        sessions.map(({ atMs }) => Math.round(atMs)),
        isLate,
      ],
    );
    return rows.map(({ id, epoch, banned }): ClaimResult => {
      if (banned) return { id, outcome: "banned" };
      return epoch === null ? { id, outcome: "superseded" } : { id, outcome: "held", epoch };
    });
  }

  async release(nodeId: string, sessions: readonly NumberedSession[]): Promise<readonly string[]> {
    if (sessions.length === 0) return [];
    const rows = await this.#database.query<{ id: string }>(
      `WITH given AS (
         SELECT * FROM unnest($2::text[], $3::bigint[]) AS given (id, epoch)
       ), known AS (
         SELECT held.id, held.node_id = $1 AND held.epoch = given.epoch AS is_own
         FROM client_sessions held JOIN given ON held.id = given.id
         ORDER BY held.id FOR UPDATE OF held
       ), deleted AS (
         DELETE FROM client_sessions USING known
         WHERE client_sessions.id = known.id AND known.is_own
       )
       SELECT id FROM known WHERE NOT is_own`,
      [nodeId, ...columns(sessions)],
    );
    return rows.map(({ id }) => id);
  }

  async lost(nodeId: string): Promise<readonly NumberedSession[]> {
    return await this.#database.query<NumberedSession & Record<string, unknown>>(
      "SELECT id, epoch FROM lost_client_sessions WHERE node_id = $1 ORDER BY epoch LIMIT 10000",
      [nodeId],
    );
  }

  async forgetLost(nodeId: string, sessions: readonly NumberedSession[]): Promise<void> {
    if (sessions.length === 0) return;
    await this.#database.query(
      `DELETE FROM lost_client_sessions AS lost
       USING unnest($2::text[], $3::bigint[]) AS given (id, epoch)
       WHERE lost.node_id = $1 AND lost.id = given.id AND lost.epoch = given.epoch`,
      [nodeId, ...columns(sessions)],
    );
  }

  async countTakeovers(counts: ReadonlyMap<string, number>, limit: TakeoverLimit): Promise<void> {
    if (counts.size === 0) return;
    const isSameMinute = `known.began_at > clock_timestamp() - ${MINUTE_MS} * interval '1 millisecond'`;
    const total = `CASE WHEN ${isSameMinute} THEN known.takeovers ELSE 0 END + excluded.takeovers`;
    const banned = "clock_timestamp() + $4::float8 * interval '1 millisecond'";
    await this.#database.query(
      `INSERT INTO client_takeovers AS known (id, began_at, takeovers, banned_until)
       SELECT id, clock_timestamp(), takeovers,
         CASE WHEN takeovers >= $3 THEN ${banned} ELSE '-infinity' END
       FROM unnest($1::text[], $2::int[]) AS given (id, takeovers) ORDER BY id
       ON CONFLICT (id) DO UPDATE SET
         began_at = CASE WHEN ${isSameMinute} THEN known.began_at ELSE excluded.began_at END,
         takeovers = ${total},
         banned_until = CASE
           WHEN known.banned_until < clock_timestamp() AND ${total} >= $3 THEN ${banned}
           ELSE known.banned_until END`,
      [[...counts.keys()], [...counts.values()], limit.takeovers, limit.bannedMs],
    );
  }

  async beat(nodeId: string): Promise<boolean> {
    const [row] = await this.#database.query<{ is_new: boolean }>(
      `INSERT INTO ingest_nodes (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at RETURNING xmax = 0 AS is_new`,
      [nodeId],
    );
    return row?.is_new ?? true;
  }

  async silentNodes(silentMs: number): ReturnType<ClientSessions["silentNodes"]> {
    const rows = await this.#database.query<{ id: string; seen_at_ms: number }>(
      `SELECT id, round(extract(epoch FROM seen_at) * 1000)::bigint AS seen_at_ms FROM ingest_nodes
       WHERE seen_at < clock_timestamp() - $1::float8 * interval '1 millisecond' ORDER BY id`,
      [silentMs],
    );
    return rows.map(({ id, seen_at_ms }) => ({ nodeId: id, seenAtMs: seen_at_ms }));
  }

  async ofNode(nodeId: string, limit: number): ReturnType<ClientSessions["ofNode"]> {
    const rows = await this.#database.query<{
      id: string;
      epoch: number;
      asset_id: string;
      is_link: boolean;
      at_ms: number;
    }>(
      "SELECT id, epoch, asset_id, is_link, at_ms FROM client_sessions WHERE node_id = $1 LIMIT $2",
      [nodeId, limit],
    );
    return rows.map(({ id, epoch, asset_id, is_link, at_ms }) => ({
      id,
      epoch,
      assetId: asset_id === "" ? undefined : (asset_id as AssetId),
      isLink: is_link,
      atMs: at_ms,
    }));
  }

  async elsewhere(nodeId: string, assetIds: readonly AssetId[]): Promise<readonly AssetId[]> {
    if (assetIds.length === 0) return [];
    const rows = await this.#database.query<{ asset_id: string }>(
      `SELECT DISTINCT asset_id FROM client_sessions
       WHERE asset_id = ANY($2::text[]) AND asset_id <> '' AND is_link AND node_id <> $1
       ORDER BY asset_id`,
      [nodeId, assetIds],
    );
    return rows.map(({ asset_id }) => asset_id as AssetId);
  }

  async newestNode(assetId: AssetId): Promise<string | undefined> {
    const [row] = await this.#database.query<{ node_id: string }>(
      `SELECT node_id FROM client_sessions WHERE asset_id = $1 AND asset_id <> ''
       ORDER BY epoch DESC LIMIT 1`,
      [assetId],
    );
    return row?.node_id;
  }

  async forgetNode(nodeId: string): Promise<void> {
    await this.#database.query(
      `WITH lost AS (DELETE FROM lost_client_sessions WHERE node_id = $1)
       DELETE FROM ingest_nodes WHERE id = $1`,
      [nodeId],
    );
  }

  async forgetTakeovers(): Promise<void> {
    await this.#database.query(`DELETE FROM client_takeovers WHERE ${OLD_TAKEOVERS}`);
  }
}

const columns = (sessions: readonly NumberedSession[]) => [
  sessions.map(({ id }) => id),
  sessions.map(({ epoch }) => epoch),
];

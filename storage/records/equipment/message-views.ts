import type { AssetId } from "../../../domain/ids.ts";
import type { MessageView, MessageViews } from "../../ports/equipment/device-log.ts";
import type { Database } from "../sql/database.ts";

/** The store's clock, ms since the Unix epoch: the processes that ask and answer have clocks of their own. */
const NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/** How long a question is open, ms; the client gave up long before. */
const OPEN_MS = 60_000;

/** Questions about messages and their answers, in SQL. */
export class SqlMessageViews implements MessageViews {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async ask(assetId: AssetId): Promise<number> {
    const [asked] = await this.#database.query<{ asked_at_ms: number }>(
      // Later than every answer there is: one of this very millisecond would count as an answer to it.
      `INSERT INTO message_questions (asset_id, asked_at_ms) VALUES ($1, greatest(${NOW_MS},
         (SELECT max(answered_at_ms) + 1 FROM message_answers WHERE asset_id = $1)))
       ON CONFLICT (asset_id) DO UPDATE
         SET asked_at_ms = greatest(excluded.asked_at_ms, message_questions.asked_at_ms + 1)
       RETURNING asked_at_ms`,
      [assetId],
    );
    return asked?.asked_at_ms ?? 0;
  }

  async unanswered(nodeId: string): Promise<readonly AssetId[]> {
    const rows = await this.#database.query<{ asset_id: string }>(
      `SELECT question.asset_id FROM message_questions AS question
       LEFT JOIN message_answers AS answer
         ON answer.asset_id = question.asset_id AND answer.node_id = $1
       WHERE answer.answered_at_ms IS NULL OR answer.answered_at_ms < question.asked_at_ms`,
      [nodeId],
    );
    await this.#database.query(
      `WITH closed AS (
         DELETE FROM message_questions WHERE asked_at_ms < ${NOW_MS} - $1::bigint
         RETURNING asset_id
       )
       DELETE FROM message_answers USING closed WHERE message_answers.asset_id = closed.asset_id`,
      [OPEN_MS],
    );
    return rows.map(({ asset_id }) => asset_id as AssetId);
  }

  async answer(nodeId: string, assetId: AssetId, view: MessageView): Promise<void> {
    await this.#database.query(
      `INSERT INTO message_answers (asset_id, node_id, answered_at_ms, view)
       SELECT asset_id, $2, greatest(${NOW_MS}, asked_at_ms), $3
       FROM message_questions WHERE asset_id = $1
       ON CONFLICT (asset_id, node_id) DO UPDATE
         SET answered_at_ms = excluded.answered_at_ms, view = excluded.view`,
      [assetId, nodeId, JSON.stringify(view)],
    );
  }

  async answers(assetId: AssetId, token: number): Promise<readonly MessageView[]> {
    const rows = await this.#database.query<{ view: unknown }>(
      `SELECT view FROM message_answers WHERE asset_id = $1 AND answered_at_ms >= $2
       ORDER BY node_id`,
      [assetId, token],
    );
    return rows.map(({ view }) => toView(view));
  }
}

/** JSON leaves out what is `undefined`; both engines parse it to an object or leave it as text. */
function toView(stored: unknown): MessageView {
  const { sinceMs, messages } = (
    typeof stored === "string" ? JSON.parse(stored) : stored
  ) as MessageView;
  return {
    sinceMs,
    messages: messages.map((message) => ({
      ...message,
      reason: message.reason,
      newestFixMs: message.newestFixMs,
    })),
  };
}

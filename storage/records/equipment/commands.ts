import type { CommandState } from "../../../domain/equipment/command.ts";
import {
  type Command,
  KEPT_COMMANDS_PER_ASSET,
  type NewCommand,
  OPEN_COMMANDS_PER_ASSET,
  OPEN_COMMANDS_PER_PROJECT,
} from "../../../domain/equipment/command.ts";
import { commandEvent } from "../../../domain/equipment/command-event.ts";
import { asQueued } from "../../../domain/equipment/command-steps.ts";
import type { AssetId, CommandId, ProjectId } from "../../../domain/ids.ts";
import { requireRoomForCommand } from "../../../domain/platform/record-limits.ts";
import type { CommandRecords } from "../../ports/equipment/commands.ts";
import { insertEvents } from "../events/event-writes.ts";
import type { Database, Queryable, SqlValue } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { orderBy } from "../sql/list-order.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { withoutNul } from "../sql/text.ts";

type StoredCommand = {
  readonly id: string;
  readonly asset_id: string;
  readonly project_id: string;
  readonly sequence: number;
  readonly name: string;
  /** `[value]`, so that JSON's null is a value and SQL's is none. */
  readonly parameters: readonly [unknown] | null;
  readonly state: Command["state"];
  readonly attempt: number;
  readonly max_attempts: number;
  readonly carrier: Command["carrier"] | null;
  readonly failure: Command["failure"] | null;
  readonly detail: string | null;
  readonly answer: Command["answer"] | null;
  readonly created_by: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly changed_at_ms: number;
  readonly sent_at_ms: number | null;
  readonly delivered_at_ms: number | null;
  readonly answered_at_ms: number | null;
};

const COLUMNS = `id, asset_id, project_id, sequence, name, parameters, state, attempt, max_attempts,
  carrier, failure, detail, answer, created_by, created_at_ms, expires_at_ms, changed_at_ms, sent_at_ms,
  delivered_at_ms, answered_at_ms`;
/** As in the partial indices. */
const OPEN = "state IN ('queued', 'sent')";

/** Commands to devices in SQL. */
export class SqlCommandRecords implements CommandRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(command: NewCommand): Promise<Command> {
    return this.#database.transaction(async (transaction) => {
      // The lock on the counter's row makes one insertion wait for the other: two that count before
      // either commits would both fit in.
      const [counter] = await transaction.query<{ value: number }>(
        "UPDATE counters SET value = value + 1 WHERE name = 'command_sequence' RETURNING value",
      );
      await requireRoom(transaction, command);
      const queued = asQueued(command, counter?.value ?? 0);
      await explainViolations(
        transaction.query(
          `INSERT INTO commands (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
             $13, $14, $15, $16, $17, $18, $19, $20)`,
          toValues(queued),
        ),
        { unique: ["ID_CONFLICT", `command id "${command.id}" is taken`] },
      );
      await insertEvents(transaction, [commandEvent(queued)]);
      await dropOldest(transaction, command.assetId);
      return queued;
    });
  }

  find(id: CommandId): Promise<Command | undefined> {
    return this.#findBy("id = $1", [id]);
  }

  findBySequence(assetId: AssetId, sequence: number): Promise<Command | undefined> {
    return this.#findBy("asset_id = $1 AND sequence = $2", [assetId, sequence]);
  }

  async list({
    assetId,
    projectIds,
    states,
    isReversed,
    limit,
    offset,
  }: {
    readonly assetId: AssetId;
    readonly projectIds?: readonly ProjectId[];
    readonly states?: readonly CommandState[];
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly commands: readonly Command[]; readonly total: number }> {
    const matches = `asset_id = $1 AND ($2::text[] IS NULL OR project_id = ANY ($2))
      AND ($3::text[] IS NULL OR state = ANY ($3))`;
    const values = [assetId, projectIds ?? null, states ?? null];
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM commands WHERE ${matches}`,
      values,
    );
    const rows = await this.#database.query<StoredCommand>(
      `SELECT ${COLUMNS} FROM commands WHERE ${matches}
       ${orderBy("sequence DESC", isReversed)} LIMIT $4 OFFSET $5`,
      [...values, limit, offset],
    );
    return { commands: rows.map(toCommand), total: counted?.total ?? 0 };
  }

  update(
    id: CommandId,
    change: (before: Command) => Command | undefined,
  ): Promise<Command | undefined> {
    return this.#database.transaction(async (transaction) => {
      const [row] = await transaction.query<StoredCommand>(
        `SELECT ${COLUMNS} FROM commands WHERE id = $1 FOR UPDATE`,
        [id],
      );
      const after = row && change(toCommand(row));
      if (after === undefined) return undefined;
      await transaction.query(
        `UPDATE commands SET state = $2, attempt = $3, carrier = $4, failure = $5, detail = $6,
           answer = $7, changed_at_ms = $8, sent_at_ms = $9, delivered_at_ms = $10,
           answered_at_ms = $11
         WHERE id = $1`,
        [id, ...changing(after)],
      );
      await insertEvents(transaction, [commandEvent(after)]);
      return after;
    });
  }

  head(assetId: AssetId): Promise<Command | undefined> {
    return this.#findBy(`asset_id = $1 AND ${OPEN} ORDER BY sequence LIMIT 1`, [assetId]);
  }

  async openAssets(): Promise<readonly AssetId[]> {
    const rows = await this.#database.query<{ asset_id: string }>(
      `SELECT DISTINCT asset_id FROM commands WHERE ${OPEN}`,
    );
    return rows.map(({ asset_id }) => asset_id as AssetId);
  }

  async lastSequence(): Promise<number> {
    const [row] = await this.#database.query<{ value: number }>(
      "SELECT value FROM counters WHERE name = 'command_sequence'",
    );
    return row?.value ?? 0;
  }

  async since(
    sequence: number,
    limit: number,
  ): Promise<readonly { readonly sequence: number; readonly assetId: AssetId }[]> {
    const rows = await this.#database.query<{ sequence: number; asset_id: string }>(
      "SELECT sequence, asset_id FROM commands WHERE sequence > $1 ORDER BY sequence LIMIT $2",
      [sequence, limit],
    );
    return rows.map((row) => ({ sequence: row.sequence, assetId: row.asset_id as AssetId }));
  }

  async overdue(atMs: number, limit: number): Promise<readonly CommandId[]> {
    const rows = await this.#database.query<{ id: string }>(
      `SELECT id FROM commands WHERE ${OPEN} AND expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2`,
      [atMs, limit],
    );
    return rows.map(({ id }) => id as CommandId);
  }

  expire(beforeMs: number): Promise<boolean> {
    return expireRows(
      this.#database,
      {
        table: "commands",
        old: "aged.changed_at_ms < $1 AND aged.state NOT IN ('queued', 'sent')",
        order: "changed_at_ms",
      },
      [beforeMs],
    );
  }

  async #findBy(where: string, values: readonly SqlValue[]): Promise<Command | undefined> {
    const [row] = await this.#database.query<StoredCommand>(
      `SELECT ${COLUMNS} FROM commands WHERE ${where}`,
      values,
    );
    return row && toCommand(row);
  }
}

/** @throws DomainError `LIMIT_REACHED`. */
async function requireRoom(
  transaction: Queryable,
  { assetId, projectId }: NewCommand,
): Promise<void> {
  const [open] = await transaction.query<{ of_asset: number; of_project: number }>(
    `SELECT
       (SELECT count(*) FROM (SELECT 1 FROM commands
          WHERE asset_id = $1 AND ${OPEN} LIMIT ${OPEN_COMMANDS_PER_ASSET}) AS a) AS of_asset,
       (SELECT count(*) FROM (SELECT 1 FROM commands
          WHERE project_id = $2 AND ${OPEN} LIMIT ${OPEN_COMMANDS_PER_PROJECT}) AS p) AS of_project`,
    [assetId, projectId],
  );
  requireRoomForCommand({ ofAsset: open?.of_asset ?? 0, ofProject: open?.of_project ?? 0 });
}

/** Keeps an asset's newest; open ones stay whatever their age. */
async function dropOldest(transaction: Queryable, assetId: AssetId): Promise<void> {
  await transaction.query(
    `DELETE FROM commands WHERE asset_id = $1 AND NOT (${OPEN}) AND sequence < (
       SELECT sequence FROM commands WHERE asset_id = $1 ORDER BY sequence DESC
       OFFSET ${KEPT_COMMANDS_PER_ASSET - 1} LIMIT 1
     )`,
    [assetId],
  );
}

/** What changes in a command's life, in the order of the UPDATE. */
const changing = (command: Command): readonly SqlValue[] => [
  command.state,
  command.attempt,
  command.carrier ?? null,
  command.failure ?? null,
  command.detail === undefined ? null : withoutNul(command.detail),
  command.answer === undefined ? null : JSON.stringify(command.answer),
  command.changedAtMs,
  command.sentAtMs ?? null,
  command.deliveredAtMs ?? null,
  command.answeredAtMs ?? null,
];

function toValues(command: Command): readonly SqlValue[] {
  const [state, attempt, carrier, failure, detail, answer, changedAtMs, ...times] =
    changing(command);
  return [
    command.id,
    command.assetId,
    command.projectId,
    command.sequence,
    command.name,
    command.parameters === undefined ? null : JSON.stringify([command.parameters]),
    state ?? null,
    attempt ?? null,
    command.maxAttempts,
    carrier ?? null,
    failure ?? null,
    detail ?? null,
    answer ?? null,
    command.createdBy,
    command.createdAtMs,
    command.expiresAtMs,
    changedAtMs ?? null,
    ...times,
  ];
}

const toCommand = (row: StoredCommand): Command => ({
  id: row.id as CommandId,
  assetId: row.asset_id as AssetId,
  projectId: row.project_id as ProjectId,
  sequence: row.sequence,
  name: row.name,
  parameters: row.parameters === null ? undefined : row.parameters[0],
  state: row.state,
  attempt: row.attempt,
  maxAttempts: row.max_attempts,
  carrier: row.carrier ?? undefined,
  failure: row.failure ?? undefined,
  detail: row.detail ?? undefined,
  answer: row.answer ?? undefined,
  createdBy: row.created_by,
  createdAtMs: row.created_at_ms,
  expiresAtMs: row.expires_at_ms,
  changedAtMs: row.changed_at_ms,
  sentAtMs: row.sent_at_ms ?? undefined,
  deliveredAtMs: row.delivered_at_ms ?? undefined,
  answeredAtMs: row.answered_at_ms ?? undefined,
});

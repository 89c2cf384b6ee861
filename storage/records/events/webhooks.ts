import { isDeepStrictEqual } from "node:util";
import { DomainError } from "../../../domain/errors.ts";
import type { ProjectId, WebhookId } from "../../../domain/ids.ts";
import type { Webhook, WebhookRecords, WebhookSecret } from "../../ports/events/webhooks.ts";
import type { Database, SqlValue } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { requireRoomIn } from "../sql/record-limits.ts";
import { SqlDeliveries } from "./webhook-deliveries.ts";

/** A secret as JSON; the bytes in base64. */
type StoredSecret = {
  readonly sealed: string;
  readonly createdAtMs: number;
  readonly expiresAtMs?: number;
};

type StoredWebhook = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly project_ids: readonly string[] | null;
  readonly subscription: number;
  readonly status: Webhook["status"];
  readonly disabled_reason: string | null;
  readonly secrets: readonly StoredSecret[];
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
};

const COLUMNS = `id, name, url, types, project_ids, status, disabled_reason, secrets, created_at_ms,
  updated_at_ms, subscription`;

/** Webhooks, how far each has come in the outbox, and their deliveries, in SQL. */
export class SqlWebhookRecords implements WebhookRecords {
  readonly #database: Database;
  readonly #deliveries: SqlDeliveries;

  constructor(database: Database) {
    this.#database = database;
    this.#deliveries = new SqlDeliveries(database);
  }

  insert(webhook: Omit<Webhook, "subscription">): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      await requireRoomIn(transaction, "webhooks", webhook);
      await explainViolations(
        // The newest event of this statement's snapshot: whatever commits after it has a higher sequence.
        transaction.query(
          `WITH webhook AS (
             INSERT INTO webhooks (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             RETURNING id
           )
           INSERT INTO webhook_cursors (webhook_id, sequence)
           SELECT id, value FROM webhook, counters WHERE counters.name = 'event_sequence'`,
          toValues({ ...webhook, subscription: 1 }),
        ),
        { unique: ["ID_CONFLICT", `webhook id "${webhook.id}" is taken`] },
      );
    });
  }

  async list(): Promise<readonly Webhook[]> {
    const rows = await this.#database.query<StoredWebhook>(
      `SELECT ${COLUMNS} FROM webhooks ORDER BY created_at_ms, id`,
    );
    return rows.map(toWebhook);
  }

  async find(id: WebhookId): Promise<Webhook | undefined> {
    const [row] = await this.#database.query<StoredWebhook>(
      `SELECT ${COLUMNS} FROM webhooks WHERE id = $1`,
      [id],
    );
    return row && toWebhook(row);
  }

  update(
    id: WebhookId,
    change: (before: Webhook) => Webhook,
    { skipMissed }: { readonly skipMissed: boolean } = { skipMissed: false },
  ): Promise<Webhook> {
    return this.#database.transaction(async (transaction) => {
      // NO KEY: deliveries, which refer to it, can be recorded meanwhile.
      const [before] = await transaction.query<StoredWebhook>(
        `SELECT ${COLUMNS} FROM webhooks WHERE id = $1 FOR NO KEY UPDATE`,
        [id],
      );
      if (before === undefined) throw webhookNotFound(id);
      const webhook = renumbered(toWebhook(before), change(toWebhook(before)));
      if (!isDeepStrictEqual(webhook.projectIds, before.project_ids ?? undefined)) {
        await requireRoomIn(transaction, "webhooks", webhook);
      }
      if (skipMissed) await transaction.query(SKIP_MISSED, [id]);
      await transaction.query(
        `UPDATE webhooks SET name = $2, url = $3, types = $4, project_ids = $5, status = $6,
           disabled_reason = $7, secrets = $8, created_at_ms = $9, updated_at_ms = $10,
           subscription = $11
         WHERE id = $1`,
        toValues({ ...webhook, id }),
      );
      return webhook;
    });
  }

  async delete(id: WebhookId): Promise<void> {
    const deleted = await this.#database.query("DELETE FROM webhooks WHERE id = $1 RETURNING id", [
      id,
    ]);
    if (deleted.length === 0) throw webhookNotFound(id);
  }

  cursors(...given: Parameters<WebhookRecords["cursors"]>): ReturnType<WebhookRecords["cursors"]> {
    return this.#deliveries.cursors(...given);
  }

  record(...given: Parameters<WebhookRecords["record"]>): ReturnType<WebhookRecords["record"]> {
    return this.#deliveries.record(...given);
  }

  due(...given: Parameters<WebhookRecords["due"]>): ReturnType<WebhookRecords["due"]> {
    return this.#deliveries.due(...given);
  }

  deliveries(
    ...given: Parameters<WebhookRecords["deliveries"]>
  ): ReturnType<WebhookRecords["deliveries"]> {
    return this.#deliveries.deliveries(...given);
  }

  findDelivery(
    ...given: Parameters<WebhookRecords["findDelivery"]>
  ): ReturnType<WebhookRecords["findDelivery"]> {
    return this.#deliveries.findDelivery(...given);
  }

  expire(...given: Parameters<WebhookRecords["expire"]>): ReturnType<WebhookRecords["expire"]> {
    return this.#deliveries.expire(...given);
  }
}

const SKIP_MISSED = `
UPDATE webhook_cursors SET sequence = value FROM counters
WHERE webhook_id = $1 AND name = 'event_sequence'`;

/** The changed webhook, under the next number when the change is one of its subscription. */
function renumbered({ types, projectIds, subscription }: Webhook, after: Webhook): Webhook {
  const isSame = isDeepStrictEqual([types, projectIds], [after.types, after.projectIds]);
  return { ...after, subscription: isSame ? subscription : subscription + 1 };
}

function webhookNotFound(id: WebhookId): DomainError {
  return new DomainError("WEBHOOK_NOT_FOUND", `no webhook "${id}"`);
}

function toValues(webhook: Webhook): readonly SqlValue[] {
  return [
    webhook.id,
    webhook.name,
    webhook.url,
    webhook.types,
    webhook.projectIds ?? null,
    webhook.status,
    webhook.disabledReason ?? null,
    JSON.stringify(webhook.secrets.map(toStoredSecret)),
    webhook.createdAtMs,
    webhook.updatedAtMs,
    webhook.subscription,
  ];
}

function toWebhook(row: StoredWebhook): Webhook {
  return {
    id: row.id as WebhookId,
    name: row.name,
    url: row.url,
    types: row.types,
    projectIds: (row.project_ids ?? undefined) as readonly ProjectId[] | undefined,
    subscription: row.subscription,
    status: row.status,
    disabledReason: row.disabled_reason ?? undefined,
    secrets: row.secrets.map(toSecret),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

const toStoredSecret = ({ sealed, createdAtMs, expiresAtMs }: WebhookSecret): StoredSecret => ({
  sealed: Buffer.from(sealed).toString("base64"),
  createdAtMs,
  ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
});

const toSecret = ({ sealed, createdAtMs, expiresAtMs }: StoredSecret): WebhookSecret => ({
  sealed: new Uint8Array(Buffer.from(sealed, "base64")),
  createdAtMs,
  expiresAtMs,
});

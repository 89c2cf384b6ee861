import type { WebhookId } from "../../../domain/ids.ts";
import type {
  DeliveryState,
  WebhookDelivery,
  WebhookPlace,
  WebhookRecords,
} from "../../ports/events/webhooks.ts";
import { createBatchUpsert } from "../sql/batch-upsert.ts";
import type { Database, Queryable } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { orderBy } from "../sql/list-order.ts";
import { withoutNul } from "../sql/text.ts";

type StoredDelivery = {
  readonly webhook_id: string;
  readonly event_sequence: number;
  readonly message_id: string;
  readonly event_type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly first_attempt_at_ms: number | null;
  readonly last_attempt_at_ms: number | null;
  readonly next_attempt_at_ms: number | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly last_duration_ms: number | null;
};

type DeliveryRecords = Pick<
  WebhookRecords,
  "cursors" | "record" | "due" | "deliveries" | "findDelivery" | "expire"
>;

/** How far each webhook has come in the outbox, and its deliveries, in SQL. */
export class SqlDeliveries implements DeliveryRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async cursors(): Promise<ReadonlyMap<WebhookId, number>> {
    const rows = await this.#database.query<{ webhook_id: string; sequence: number }>(
      "SELECT webhook_id, sequence FROM webhook_cursors",
    );
    return new Map(rows.map((row) => [row.webhook_id as WebhookId, row.sequence]));
  }

  record({
    deliveries,
    cursors,
  }: {
    readonly deliveries: readonly WebhookDelivery[];
    readonly cursors: ReadonlyMap<WebhookId, WebhookPlace>;
  }): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      const ids = new Set([...cursors.keys(), ...deliveries.map((row) => row.webhookId)]);
      const existing = await lockWebhooks(transaction, [...ids]);
      await upsertDeliveries(
        transaction,
        deliveries.filter((delivery) => existing.has(delivery.webhookId)),
      );
      await moveCursors(transaction, cursors);
    });
  }

  async due(atMs: number, limit: number): Promise<readonly WebhookDelivery[]> {
    const rows = await this.#database.query<StoredDelivery>(
      `SELECT due.* FROM webhooks, LATERAL (
         SELECT * FROM webhook_deliveries
         WHERE webhook_id = webhooks.id AND state = 'pending' AND next_attempt_at_ms <= $1
         ORDER BY event_sequence LIMIT $2
       ) AS due
       WHERE status = 'active' ORDER BY event_sequence, webhook_id`,
      [atMs, limit],
    );
    return rows.map(toDelivery);
  }

  async deliveries(
    id: WebhookId,
    {
      states,
      isReversed,
      limit,
      offset,
    }: {
      readonly states?: readonly DeliveryState[];
      readonly isReversed?: boolean;
      readonly limit: number;
      readonly offset: number;
    },
  ): Promise<{ readonly deliveries: readonly WebhookDelivery[]; readonly total: number }> {
    const matches = "webhook_id = $1 AND ($2::text[] IS NULL OR state = ANY ($2))";
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM webhook_deliveries WHERE ${matches}`,
      [id, states ?? null],
    );
    const rows = await this.#database.query<StoredDelivery>(
      `SELECT * FROM webhook_deliveries WHERE ${matches}
       ${orderBy("event_sequence DESC", isReversed)} LIMIT $3 OFFSET $4`,
      [id, states ?? null, limit, offset],
    );
    return { deliveries: rows.map(toDelivery), total: counted?.total ?? 0 };
  }

  async findDelivery(id: WebhookId, eventSequence: number): Promise<WebhookDelivery | undefined> {
    const [row] = await this.#database.query<StoredDelivery>(
      "SELECT * FROM webhook_deliveries WHERE webhook_id = $1 AND event_sequence = $2",
      [id, eventSequence],
    );
    return row && toDelivery(row);
  }

  expire(beforeMs: number): Promise<boolean> {
    return expireRows(
      this.#database,
      {
        table: "webhook_deliveries",
        old: "aged.last_attempt_at_ms < $1 AND aged.state <> 'pending'",
        order: "last_attempt_at_ms",
      },
      [beforeMs],
    );
  }
}

/** Keeps these webhooks from being deleted until the transaction ends, and yields those there are. */
async function lockWebhooks(
  transaction: Queryable,
  ids: readonly WebhookId[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ id: string }>(
    "SELECT id FROM webhooks WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE",
    [ids],
  );
  return new Set(rows.map((row) => row.id));
}

async function moveCursors(
  transaction: Queryable,
  cursors: ReadonlyMap<WebhookId, WebhookPlace>,
): Promise<void> {
  if (cursors.size === 0) return;
  const places = [...cursors.values()];
  await transaction.query(
    `UPDATE webhook_cursors SET sequence = moved.sequence
     FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS moved (webhook_id, sequence, subscription)
     JOIN webhooks ON webhooks.id = moved.webhook_id AND webhooks.subscription = moved.subscription
     WHERE webhook_cursors.webhook_id = moved.webhook_id
       AND webhook_cursors.sequence < moved.sequence`,
    [
      [...cursors.keys()],
      places.map(({ sequence }) => sequence),
      places.map(({ subscription }) => subscription),
    ],
  );
}

const upsertDeliveries = createBatchUpsert<WebhookDelivery>(
  "webhook_deliveries",
  ["webhook_id", "event_sequence"],
  [
    ["webhook_id", "text", (delivery) => delivery.webhookId],
    ["event_sequence", "bigint", (delivery) => delivery.eventSequence],
    ["message_id", "text", (delivery) => delivery.messageId],
    ["event_type", "text", (delivery) => delivery.eventType],
    ["state", "text", (delivery) => delivery.state],
    ["attempts", "int", (delivery) => delivery.attempts],
    ["first_attempt_at_ms", "bigint", (delivery) => wholeMs(delivery.firstAttemptAtMs)],
    ["last_attempt_at_ms", "bigint", (delivery) => wholeMs(delivery.lastAttemptAtMs)],
    ["next_attempt_at_ms", "bigint", (delivery) => wholeMs(delivery.nextAttemptAtMs)],
    ["last_status", "int", (delivery) => delivery.lastStatus ?? null],
    // A receiver may have had a say in it.
    [
      "last_error",
      "text",
      ({ lastError }) => (lastError === undefined ? null : withoutNul(lastError)),
    ],
    ["last_duration_ms", "float8", (delivery) => delivery.lastDurationMs ?? null],
  ],
);

/** A jittered time need not be whole. */
const wholeMs = (ms: number | undefined): number | null =>
  ms === undefined ? null : Math.round(ms);

function toDelivery(row: StoredDelivery): WebhookDelivery {
  return {
    webhookId: row.webhook_id as WebhookId,
    eventSequence: row.event_sequence,
    messageId: row.message_id,
    eventType: row.event_type,
    state: row.state,
    attempts: row.attempts,
    firstAttemptAtMs: row.first_attempt_at_ms ?? undefined,
    lastAttemptAtMs: row.last_attempt_at_ms ?? undefined,
    nextAttemptAtMs: row.next_attempt_at_ms ?? undefined,
    lastStatus: row.last_status ?? undefined,
    lastError: row.last_error ?? undefined,
    lastDurationMs: row.last_duration_ms ?? undefined,
  };
}

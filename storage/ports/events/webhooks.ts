import type { ProjectId, WebhookId } from "../../../domain/ids.ts";

/** A secret that a webhook's deliveries are signed with. */
export interface WebhookSecret {
  /** Encrypted by the caller; the store never sees the secret itself. */
  readonly sealed: Uint8Array;
  readonly createdAtMs: number;
  /** Signs beside its successor until then (rotation); `undefined`: no end. */
  readonly expiresAtMs: number | undefined;
}

/** Somebody's HTTP address that events are posted to. */
export interface Webhook {
  readonly id: WebhookId;
  readonly name: string;
  readonly url: string;
  /** Event types, `*` at the end matches any ending; empty: every type. */
  readonly types: readonly string[];
  /** `undefined`: every project, and events of no project. */
  readonly projectIds: readonly ProjectId[] | undefined;
  /** Number of the subscription, which is types and projects together; rises with every change of it. */
  readonly subscription: number;
  /** `disabled`: by a person, or because the receiver answered 410 (`disabledReason`). */
  readonly status: "active" | "disabled";
  readonly disabledReason: string | undefined;
  /** Newest first; at least one. */
  readonly secrets: readonly WebhookSecret[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** `pending`: waits for its next attempt; `delivered`: a 2xx came; `failed`: given up. */
export type DeliveryState = "pending" | "delivered" | "failed";

/** One event (one revision of it) on its way to one webhook. */
export interface WebhookDelivery {
  readonly webhookId: WebhookId;
  /** Sequence of the event. */
  readonly eventSequence: number;
  /** The `webhook-id` header: `{event_id}.{revision}`; the same at every attempt and replay. */
  readonly messageId: string;
  readonly eventType: string;
  readonly state: DeliveryState;
  /** Attempts made so far. */
  readonly attempts: number;
  readonly firstAttemptAtMs: number | undefined;
  readonly lastAttemptAtMs: number | undefined;
  /** When it is tried next; `undefined` unless `pending`. */
  readonly nextAttemptAtMs: number | undefined;
  /** HTTP status of the last answer; `undefined` when none came. */
  readonly lastStatus: number | undefined;
  /** Why the last attempt failed, in words that name no address; `undefined` after success. */
  readonly lastError: string | undefined;
  readonly lastDurationMs: number | undefined;
}

/** How far a webhook has come in the outbox, under one subscription. */
export interface WebhookPlace {
  readonly subscription: number;
  readonly sequence: number;
}

export interface WebhookRecords {
  /**
   * Every event that is recorded after it is stored is delivered to it: one transaction makes the
   * webhook, with subscription 1, and its cursor. @throws DomainError `ID_CONFLICT`, `LIMIT_REACHED`.
   */
  insert(webhook: Omit<Webhook, "subscription">): Promise<void>;
  list(): Promise<readonly Webhook[]>;
  find(id: WebhookId): Promise<Webhook | undefined>;
  /**
   * One change after the other; changed types or projects are the next subscription. With `skipMissed`,
   * the same transaction moves the cursor behind the newest event.
   * @throws DomainError `WEBHOOK_NOT_FOUND`, `LIMIT_REACHED`.
   */
  update(
    id: WebhookId,
    change: (before: Webhook) => Webhook,
    options?: { readonly skipMissed: boolean },
  ): Promise<Webhook>;
  /** With its deliveries. @throws DomainError `WEBHOOK_NOT_FOUND`. */
  delete(id: WebhookId): Promise<void>;

  /** Sequence up to which every event has been dealt with: delivered, not wanted, or in a delivery row. */
  cursors(): Promise<ReadonlyMap<WebhookId, number>>;
  /**
   * One transaction: inserts or replaces the delivery rows (key: webhook, event sequence) and moves the
   * cursors, which never go back. Rows and cursors of webhooks that are gone are left out. So are the
   * cursors of a subscription that is not in force any more: the new one may want what the old one
   * passed over.
   */
  record(change: {
    readonly deliveries: readonly WebhookDelivery[];
    readonly cursors: ReadonlyMap<WebhookId, WebhookPlace>;
  }): Promise<void>;
  /** Pending deliveries of active webhooks with `nextAttemptAtMs <= atMs`, oldest event first, at most `limit` per webhook. */
  due(atMs: number, limit: number): Promise<readonly WebhookDelivery[]>;
  /** The delivery log of one webhook, newest event first. */
  deliveries(
    id: WebhookId,
    filter: {
      /** Absent: all. */
      readonly states?: readonly DeliveryState[];
      /** From its other end. */
      readonly isReversed?: boolean;
      readonly limit: number;
      readonly offset: number;
    },
  ): Promise<{ readonly deliveries: readonly WebhookDelivery[]; readonly total: number }>;
  findDelivery(id: WebhookId, eventSequence: number): Promise<WebhookDelivery | undefined>;
  /**
   * Deletes a bounded number of settled (delivered or failed) deliveries whose last attempt was before
   * `beforeMs`, and yields whether more are left.
   */
  expire(beforeMs: number): Promise<boolean>;
}

import { pino } from "pino";
import { Webhook as Verifier } from "standardwebhooks";
import { vi } from "vitest";
import type { NewEvent } from "../../domain/events/events.ts";
import type { ProjectId, WebhookId } from "../../domain/ids.ts";
import { createSecretSeal } from "../../ingest/credentials/secret-seal.ts";
import { type EventFeed, startEventFeed } from "../../ingest/delivery/event-feed.ts";
import { WebhookDispatcher } from "../../ingest/delivery/webhooks/dispatcher.ts";
import { newSigningSecret } from "../../ingest/delivery/webhooks/signature.ts";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { openOutboundClient } from "../../outbound/client.ts";
import type { ExchangeLimits } from "../../outbound/exchange.ts";
import { OutboundError } from "../../outbound/failure.ts";
import type { Webhook, WebhookDelivery } from "../../storage/ports/events/webhooks.ts";
import type { Received } from "./http-receiver.ts";
import { type MemoryRecords, openMemoryRecords } from "./memory-records.ts";
import { newEvent } from "./new-event.ts";
import { PATIENT_EXCHANGES } from "./patience.ts";

const PEPPER = new Uint8Array(32).fill(3);
/** 2026-03-05 12:00:00 UTC. */
export const START_MS = Date.UTC(2026, 2, 5, 12);
const log = pino({ level: "silent" });

/** A dispatcher with everything around it: stores in memory, a feed, and a clock that the test moves. */
export interface WebhookSite extends AsyncDisposable {
  readonly records: MemoryRecords;
  readonly clock: { ms: number };
  readonly feed: EventFeed;
  dispatcher: WebhookDispatcher;
  readonly secret: string;
  readonly seal: ReturnType<typeof createSecretSeal>;
  /** Subscribes a URL to all that happens from now on. */
  subscribe(id: string, url: string, more?: Partial<Webhook>): Promise<WebhookId>;
  raise(...events: readonly NewEvent[]): Promise<void>;
  /** Raises `count` events `evt_{from}`, ... */
  raiseMany(count: number, from?: number): Promise<void>;
  /** Ends the dispatcher and starts another one on the same records. */
  restart(): Promise<void>;
  delivery(id: WebhookId, sequence: number): Promise<WebhookDelivery | undefined>;
  deliveries(id: WebhookId): Promise<readonly WebhookDelivery[]>;
}

export async function openWebhookSite(
  options: {
    readonly allowCidrs?: readonly string[];
    readonly limits?: Partial<ExchangeLimits>;
    readonly names?: Readonly<Record<string, readonly string[]>>;
  } = {},
): Promise<WebhookSite> {
  const clock = { ms: START_MS };
  const now = () => clock.ms;
  const records = openMemoryRecords(now);
  const feed = await startEventFeed({ records: records.events, pollMs: 5, log });
  const outbound = openOutboundClient({
    rules: createAddressRules(options.allowCidrs ?? ["127.0.0.0/8"]),
    async resolve(host) {
      const addresses = options.names?.[host];
      if (addresses === undefined) throw new OutboundError("host not found");
      return addresses;
    },
    limits: { ...PATIENT_EXCHANGES, ...options.limits },
  });
  const start = () =>
    WebhookDispatcher.start({
      records,
      feed,
      pepper: PEPPER,
      outbound,
      now,
      log,
      // The middle of the jitter: waits are those of the table.
      random: () => 0.5,
      pollEveryMs: 10,
      recordEveryMs: 10,
      stopMs: 100,
    });
  const seal = createSecretSeal(PEPPER, "webhooks");
  const secret = newSigningSecret();

  const site: WebhookSite = {
    records,
    clock,
    feed,
    dispatcher: await start(),
    secret,
    seal,
    async subscribe(id, url, more = {}) {
      const webhook: Webhook = {
        id: id as WebhookId,
        name: id,
        url,
        types: [],
        projectIds: undefined,
        subscription: 1,
        status: "active",
        disabledReason: undefined,
        secrets: [{ sealed: seal.seal(id, secret), createdAtMs: now(), expiresAtMs: undefined }],
        createdAtMs: now(),
        updatedAtMs: now(),
        ...more,
      };
      await records.webhooks.insert(webhook);
      await site.dispatcher.refresh();
      return webhook.id;
    },
    async raise(...events) {
      await records.events.append(events);
      feed.poke();
    },
    raiseMany: (count, from = 1) =>
      site.raise(...Array.from({ length: count }, (_, i) => newEvent(`evt_${from + i}`))),
    async restart() {
      await site.dispatcher.stop();
      site.dispatcher = await start();
    },
    delivery: (id, sequence) => records.webhooks.findDelivery(id, sequence),
    deliveries: async (id) =>
      (await records.webhooks.deliveries(id, { limit: 10_000, offset: 0 })).deliveries,
    async [Symbol.asyncDispose]() {
      await site.dispatcher.stop();
      await feed.stop();
      outbound.close();
    },
  };
  return site;
}

export const P2 = "p2" as ProjectId;

/** Message ids in the order of arrival. */
export const idsOf = (received: readonly Received[]): readonly (string | undefined)[] =>
  received.map(({ headers }) => headers["webhook-id"]?.toString());

/** What the npm package `standardwebhooks` makes of a message at that time; throws when it is forged. */
export function verified(secret: string, { headers, body }: Received, atMs: number): unknown {
  const clock = vi.spyOn(Date, "now").mockReturnValue(atMs);
  try {
    const text = Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, String(v)]));
    return new Verifier(secret).verify(body, text);
  } finally {
    clock.mockRestore();
  }
}

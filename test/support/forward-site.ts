import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { ForwarderId } from "../../domain/ids.ts";
import type { Fix } from "../../ingest/asset-state/asset-state.ts";
import { createSecretSeal } from "../../ingest/credentials/secret-seal.ts";
import { Forwarding } from "../../ingest/forwarding/forwarding.ts";
import { createJournalHold } from "../../ingest/forwarding/journal-hold.ts";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { openOutboundClient } from "../../outbound/client.ts";
import { OutboundError } from "../../outbound/failure.ts";
import { createMqttSockets, MQTT_PORTS } from "../../outbound/mqtt-address.ts";
import type { Forwarder, ForwarderProgress } from "../../storage/ports/events/forwarders.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "./fixed-directory.ts";
import type { Received } from "./http-receiver.ts";
import { openSmall } from "./journal.ts";
import { type MemoryRecords, openMemoryRecords } from "./memory-records.ts";
import { PATIENT_EXCHANGES } from "./patience.ts";
import { batchOf, FIRST_FIX_MS, journalReadings, numbered } from "./readings.ts";

const PEPPER = new Uint8Array(32).fill(5);
const log = pino({ level: "silent" });

/** Forwarding with a real journal of 4 KiB segments, stores in memory and waits of a few ms. */
export interface ForwardSite extends AsyncDisposable {
  readonly journal: Journal;
  readonly records: MemoryRecords;
  readonly directory: FixedDirectory;
  readonly seal: ReturnType<typeof createSecretSeal>;
  readonly clock: { ms: number };
  readonly fixes: Map<string, Fix>;
  forwarding: Forwarding;
  /** Adds a forwarder of Traccar's JSON over HTTP, unless `more` says otherwise, and reads it. */
  add(id: string, url: string, more?: Partial<Forwarder>): Promise<ForwarderId>;
  change(id: ForwarderId, change: Partial<Forwarder>): Promise<void>;
  /** Journals one position for each number, one message each. */
  journalNumbers(assetId: string, numbers: readonly number[], projectId?: string): Promise<void>;
  /** What is stored of a forwarder after a poll. */
  progress(id: ForwarderId): Promise<ForwarderProgress>;
  /** Ends forwarding and starts it anew; `crash`: without storing how far it has come. */
  restart(how?: "crash"): Promise<void>;
}

export async function openForwardSite(
  options: {
    readonly allowCidrs?: readonly string[];
    readonly heldBytes?: number;
    readonly names?: Readonly<Record<string, readonly string[]>>;
    /** Absent: a store of its own. */
    readonly records?: MemoryRecords;
  } = {},
): Promise<ForwardSite> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-forward-"));
  const journal = await openSmall(dir);
  const clock = { ms: FIRST_FIX_MS };
  const now = () => clock.ms;
  const records = options.records ?? openMemoryRecords(now);
  const directory = fixedDirectory(["a1", "a2", "a3", "a4", "a5"].map((id) => assetEntry(id)));
  const seal = createSecretSeal(PEPPER, "forwarders");
  const cidrs = options.allowCidrs ?? ["127.0.0.0/8"];
  const resolve = async (host: string) => {
    const addresses = options.names?.[host];
    if (addresses === undefined) throw new OutboundError("host not found");
    return addresses;
  };
  const outbound = openOutboundClient({
    rules: createAddressRules(cidrs),
    resolve,
    limits: PATIENT_EXCHANGES,
  });
  const sockets = createMqttSockets({ rules: createAddressRules(cidrs, MQTT_PORTS), resolve });
  const fixes = new Map<string, Fix>();
  const start = () =>
    new Forwarding({
      journal,
      records: records.forwarders,
      directory,
      lastFix: (assetId) => fixes.get(assetId),
      seal,
      outbound,
      sockets,
      now,
      log,
      pollEveryMs: 10,
      backOff: { firstMs: 2, longestMs: 10, holdMs: 10 },
      stopMs: 50,
      hold: createJournalHold(journal, options.heldBytes),
    });

  const site: ForwardSite = {
    journal,
    records,
    directory,
    seal,
    clock,
    fixes,
    forwarding: start(),
    async add(id, url, more = {}) {
      const forwarder: Forwarder = {
        id: id as ForwarderId,
        name: id,
        kind: "traccar_http",
        url,
        format: "traccar",
        topic: undefined,
        projectIds: undefined,
        credentials: undefined,
        status: "active",
        startAtMs: now(),
        createdAtMs: now(),
        updatedAtMs: now(),
        ...more,
      };
      await records.forwarders.insert(forwarder);
      await site.forwarding.refresh();
      return forwarder.id;
    },
    async change(id, change) {
      await records.forwarders.update(id, (before) => ({ ...before, ...change }));
      await site.forwarding.refresh();
    },
    async journalNumbers(assetId, numbers, projectId = "p1") {
      const batches = numbers.map((n) => batchOf(assetId, [numbered(n)], projectId));
      await Promise.all(batches.map((batch) => journalReadings(journal, batch, now())));
    },
    async progress(id) {
      await site.forwarding.refresh();
      const [row] = await records.forwarders.progress(id);
      if (row === undefined) throw new Error(`no progress of ${id}`);
      return row;
    },
    async restart(how) {
      if (how === "crash") records.away = true;
      await site.forwarding.stop();
      records.away = false;
      site.forwarding = start();
      await site.forwarding.refresh();
    },
    async [Symbol.asyncDispose]() {
      await site.forwarding.stop();
      outbound.close();
      await journal.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
  return site;
}

/** The numbers of `numbered` positions in what a receiver got, in the order of arrival. */
export const numbersOf = (received: readonly Pick<Received, "body">[]): readonly number[] =>
  received.map(({ body }) => JSON.parse(body).position.attributes.odometer / 1_000);

/** 1, 2, ... `count`. */
export const upTo = (count: number, from = 1): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + i);

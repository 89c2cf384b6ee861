import type { AssetId, FleetSourceId } from "../../domain/ids.ts";
import { createSecretSeal } from "../../ingest/credentials/secret-seal.ts";
import type { AssetEntry } from "../../ingest/directories/asset-directory.ts";
import { createIntake, type Intake } from "../../ingest/intake/intake.ts";
import { createCounters } from "../../ingest/intake/readings/counters.ts";
import { FLEET_COUNTERS, type FleetCounters } from "../../ingest/iso15143/client/fleet/counters.ts";
import { FleetPoller } from "../../ingest/iso15143/client/fleet-poller.ts";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { type OutboundClient, openOutboundClient } from "../../outbound/client.ts";
import { OutboundError } from "../../outbound/failure.ts";
import type { FleetPoll, FleetSource } from "../../storage/ports/equipment/fleet-sources.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "./fixed-directory.ts";
import { type HttpReceiver, openHttpReceiver } from "./http-receiver.ts";
import { type ManualJournal, manualJournal } from "./manual-journal.ts";
import { type MemoryRecords, openMemoryRecords } from "./memory-records.ts";
import { PATIENT_EXCHANGES } from "./patience.ts";

/** Thursday, 2026-03-05 12:00:00 UTC. */
export const NOON_MS = Date.UTC(2026, 2, 5, 12);
const PEPPER = new Uint8Array(32).fill(7);
/** Pages of one poll. */
export const MAX_PAGES = 20;
/** Of the source of a site. */
export const SOURCE = "src_1" as FleetSourceId;

/** Fields by time (ISO 8601) by asset. */
export type TakenFields = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Another maker's server on loopback, a source that names it, and the poller with a clock of the test. */
export interface FleetSite extends AsyncDisposable {
  readonly server: HttpReceiver;
  readonly records: MemoryRecords;
  readonly directory: FixedDirectory;
  readonly intake: Intake;
  /** The client that reaches loopback. */
  readonly outbound: OutboundClient;
  readonly pepper: Uint8Array;
  readonly journal: ManualJournal;
  readonly counters: FleetCounters;
  readonly clock: { ms: number };
  /** The poller of now; `restart` makes another over the same records. */
  readonly poller: FleetPoller;
  restart(): Promise<void>;
  /** Polls, waits for what began, and returns the last poll. */
  poll(): Promise<FleetPoll>;
  /** Registers an asset for a machine of that name. */
  register(assetId: string, hardwareId: string): void;
  /** Changes the source, as the API does. */
  change(change: Partial<FleetSource>): Promise<void>;
  sealed(secret: string): string;
  /** All that is durable since the last call. */
  taken(): TakenFields;
}

export interface FleetSiteOptions {
  /** Hardware ids by asset id. */
  readonly assets?: Readonly<Record<string, string>>;
  readonly nowMs?: number;
  /** Path of the source at the server. */
  readonly path?: string;
  readonly source?: Partial<FleetSource>;
  /** What the client sends by, around the real one. */
  readonly wrap?: (outbound: OutboundClient) => Pick<OutboundClient, "send">;
  /** Whether what is appended becomes durable by itself. */
  readonly isManual?: boolean;
}

export async function openFleetSite(options: FleetSiteOptions = {}): Promise<FleetSite> {
  const { assets = {}, nowMs = NOON_MS, path = "/iso15143-3", wrap = (same) => same } = options;
  const clock = { ms: nowMs };
  const now = () => clock.ms;
  const server = await openHttpReceiver();
  const records = openMemoryRecords(now);
  const directory = fixedDirectory(Object.entries(assets).map(([id, name]) => entry(id, name)));
  const journal = manualJournal();
  const { append } = journal;
  if (options.isManual !== true) {
    journal.append = (...given) => {
      const sequence = append(...given);
      setImmediate(() => journal.commit());
      return sequence;
    };
  }
  const settings = { retentionDays: 90, deviceReadingsPerS: 1_000, deviceBurstReadings: 10_000 };
  const intake = await createIntake({ journal, directory, pepper: PEPPER, settings, now });
  const outbound = openOutboundClient({
    rules: createAddressRules(["127.0.0.0/8"]),
    resolve: () => Promise.reject(new OutboundError("host not found")),
    limits: PATIENT_EXCHANGES,
  });
  const seal = createSecretSeal(PEPPER, "fleetSources");
  const counters = createCounters(FLEET_COUNTERS);
  let registrations = 0;
  directory.onChange(() => {
    registrations += 1;
  });
  const open = () =>
    new FleetPoller({
      records: records.fleetSources,
      seal,
      outbound: wrap(outbound),
      directory,
      registrations: () => registrations,
      intake,
      retentionDays: settings.retentionDays,
      maxPages: MAX_PAGES,
      counters,
      log: { warn: () => undefined, error: () => undefined },
      now,
      random: () => 0,
    });
  let poller = open();
  let seen = 0;
  await records.fleetSources.insert({
    id: SOURCE,
    name: "maker",
    url: `http://127.0.0.1:${server.port}${path}`,
    auth: { kind: "none" },
    intervalS: 900,
    series: [],
    status: "active",
    createdAtMs: nowMs - 1,
    updatedAtMs: nowMs - 1,
    ...options.source,
  });

  return {
    server,
    records,
    directory,
    intake,
    outbound,
    pepper: PEPPER,
    journal,
    counters,
    clock,
    get poller() {
      return poller;
    },
    async restart() {
      await poller.stop();
      poller = open();
    },
    async poll() {
      await poller.poll();
      await poller.settled();
      const last = (await records.fleetSources.find(SOURCE))?.lastPoll;
      if (last === undefined) throw new Error("the source was not polled");
      return last;
    },
    register: (assetId, hardwareId) => directory.change(assetId, entry(assetId, hardwareId)),
    async change(change) {
      await records.fleetSources.update(SOURCE, (was) => ({
        ...was,
        ...change,
        updatedAtMs: was.updatedAtMs + 1,
      }));
    },
    sealed: (secret) => Buffer.from(seal.seal(SOURCE, secret)).toString("base64"),
    taken() {
      const found: Record<string, Record<string, object>> = {};
      const entries = journal.entries();
      for (const one of entries.slice(seen)) {
        if (one.type !== "readings") continue;
        const { assetId, readings } = one.batch;
        for (const { fixTimeMs, timeSource, fields } of readings) {
          const at = timeSource === "device" ? new Date(fixTimeMs).toISOString() : timeSource;
          found[assetId] = { ...found[assetId], [at]: fields };
        }
      }
      seen = entries.length;
      return found;
    },
    async [Symbol.asyncDispose]() {
      await poller.stop();
      intake.close();
      outbound.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function entry(assetId: string, hardwareId: string): AssetEntry {
  const { asset, ...rest } = assetEntry(assetId);
  return { ...rest, asset: { ...asset, id: assetId as AssetId, hardware_id: hardwareId } };
}

/** A section of XML with a value at a time; `at` in ms since the Unix epoch. */
export const section = (name: string, at: number, inside: string): string =>
  `<${name} datetime="${new Date(at).toISOString()}">${inside}</${name}>`;

/** A machine of XML by its PIN. */
export const machine = (pin: string, ...sections: readonly string[]): string =>
  `<Equipment><EquipmentHeader><PIN>${pin}</PIN></EquipmentHeader>${sections.join("")}</Equipment>`;

/** A page of XML; `next` as the server writes it. */
export const fleet = (machines: readonly string[], next?: string): string =>
  `<Fleet>${next === undefined ? "" : `<Links><rel>next</rel><href>${next}</href></Links>`}${machines.join("")}</Fleet>`;

/** Answers each path with its page; others with 404. */
export const serving =
  (pages: Readonly<Record<string, string | Uint8Array>>): HttpReceiver["answer"] =>
  ({ path }, response) => {
    const page = pages[path];
    response.writeHead(page === undefined ? 404 : 200).end(page);
  };

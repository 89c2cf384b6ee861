import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { type Broker, type BrokerOptions, openBroker } from "../../ingest/broker/broker.ts";
import { createIntake, type Intake } from "../../ingest/intake/intake.ts";
import { decodeRecord, type JournalEntry } from "../../ingest/journal-record.ts";
import { openJournal } from "../../storage/journal/journal.ts";
import type { Journal } from "../../storage/ports.ts";
import {
  assetEntry,
  type FixedDirectory,
  fixedDirectory,
  verifySecret,
} from "./fixed-directory.ts";

/** A broker on free loopback ports with intake and a journal behind it. */
export interface BrokerUnderTest {
  readonly broker: Broker;
  readonly intake: Intake;
  readonly directory: FixedDirectory;
  readonly journal: Journal;
  /** Everything durable so far. */
  entries(): Promise<readonly JournalEntry[]>;
  /** What counts in broker and intake stand at. */
  stats(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Opens it with assets a1 to a5 of project p1, and a real journal unless one is given. */
export async function openBrokerUnderTest(
  options: {
    readonly journal?: Journal;
    readonly settings?: Partial<BrokerOptions["settings"]>;
    readonly authenticateReader?: BrokerOptions["authenticateReader"];
    readonly links?: BrokerOptions["links"];
    readonly now?: () => number;
    readonly readingsPerS?: number;
    readonly burstReadings?: number;
  } = {},
): Promise<BrokerUnderTest> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-broker-"));
  const journal =
    options.journal ?? (await openJournal({ dir, minFreeBytes: 0, segmentBytes: 16 * 1024 ** 2 }));
  const directory = fixedDirectory(["a1", "a2", "a3", "a4", "a5"].map((id) => assetEntry(id)));
  const clock = options.now === undefined ? {} : { now: options.now };
  const intake = await createIntake({
    journal,
    directory,
    settings: {
      retentionDays: 90,
      deviceReadingsPerS: options.readingsPerS ?? 100_000,
      deviceBurstReadings: options.burstReadings ?? 1_000_000,
    },
    ...clock,
  });
  const closeStores = async (): Promise<void> => {
    intake.close();
    await journal.close();
    await rm(dir, { recursive: true, force: true });
  };
  const broker = await openBroker({
    settings: {
      mqttHost: "127.0.0.1",
      mqttPort: 0,
      mqttWsPort: undefined,
      mqttsPort: 0,
      tlsCertFile: undefined,
      tlsKeyFile: undefined,
      tlsCaFile: undefined,
      ...options.settings,
    },
    intake,
    directory,
    verifySecret,
    authenticateReader:
      options.authenticateReader ??
      (async (key) =>
        key === "reader-key" ? { allows: (projectId) => projectId === "p1" } : undefined),
    log: pino({ level: "silent" }),
    ...(options.links === undefined ? {} : { links: options.links }),
    ...clock,
  }).catch(async (error: unknown) => {
    await closeStores();
    throw error;
  });
  return {
    broker,
    intake,
    directory,
    journal,
    async entries() {
      const entries: JournalEntry[] = [];
      for (let from = 1; from <= journal.syncedSequence; ) {
        const records = await journal.read(from, { records: 10_000, bytes: 64 * 1024 ** 2 });
        entries.push(...records.flatMap((record) => decodeRecord(record) ?? []));
        from = (records.at(-1)?.sequence ?? journal.syncedSequence) + 1;
      }
      return entries;
    },
    stats: () => ({ ...intake.stats(), ...broker.stats() }),
    async close() {
      await broker.close();
      await closeStores();
    },
  };
}

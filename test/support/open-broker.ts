import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { AssetId } from "../../domain/ids.ts";
import { Broker, type BrokerOptions } from "../../ingest/broker/broker.ts";
import type { ConnectionReport } from "../../ingest/broker/connection-outcome.ts";
import type { SparkplugReport } from "../../ingest/commands/carriers/sparkplug.ts";
import type { MessageLog } from "../../ingest/device-log/messages/message-log.ts";
import { createIntake, type Intake } from "../../ingest/intake/intake.ts";
import { decodeRecord, type JournalEntry } from "../../ingest/journal-record/journal-record.ts";
import { type Commands, startCommands } from "../../roles/ingest/commands.ts";
import { createClosers } from "../../roles/process/closers.ts";
import { openJournal } from "../../storage/journal/journal.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { openTls, type Tls, type TlsRun, type TlsSettings } from "../../tls/tls.ts";
import {
  assetEntry,
  type FixedDirectory,
  fixedDirectory,
  PEPPER,
  verifySecret,
} from "./fixed-directory.ts";

/** A broker on free loopback ports with intake and a journal behind it. */
export interface BrokerUnderTest {
  readonly broker: Broker;
  /** Absent without `tlsCertFile`. */
  readonly tls: Tls | undefined;
  readonly intake: Intake;
  readonly directory: FixedDirectory;
  readonly journal: Journal;
  /** Commands to the devices, where the records of commands were given. */
  readonly commands: Commands | undefined;
  /** Everything durable so far. */
  entries(): Promise<readonly JournalEntry[]>;
  /** Counters of broker and intake. */
  stats(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Opens it with assets a1 to a5 of project p1, and a real journal unless one is given. */
export async function openBrokerUnderTest(
  options: {
    readonly journal?: Journal;
    readonly settings?: Partial<BrokerOptions["settings"] & TlsSettings>;
    readonly tlsRun?: Partial<TlsRun>;
    readonly authenticateReader?: BrokerOptions["authenticateReader"];
    readonly links?: BrokerOptions["links"];
    readonly keptSessions?: BrokerOptions["keptSessions"];
    readonly sessionClaims?: BrokerOptions["sessionClaims"];
    readonly proxyProtocol?: BrokerOptions["proxyProtocol"];
    /** Hears of every line that the broker logs. */
    readonly onLog?: (line: { readonly msg: string }) => void;
    /** Hears what becomes of each message. */
    readonly messages?: Pick<MessageLog, "note">;
    readonly onConnection?: (report: ConnectionReport) => void;
    /** Brings devices the commands of this store, again after a break without waiting. */
    readonly commandRecords?: Pick<RecordStore, "commands">;
    readonly now?: () => number;
    readonly readingsPerS?: number;
    readonly burstReadings?: number;
  } = {},
): Promise<BrokerUnderTest> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-broker-"));
  const journal =
    options.journal ?? (await openJournal({ dir, minFreeBytes: 0, segmentBytes: 16 * 1024 ** 2 }));
  const directory = fixedDirectory(["a1", "a2", "a3", "a4", "a5"].map((id) => assetEntry(id)));
  const { onLog } = options;
  const clock = options.now === undefined ? {} : { now: options.now };
  const closers = createClosers();
  const records = options.commandRecords;
  const commands =
    records &&
    (await startCommands(
      { log: pino({ level: "silent" }), closers },
      { records, directory, feed: { poke: () => undefined } },
      { graceMs: 0, pollMs: 20 },
    ));
  const intake = await createIntake({
    journal,
    directory,
    pepper: PEPPER,
    ...(options.messages === undefined ? {} : { messages: options.messages }),
    ...(commands === undefined
      ? {}
      : {
          answers: commands.answers,
          outlet: {
            command: () => undefined,
            links: {
              opened: () => undefined,
              closed: (assetId: AssetId) => commands.sparkplug.gone(assetId),
            },
            followsSessions: true,
            reported: (nodeId: AssetId, report: SparkplugReport) =>
              commands.sparkplug.reported(nodeId, report),
          },
        }),
    settings: {
      retentionDays: 90,
      deviceReadingsPerS: options.readingsPerS ?? 100_000,
      deviceBurstReadings: options.burstReadings ?? 1_000_000,
    },
    ...clock,
  });
  const closeStores = async (): Promise<void> => {
    await closers.close();
    intake.close();
    await journal.close();
    await rm(dir, { recursive: true, force: true });
  };
  const log =
    onLog === undefined
      ? pino({ level: "silent" })
      : pino({}, { write: (line) => onLog(JSON.parse(line)) });
  const settings = {
    mqttHost: "127.0.0.1",
    mqttPort: 0,
    mqttWsPort: undefined,
    mqttsPort: 0,
    mqttWssPort: undefined,
    tlsCertFile: undefined,
    tlsKeyFile: undefined,
    tlsCaFile: undefined,
    tlsCrlFile: undefined,
    tlsClientIdentity: "none",
    httpsClientCertificates: "none",
    ...options.settings,
  } as const;
  const tls = await openTls(settings, { log, ...options.tlsRun });
  const broker = await Broker.open({
    settings,
    tls,
    proxyProtocol: options.proxyProtocol,
    intake,
    directory,
    verifySecret,
    authenticateReader:
      options.authenticateReader ??
      (async (key) =>
        key === "reader-key"
          ? { keyId: "k1", allows: (projectId) => projectId === "p1" }
          : undefined),
    log,
    ...(commands === undefined ? {} : { commands: commands.mqtt }),
    ...(options.links === undefined ? {} : { links: options.links }),
    ...(options.keptSessions === undefined ? {} : { keptSessions: options.keptSessions }),
    ...(options.sessionClaims === undefined ? {} : { sessionClaims: options.sessionClaims }),
    ...(options.onConnection === undefined ? {} : { onConnection: options.onConnection }),
    ...clock,
  }).catch(async (error: unknown) => {
    await closeStores();
    await tls?.close();
    throw error;
  });
  return {
    broker,
    tls,
    intake,
    directory,
    journal,
    commands,
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
      await tls?.close();
      await closeStores();
    },
  };
}

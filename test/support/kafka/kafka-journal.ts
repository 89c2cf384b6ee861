import { randomUUID } from "node:crypto";
import { KafkaLog, type KafkaLogOptions } from "../../../storage/kafka/kafka-log.ts";
import type { PartitionReader } from "../../../storage/kafka/partition-reader.ts";
import type {
  JournalReader,
  JournalRecord,
  JournalWriter,
} from "../../../storage/ports/journal.ts";
import type { OpenedJournal } from "../../contracts/journal.ts";
import { bodyOf, TIME_MS } from "../journal.ts";
import { PATIENT_MS } from "../patience.ts";

/** A topic that no other test has. */
export const freshTopic = (): string => `test-${randomUUID()}`;

/** Opens a log with names that tests need not choose. */
export function openLog(
  brokers: readonly string[],
  change: Partial<KafkaLogOptions> = {},
): Promise<KafkaLog> {
  return KafkaLog.open({
    brokers,
    clientId: "test",
    topic: freshTopic(),
    partitions: 1,
    ...change,
  });
}

/** The first partition of a log as a journal. */
export async function openJournalOn(log: KafkaLog): Promise<OpenedJournal> {
  const reader = await log.openReader(0);
  const journal: JournalWriter & JournalReader = {
    id: reader.id,
    get syncedSequence() {
      return reader.syncedSequence;
    },
    get oldestSequence() {
      return reader.oldestSequence;
    },
    get state() {
      return log.state;
    },
    read: (from, limit) => reader.read(from, limit),
    waitFor: (sequence, signal) => reader.waitFor(sequence, signal),
    append: (kind, timeMs, body, done) =>
      log.append({ partition: 0, key: "yard", kind, timeMs, body }, done),
    onState: (listener) => log.onState(listener),
    onCommit: (listener) => log.onCommit(listener),
  };
  return {
    journal,
    async close() {
      const closing = log.close();
      await reader.close();
      await closing;
    },
  };
}

/** Appends `bodyOf(n)`; resolves when it is acknowledged. */
export function appendTo(log: KafkaLog, n: number, partition = 0, bytes = 30): Promise<void> {
  return new Promise((resolve, reject) => {
    const record = { kind: 1, timeMs: TIME_MS + n, body: bodyOf(n, bytes) };
    log.append({ partition, key: "yard", ...record }, (error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}

/** The numbers of records that `appendTo` has stored, as they lie in the partition up to that sequence. */
export async function numbersIn(reader: PartitionReader, sequence: number): Promise<number[]> {
  await reader.waitFor(sequence, AbortSignal.timeout(PATIENT_MS));
  const found: JournalRecord[] = [];
  for (let next = 1; next <= reader.syncedSequence; ) {
    const page = await reader.read(next, { records: 1_000, bytes: 1024 ** 2 });
    found.push(...page);
    next = (page.at(-1)?.sequence ?? next) + 1;
  }
  return found.map(({ timeMs }) => timeMs - TIME_MS);
}

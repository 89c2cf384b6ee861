import { randomUUID } from "node:crypto";
import { KafkaLog, type KafkaLogOptions } from "../../../storage/kafka/kafka-log.ts";
import { openPartitionJournal } from "../../../storage/kafka/partition-journal.ts";
import type { PartitionReader } from "../../../storage/kafka/partition-reader.ts";
import type { JournalRecord, JournalWriter } from "../../../storage/ports/journal.ts";
import type { JournalPlaces } from "../../../storage/ports/platform/journal-places.ts";
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

/** Of a partition whose cursors nobody keeps. */
const NO_PLACES: JournalPlaces = { find: async () => 0, advance: async () => undefined };

/** The first partition of a log as a journal. */
export async function openJournalOn(log: KafkaLog): Promise<OpenedJournal> {
  const reader = await log.openReader(0);
  const options = { log, reader, partition: 0, places: NO_PLACES, kept: [] };
  const partition = await openPartitionJournal(options);
  const listening: Pick<JournalWriter, "onState" | "onCommit"> = {
    onState: (listener) => log.onState(listener),
    onCommit: (listener) => log.onCommit(listener),
  };
  return {
    // Its getters stay getters.
    journal: Object.assign(partition, listening),
    async close() {
      const closing = log.close();
      await partition.close();
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

import { DomainError } from "../../domain/errors.ts";
import type { JournalCursor, JournalRecovery } from "../ports/journal.ts";
import type { JournalPlaces } from "../ports/platform/journal-places.ts";
import type { PartitionJournal } from "../ports/shared-journal.ts";
import type { KafkaLog } from "./kafka-log.ts";
import type { PartitionReader } from "./partition-reader.ts";
import { reasonOf } from "./response-codes.ts";

/** How often the places of cursors are stored, ms. Longer repeats more after a crash; shorter asks the record store more often. */
const STORE_EVERY_MS = 1_000;
/** Key of records that concern no project. */
const NO_PROJECT = "";
/** The brokers recover the log by themselves. */
const RECOVERY: JournalRecovery = { records: 0, cutBytes: 0, created: false };

interface Place {
  sequence: number;
  stored: number;
}

/**
 * A partition as its owner follows it. Its cursors are kept in the record store, for whoever is next to have the
 * partition; those of `unkept` names are this process's only: their readers store their places themselves.
 */
export async function openPartitionJournal(options: {
  readonly log: KafkaLog;
  readonly reader: PartitionReader;
  readonly partition: number;
  readonly places: JournalPlaces;
  /** Cursors whose places are kept. */
  readonly kept: readonly string[];
}): Promise<PartitionJournal> {
  const { log, reader, partition, places, kept } = options;
  const placeByName = new Map<string, Place>();
  for (const name of kept) {
    const sequence = await places.find(reader.id, name);
    placeByName.set(name, { sequence, stored: sequence });
  }
  let storing: Promise<void> = Promise.resolve();

  async function store(): Promise<void> {
    for (const [name, place] of placeByName) {
      const { sequence } = place;
      if (!kept.includes(name) || sequence === place.stored) continue;
      await places.advance(reader.id, name, sequence);
      place.stored = sequence;
    }
  }
  /** The record store may be away: an older place repeats work, and loses none. */
  function storeSoon(): void {
    storing = storing.then(store).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  }
  const timer = setInterval(storeSoon, STORE_EVERY_MS);

  return {
    id: reader.id,
    recovery: RECOVERY,
    get syncedSequence() {
      return reader.syncedSequence;
    },
    get oldestSequence() {
      return reader.oldestSequence;
    },
    get state() {
      return log.state;
    },
    get trouble() {
      return reader.trouble;
    },
    append: (kind, timeMs, body, done) =>
      log.append({ partition, key: NO_PROJECT, kind, timeMs, body }, done),
    read: (fromSequence, limit) => reader.read(fromSequence, limit),
    waitFor: (sequence, signal) => reader.waitFor(sequence, signal),
    async end() {
      try {
        return await reader.readEnd();
      } catch (cause) {
        const message = `the end of partition ${partition} cannot be read: ${reasonOf(cause)}`;
        throw new DomainError("STORE_UNAVAILABLE", message, { cause });
      }
    },
    cursor(name): JournalCursor {
      const place = placeByName.get(name) ?? { sequence: 0, stored: 0 };
      placeByName.set(name, place);
      return {
        name,
        get sequence() {
          return place.sequence;
        },
        advance(sequence) {
          place.sequence = Math.max(place.sequence, sequence);
        },
      };
    },
    async close() {
      clearInterval(timer);
      await reader.close();
      storeSoon();
      await storing;
    },
  };
}

import type { Logger } from "pino";
import { HOUR_MS } from "../../domain/time.ts";
import type { EventReaderRecords } from "../../storage/ports/events/event-readers.ts";
import { coalesceRefresh } from "../pacing/coalesced-refresh.ts";

/** How often acknowledged places are stored, ms: a crash repeats what was acknowledged in that time. */
const STORE_EVERY_MS = 250;
/** The same for places that only passed over unwanted events, ms: a restart reads those again. */
const STORE_IDLE_EVERY_MS = 5_000;
/** How often a reader that is connected is noted as seen, ms; retention forgets those not seen for days. */
const NOTE_SEEN_EVERY_MS = HOUR_MS;

/** One reader whose place is kept. */
export interface PlacedReader {
  readonly id: string;
  /** Every event up to here is acknowledged or not wanted. */
  readonly place: number;
}

/** Stores the places of readers in common statements, one at a time. */
export interface ReaderPlaces {
  add(reader: PlacedReader): void;
  /** The reader acknowledged something: its place is stored soon. */
  touch(reader: PlacedReader): void;
  /** Stores the last place of a reader that ends; what fails is delivered again. */
  leave(reader: PlacedReader): Promise<void>;
  /** Stores every place once more. */
  stop(): Promise<void>;
}

export function startReaderPlaces(options: {
  readonly records: Pick<EventReaderRecords, "advance">;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  readonly log: Pick<Logger, "warn">;
  readonly everyMs?: number;
}): ReaderPlaces {
  const { records, now, log } = options;
  /** Readers and the place that is stored of each; `undefined`: none yet in this run. */
  const readers = new Map<PlacedReader, number | undefined>();
  const touched = new Set<PlacedReader>();
  let idleMs = performance.now();
  let seenMs = performance.now();
  let isAway = false;

  /** Who is to be stored now; every reader in its turn, although it acknowledged nothing. */
  function due(): readonly PlacedReader[] {
    const elapsedMs = performance.now();
    const isSeenTurn = elapsedMs - seenMs >= NOTE_SEEN_EVERY_MS;
    const isIdleTurn = isSeenTurn || elapsedMs - idleMs >= STORE_IDLE_EVERY_MS;
    if (isSeenTurn) seenMs = elapsedMs;
    if (isIdleTurn) idleMs = elapsedMs;
    const candidates = isIdleTurn ? [...readers.keys()] : [...touched];
    return candidates.filter((reader) => isSeenTurn || reader.place !== readers.get(reader));
  }

  async function store(): Promise<void> {
    const places = due().map((reader) => [reader, reader.place] as const);
    touched.clear();
    if (places.length === 0) return;
    try {
      await records.advance(new Map(places.map(([{ id }, place]) => [id, place])), now());
      for (const [reader, place] of places) if (readers.has(reader)) readers.set(reader, place);
      isAway = false;
    } catch (error) {
      for (const [reader] of places) touched.add(reader);
      if (!isAway) log.warn({ err: error }, "places of event readers wait for the store");
      isAway = true;
    }
  }

  const stores = coalesceRefresh(store);
  const timer = setInterval(() => {
    void stores.refresh();
  }, options.everyMs ?? STORE_EVERY_MS);

  return {
    add(reader) {
      readers.set(reader, undefined);
    },
    touch(reader) {
      touched.add(reader);
    },
    async leave(reader) {
      touched.add(reader);
      await stores.refresh();
      readers.delete(reader);
      touched.delete(reader);
    },
    async stop() {
      clearInterval(timer);
      for (const reader of readers.keys()) touched.add(reader);
      await stores.refresh();
      await stores.stop();
    },
  };
}

import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { AssetId, ForwarderId } from "../../domain/ids.ts";
import type {
  Forwarder,
  ForwarderProgress,
  ForwarderRecords,
} from "../../storage/ports/events/forwarders.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import type { Fix } from "../asset-state/asset-state.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { coalesceRefresh } from "../pacing/coalesced-refresh.ts";
import { createJournalHold } from "./journal-hold.ts";
import { type Lane, openLane } from "./lane.ts";
import { openSender, type SenderParts } from "./open-sender.ts";
import { createTranslator } from "./translate.ts";

/** How often forwarders are polled and progress is stored, ms. Chosen: a crash repeats that much. */
const POLL_EVERY_MS = 1_000;

/** Passes readings of this process's journal on to other systems. */
export interface Forwarding {
  /** How far each active forwarder has come here. */
  readonly progress: readonly ForwarderProgress[];
  /** Polls for changed forwarders now, and stores how far each has come. Never throws. */
  refresh(): Promise<void>;
  /** Waits a few seconds for answers that are due, and stores the progress. */
  stop(): Promise<void>;
}

export interface ForwardingOptions extends SenderParts {
  readonly journal: Journal;
  readonly records: ForwarderRecords;
  readonly directory: Pick<AssetDirectory, "find">;
  readonly lastFix: (assetId: AssetId) => Fix | undefined;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly pollEveryMs?: number;
  /** Size of the journal up to which records are kept for receivers that are away, bytes. */
  readonly heldBytes?: number;
}

/**
 * Starts to pass readings on, each forwarder from where it was in this journal. At least once: what was
 * confirmed after the last stored progress is sent again after a crash. Every ingest process does so for
 * its own journal, so each acknowledged reading is the work of exactly one.
 */
export function startForwarding(options: ForwardingOptions): Forwarding {
  const { journal, records, directory, lastFix, log, now } = options;
  const hold = createJournalHold(journal, options.heldBytes);
  const lanes = new Map<ForwarderId, Lane>();
  /** Lanes on their end; a forwarder gets no other one before. */
  const ending = new Map<ForwarderId, Promise<void>>();
  /** The newest progress of each forwarder, of lanes that have ended too; `undefined`: not read yet. */
  let places: Map<ForwarderId, ForwarderProgress> | undefined;
  const stored = new Map<ForwarderId, ForwarderProgress>();
  /** Where the journal ended when the forwarders were last listed: a newer one begins behind it. */
  let endAtPoll: number | undefined;
  let isStopped = false;
  let isTroubled = false;

  function begin(forwarder: Forwarder, from: ForwarderProgress): void {
    const translate = createTranslator({ forwarder, journalId: journal.id, directory, lastFix });
    const lane = openLane({
      forwarder,
      from,
      journal,
      translate,
      openSender: (onTrouble) => openSender(forwarder, options, journal.id, onTrouble),
      now,
      log,
    });
    lanes.set(forwarder.id, lane);
  }

  function end(id: ForwarderId, lane: Lane): void {
    lanes.delete(id);
    const stopping = lane.stop().then(() => {
      places?.set(id, lane.progress());
      ending.delete(id);
      void polls.refresh();
    });
    ending.set(id, stopping);
  }

  /**
   * The place of a forwarder that has none in this journal: where the journal ended when it was not there
   * yet, else all of it. What was acknowledged before it was made is left out in any case.
   */
  function firstPlace({ id }: Forwarder): ForwarderProgress {
    return {
      forwarderId: id,
      journalId: journal.id,
      sequence: endAtPoll ?? journal.oldestSequence - 1,
      sent: 0,
      skipped: {},
      lastSentAtMs: undefined,
      lastError: undefined,
      heldSinceMs: undefined,
      behind: undefined,
    };
  }

  async function follow(): Promise<void> {
    const journalEnd = journal.syncedSequence;
    places ??= await readPlaces();
    const known = places;
    const forwarders = await records.list();
    const active = new Map(
      forwarders.filter(({ status }) => status === "active").map((one) => [one.id, one]),
    );
    for (const [id, lane] of lanes) {
      if (!isDeepStrictEqual(active.get(id), lane.forwarder)) end(id, lane);
    }
    for (const forwarder of active.values()) {
      if (isStopped || lanes.has(forwarder.id) || ending.has(forwarder.id)) continue;
      const from = known.get(forwarder.id) ?? firstPlace(forwarder);
      known.set(forwarder.id, from);
      begin(forwarder, from);
    }
    const ids = new Set(forwarders.map(({ id }) => id));
    for (const id of known.keys()) {
      if (ids.has(id)) continue;
      known.delete(id);
      stored.delete(id);
    }
    endAtPoll = journalEnd;
  }

  async function readPlaces(): Promise<Map<ForwarderId, ForwarderProgress>> {
    const own = (await records.progress()).filter(({ journalId }) => journalId === journal.id);
    return new Map(own.map((row) => [row.forwarderId, row]));
  }

  async function store(): Promise<void> {
    for (const [id, lane] of lanes) places?.set(id, lane.progress());
    const rows = [...(places ?? [])].flatMap(([id, row]) =>
      isDeepStrictEqual(stored.get(id), row) ? [] : [row],
    );
    await records.record(rows);
    for (const row of rows) stored.set(row.forwarderId, row);
  }

  function slowest(): number | undefined {
    // Lanes that end for a change begin again where they were.
    const sequences = [...lanes.keys(), ...ending.keys()].map(
      (id) => places?.get(id)?.sequence ?? 0,
    );
    return sequences.length === 0 ? undefined : Math.min(...sequences);
  }

  async function poll(): Promise<void> {
    try {
      await follow();
      await store();
      hold.follow(slowest());
      isTroubled = false;
    } catch (error) {
      if (!isTroubled)
        log.warn({ err: error }, "forwarders cannot be read or stored; trying again");
      isTroubled = true;
    }
  }

  const polls = coalesceRefresh(poll);
  const timer = setInterval(() => void polls.refresh(), options.pollEveryMs ?? POLL_EVERY_MS);
  void polls.refresh();

  async function stop(): Promise<void> {
    isStopped = true;
    clearInterval(timer);
    await polls.stop();
    for (const [id, lane] of lanes) end(id, lane);
    await Promise.all(ending.values());
    await store().catch((error: unknown) => {
      log.warn(
        { err: error },
        "progress of forwarders is not stored; some readings are sent again",
      );
    });
  }
  let stopped: Promise<void> | undefined;

  return {
    get progress() {
      return [...lanes.values()].map((lane) => lane.progress());
    },
    refresh: polls.refresh,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

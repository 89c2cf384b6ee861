import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { AssetId, ForwarderId } from "../../domain/ids.ts";
import type {
  Forwarder,
  ForwarderProgress,
  ForwarderRecords,
} from "../../storage/ports/events/forwarders.ts";
import type { JournalReader } from "../../storage/ports/journal.ts";
import type { Fix } from "../asset-state/asset-state.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { type CoalescedRefresh, coalesceRefresh } from "../pacing/coalesced-refresh.ts";
import type { JournalHold } from "./journal-hold.ts";
import { Lane } from "./lane.ts";
import { openSender, type SenderParts } from "./open-sender.ts";
import { createTranslator } from "./translate.ts";

/** How often forwarders are polled and progress is stored, ms. Chosen: a crash repeats that much. */
const POLL_EVERY_MS = 1_000;

export interface ForwardingOptions extends SenderParts {
  readonly journal: JournalReader;
  /** Keeps records for receivers that are away; absent: the journal keeps them by itself, for as long as it does. */
  readonly hold?: JournalHold;
  readonly records: ForwarderRecords;
  readonly directory: Pick<AssetDirectory, "find">;
  readonly lastFix: (assetId: AssetId) => Fix | undefined;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly pollEveryMs?: number;
}

/**
 * Passes readings of this process's journal on to other systems, each forwarder from where it was in this
 * journal. At least once: what was confirmed after the last stored progress is sent again after a crash. Every
 * ingest process does so for its own journal, so each acknowledged reading is the work of exactly one.
 */
export class Forwarding {
  readonly #options: ForwardingOptions;
  readonly #lanes = new Map<ForwarderId, Lane>();
  /** Lanes on their end; a forwarder gets no other one before. */
  readonly #ending = new Map<ForwarderId, Promise<void>>();
  /** The newest progress of each forwarder, of lanes that have ended too; `undefined`: not read yet. */
  #places: Map<ForwarderId, ForwarderProgress> | undefined;
  readonly #stored = new Map<ForwarderId, ForwarderProgress>();
  /** Where the journal ended when the forwarders were last listed: a newer one begins behind it. */
  #endAtPoll: number | undefined;
  #isStopped = false;
  #isTroubled = false;
  readonly #polls: CoalescedRefresh;
  readonly #timer: NodeJS.Timeout;
  #stopped: Promise<void> | undefined;

  constructor(options: ForwardingOptions) {
    this.#options = options;
    this.#polls = coalesceRefresh(() => this.#poll());
    this.#timer = setInterval(
      () => void this.#polls.refresh(),
      this.#options.pollEveryMs ?? POLL_EVERY_MS,
    );
    void this.#polls.refresh();
  }

  /** How far each active forwarder has come here. */
  get progress(): readonly ForwarderProgress[] {
    return [...this.#lanes.values()].map((lane) => lane.progress());
  }

  /** Polls for changed forwarders now, and stores how far each has come. Never throws. */
  refresh(): Promise<void> {
    return this.#polls.refresh();
  }

  /** Waits a few seconds for answers that are due, and stores the progress. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  #begin(forwarder: Forwarder, from: ForwarderProgress): void {
    const translate = createTranslator({
      forwarder,
      journalId: this.#options.journal.id,
      directory: this.#options.directory,
      lastFix: this.#options.lastFix,
    });
    const lane = new Lane({
      forwarder,
      from,
      journal: this.#options.journal,
      translate,
      openSender: (onTrouble) =>
        openSender(forwarder, this.#options, this.#options.journal.id, onTrouble),
      now: this.#options.now,
      log: this.#options.log,
    });
    this.#lanes.set(forwarder.id, lane);
  }

  #end(id: ForwarderId, lane: Lane): void {
    this.#lanes.delete(id);
    const stopping = lane.stop().then(() => {
      this.#places?.set(id, lane.progress());
      this.#ending.delete(id);
      void this.#polls.refresh();
    });
    this.#ending.set(id, stopping);
  }

  /**
   * The place of a forwarder that has none in this journal: where the journal ended when it was not there
   * yet, else all of it. What was acknowledged before it was made is left out in any case.
   */
  #firstPlace({ id }: Forwarder): ForwarderProgress {
    return {
      forwarderId: id,
      journalId: this.#options.journal.id,
      sequence: this.#endAtPoll ?? this.#options.journal.oldestSequence - 1,
      sent: 0,
      skipped: {},
      lastSentAtMs: undefined,
      lastError: undefined,
      heldSinceMs: undefined,
      behind: undefined,
    };
  }

  async #follow(): Promise<void> {
    const journalEnd = this.#options.journal.syncedSequence;
    this.#places ??= await this.#readPlaces();
    const known = this.#places;
    const forwarders = await this.#options.records.list();
    const active = new Map(
      forwarders.filter(({ status }) => status === "active").map((one) => [one.id, one]),
    );
    for (const [id, lane] of this.#lanes) {
      if (!isDeepStrictEqual(active.get(id), lane.forwarder)) this.#end(id, lane);
    }
    for (const forwarder of active.values()) {
      if (this.#isStopped || this.#lanes.has(forwarder.id) || this.#ending.has(forwarder.id))
        continue;
      const from = known.get(forwarder.id) ?? this.#firstPlace(forwarder);
      known.set(forwarder.id, from);
      this.#begin(forwarder, from);
    }
    const ids = new Set(forwarders.map(({ id }) => id));
    for (const id of known.keys()) {
      if (ids.has(id)) continue;
      known.delete(id);
      this.#stored.delete(id);
    }
    this.#endAtPoll = journalEnd;
  }

  async #readPlaces(): Promise<Map<ForwarderId, ForwarderProgress>> {
    const own = (await this.#options.records.progress()).filter(
      ({ journalId }) => journalId === this.#options.journal.id,
    );
    return new Map(own.map((row) => [row.forwarderId, row]));
  }

  async #store(): Promise<void> {
    for (const [id, lane] of this.#lanes) this.#places?.set(id, lane.progress());
    const rows = [...(this.#places ?? [])].flatMap(([id, row]) =>
      isDeepStrictEqual(this.#stored.get(id), row) ? [] : [row],
    );
    await this.#options.records.record(rows);
    for (const row of rows) this.#stored.set(row.forwarderId, row);
  }

  #slowest(): number | undefined {
    // Lanes that end for a change begin again where they were.
    const sequences = [...this.#lanes.keys(), ...this.#ending.keys()].map(
      (id) => this.#places?.get(id)?.sequence ?? 0,
    );
    return sequences.length === 0 ? undefined : Math.min(...sequences);
  }

  async #poll(): Promise<void> {
    try {
      await this.#follow();
      await this.#store();
      this.#options.hold?.follow(this.#slowest());
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled)
        this.#options.log.warn({ err: error }, "forwarders cannot be read or stored; trying again");
      this.#isTroubled = true;
    }
  }

  async #stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#polls.stop();
    for (const [id, lane] of this.#lanes) this.#end(id, lane);
    await Promise.all(this.#ending.values());
    await this.#store().catch((error: unknown) => {
      this.#options.log.warn(
        { err: error },
        "progress of forwarders is not stored; some readings are sent again",
      );
    });
  }
}

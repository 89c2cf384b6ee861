import type { AssetId } from "../../domain/ids.ts";
import type { JournalWriter } from "../../storage/ports/journal.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { RECORD_KIND, TICK_BODY } from "../journal-record/journal-record.ts";
import { encodeLinkChange, type LinkChange, type LinkEnd } from "../journal-record/link-change.ts";
import type { LinkFollower } from "./live-sessions.ts";

/**
 * How long a link stays down before that is journalled, ms: a device that takes its session over, or
 * comes back at once, was never away. Chosen: reconnecting takes one to three seconds, and `offline` is
 * only published after a minute.
 */
const SETTLE_MS = 5_000;
/**
 * How often changes that are due, or that the journal refused, are tried, ms. Less often reports links later; more
 * often walks over them for nothing.
 */
const SWEEP_MS = 500;

/**
 * Journals which assets have an MQTT session, or are reported to be reachable through one. Nothing waits for it:
 * changes that the journal does not take are kept, one per asset, and appended later with the time at which they
 * happened.
 *
 * Sessions do not outlive the process, so its first record is a `start`, and no link is journalled before that is
 * durable. Links of a foreign broker's sessions do outlive it, and have no start.
 */
export class LinkLog implements LinkFollower {
  readonly #journal: Pick<JournalWriter, "append" | "state">;
  readonly #directory: Pick<AssetDirectory, "find">;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #start: "owed" | "in flight" | "durable" = "owed";
  /** Changes that are not appended yet. */
  readonly #due = new Map<AssetId, LinkChange>();
  /** Assets whose link is up by the newest record appended. */
  readonly #up = new Set<AssetId>();

  constructor(options: {
    readonly journal: Pick<JournalWriter, "append" | "state">;
    readonly directory: Pick<AssetDirectory, "find">;
    readonly now: () => number;
    /** Whether links stay up however this process ends; default: they end with it. */
    readonly outliveUs?: boolean;
    /** How often changes are tried, ms; default: {@link SWEEP_MS}. */
    readonly sweepMs?: number;
  }) {
    this.#journal = options.journal;
    this.#directory = options.directory;
    this.#now = options.now;
    this.#timer = setInterval(() => this.#sweep(), options.sweepMs ?? SWEEP_MS);
    this.#timer.unref();
    if (options.outliveUs === true) this.#start = "durable";
    else this.#appendStart();
  }

  opened(assetId: AssetId): void {
    if (this.#up.has(assetId)) this.#due.delete(assetId);
    else this.#note(assetId, undefined);
    this.#appendDue(assetId);
  }

  closed(assetId: AssetId, end: LinkEnd): void {
    this.#note(assetId, end);
  }

  /** Stops; what was not appended is made up for by the next start. */
  close(): void {
    clearInterval(this.#timer);
  }

  #note(assetId: AssetId, end: LinkEnd | undefined): void {
    const projectId = this.#directory.find(assetId)?.project.id;
    if (projectId !== undefined) {
      this.#due.set(assetId, { assetId, projectId, atMs: this.#now(), end });
      return;
    }
    // The asset was deleted: there is nothing to report.
    this.#due.delete(assetId);
    this.#up.delete(assetId);
  }

  #sweep(): void {
    if (this.#start === "owed") this.#appendStart();
    for (const assetId of [...this.#due.keys()]) this.#appendDue(assetId);
  }

  #appendStart(): void {
    if (this.#journal.state !== "open") return;
    this.#start = "in flight";
    this.#journal.append(RECORD_KIND.start, this.#now(), TICK_BODY, (error) => {
      this.#start = error === undefined ? "durable" : "owed";
      if (error === undefined) this.#sweep();
    });
  }

  #appendDue(assetId: AssetId): void {
    const change = this.#due.get(assetId);
    if (change === undefined || this.#start !== "durable" || this.#journal.state !== "open") return;
    const isUp = change.end === undefined;
    const nowMs = this.#now();
    if (!isUp && nowMs - change.atMs < SETTLE_MS) return;
    this.#due.delete(assetId);
    this.#setUp(assetId, isUp);
    this.#journal.append(RECORD_KIND.link, nowMs, encodeLinkChange(change), (error) => {
      if (error === undefined) return;
      this.#setUp(assetId, !isUp);
      // What came after it says more.
      if (!this.#due.has(assetId)) this.#due.set(assetId, change);
    });
  }

  #setUp(assetId: AssetId, isUp: boolean): void {
    if (isUp) this.#up.add(assetId);
    else this.#up.delete(assetId);
  }
}

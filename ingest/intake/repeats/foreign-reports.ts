import { MAX_TOPIC_BYTES } from "../../../domain/equipment/topics.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { JournalWriter } from "../../../storage/ports/journal.ts";
import { encodeForeign } from "../../journal-record/foreign.ts";
import { RECORD_KIND } from "../../journal-record/journal-record.ts";

/** Least time between two reports about one asset, ms: one event a minute however much it sends. */
const REPORT_EVERY_MS = 60_000;
/** How often due reports are polled for, ms. A report is at most this late. */
const SWEEP_MS = 1_000;
/**
 * Assets that are counted at a time. An entry takes about 300 bytes, so this is 3 MB; fewer would
 * lose reports when a whole fleet is misconfigured at once.
 */
const MAX_ASSETS = 10_000;

/** The asset that a publish is reported about. */
export interface ForeignSubject {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
}

interface Tally {
  projectId: ProjectId;
  /** Publishes since the last report, and the time and topic of the first of them. */
  count: number;
  firstAtMs: number;
  topic: string;
  reportedAtMs: number;
}

/**
 * Reports publishes outside a device's own topics. Such messages are acknowledged and dropped, so
 * nothing waits for a report. The first publish of an asset is journalled immediately; later ones are
 * counted and journalled together, at most once a minute and asset. A crash loses at most the
 * counts of that minute.
 */
export class ForeignReports {
  readonly #journal: Pick<JournalWriter, "append" | "state">;
  readonly #now: () => number;
  readonly #maxAssets: number;
  readonly #tallies = new Map<AssetId, Tally>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    journal: Pick<JournalWriter, "append" | "state">,
    now: () => number,
    maxAssets: number = MAX_ASSETS,
  ) {
    this.#journal = journal;
    this.#now = now;
    this.#maxAssets = maxAssets;
    this.#timer = setInterval(() => this.sweep(), SWEEP_MS);
    this.#timer.unref();
  }

  /** Counts one publish; `false`: too many assets are being counted, and this one is not among them. */
  note({ assetId, projectId }: ForeignSubject, topic: string): boolean {
    const nowMs = this.#now();
    let tally = this.#tallies.get(assetId);
    if (tally === undefined) {
      if (this.#tallies.size >= this.#maxAssets) return false;
      const reportedAtMs = Number.NEGATIVE_INFINITY;
      tally = { projectId, count: 0, firstAtMs: nowMs, topic: "", reportedAtMs };
      this.#tallies.set(assetId, tally);
    }
    if (tally.count === 0) {
      tally.firstAtMs = nowMs;
      tally.topic = topic.slice(0, MAX_TOPIC_BYTES);
    }
    tally.projectId = projectId;
    tally.count += 1;
    if (isDue(tally, nowMs)) this.#report(assetId, tally, nowMs);
    return true;
  }

  /** Reports what is due, and forgets assets that have sent nothing foreign for a minute. */
  sweep(): void {
    const nowMs = this.#now();
    for (const [assetId, tally] of this.#tallies) {
      if (!isDue(tally, nowMs)) continue;
      if (tally.count === 0) this.#tallies.delete(assetId);
      else this.#report(assetId, tally, nowMs);
    }
  }

  /** The asset was deleted: there is no log to report to. */
  forget(assetId: AssetId): void {
    this.#tallies.delete(assetId);
  }

  /** Reports what was counted so far and stops. */
  close(): void {
    clearInterval(this.#timer);
    const nowMs = this.#now();
    for (const [assetId, tally] of this.#tallies) {
      if (tally.count > 0) this.#report(assetId, tally, nowMs);
    }
  }

  #report(assetId: AssetId, tally: Tally, nowMs: number): void {
    if (this.#journal.state !== "open") return;
    const { projectId, count, firstAtMs, topic } = tally;
    const body = encodeForeign({ assetId, projectId, receivedAtMs: firstAtMs, topic, count });
    tally.count = 0;
    tally.reportedAtMs = nowMs;
    this.#journal.append(RECORD_KIND.foreign, nowMs, body, (error) => {
      if (error === undefined) return;
      // The journal refused it: the next report counts these too.
      tally.firstAtMs = firstAtMs;
      tally.topic = topic;
      tally.count += count;
    });
  }
}

/** Also when the clock was set back: a report must not wait for hours because of it. */
const isDue = ({ reportedAtMs }: Tally, nowMs: number): boolean =>
  Math.abs(nowMs - reportedAtMs) >= REPORT_EVERY_MS;

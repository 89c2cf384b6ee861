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

/** A change that is not appended yet. */
interface DueChange extends LinkChange {
  /** Whose session ended: the asset's own, or that of the gateway that it is reached through. */
  readonly by: AssetId;
}

export interface LinkLogOptions {
  readonly journal: Pick<JournalWriter, "append" | "state">;
  readonly directory: Pick<AssetDirectory, "find">;
  readonly now: () => number;
  /** Whether links stay up however this process ends; default: they end with it. */
  readonly outliveUs?: boolean;
  /**
   * Yields which of these assets have a session at another process: their links did not go down. Absent: there is no
   * other process.
   */
  readonly elsewhere?:
    | ((assetIds: readonly AssetId[]) => Promise<ReadonlySet<AssetId>>)
    | undefined;
  /** How often changes are tried, ms; default: {@link SWEEP_MS}. */
  readonly sweepMs?: number;
}

/**
 * Journals which assets have an MQTT session, or are reported to be reachable through one. Nothing waits for it:
 * changes that the journal does not take are kept, one per asset, and appended later with the time at which they
 * happened.
 *
 * Sessions do not outlive the process, so its first record is a `start`, and no link is journalled before that is
 * durable. Links of a foreign broker's sessions do outlive it, and have no start. Where several processes are alike
 * there is none either: another process journals the ends of the links of one that died ({@link LinkLog.gone}).
 */
export class LinkLog implements LinkFollower {
  readonly #options: LinkLogOptions;
  readonly #timer: NodeJS.Timeout;
  #start: "owed" | "in flight" | "durable" = "owed";
  readonly #due = new Map<AssetId, DueChange>();
  /** Assets whose link is up by the newest record appended. */
  readonly #up = new Set<AssetId>();
  /** Whether it is being asked which assets have a session elsewhere. */
  #isAsking = false;

  constructor(options: LinkLogOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#sweep(), options.sweepMs ?? SWEEP_MS);
    this.#timer.unref();
    if (options.outliveUs === true) this.#start = "durable";
    else this.#appendStart();
  }

  opened(assetId: AssetId): void {
    if (this.#up.has(assetId)) this.#due.delete(assetId);
    else this.#note(assetId, undefined, assetId);
    this.#appendDue(assetId);
  }

  /** `by`: the gateway whose session ended, where that is the reason. */
  closed(assetId: AssetId, end: LinkEnd, by: AssetId = assetId): void {
    this.#note(assetId, end, by);
  }

  /**
   * Journals that the link of an asset went down with the process that had it; resolves when that is durable.
   * @throws Error when the journal does not take it.
   */
  gone(assetId: AssetId, atMs: number): Promise<void> {
    const { journal, directory, now } = this.#options;
    const projectId = directory.find(assetId)?.project.id;
    if (projectId === undefined) return Promise.resolve();
    const body = encodeLinkChange({ assetId, projectId, atMs, end: "cut" });
    return new Promise((resolve, reject) => {
      if (journal.state !== "open") reject(new Error("the journal takes nothing now"));
      else {
        journal.append(RECORD_KIND.link, now(), body, (error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      }
    });
  }

  /** Journals anew which links are up: another process took this one for dead, and journalled their ends. */
  again(): void {
    for (const assetId of this.#up) {
      if (!this.#due.has(assetId)) this.#note(assetId, undefined, assetId);
    }
    this.#sweep();
  }

  /** Stops; what was not appended is made up for by the next start. */
  close(): void {
    clearInterval(this.#timer);
  }

  #note(assetId: AssetId, end: LinkEnd | undefined, by: AssetId): void {
    const { directory, now } = this.#options;
    const projectId = directory.find(assetId)?.project.id;
    if (projectId !== undefined) {
      this.#due.set(assetId, { assetId, projectId, atMs: now(), end, by });
      return;
    }
    // The asset was deleted: there is nothing to report.
    this.#due.delete(assetId);
    this.#up.delete(assetId);
  }

  #sweep(): void {
    if (this.#start === "owed") this.#appendStart();
    for (const assetId of [...this.#due.keys()]) this.#appendDue(assetId);
    this.#askElsewhere();
  }

  #appendStart(): void {
    const { journal, now } = this.#options;
    if (journal.state !== "open") return;
    this.#start = "in flight";
    journal.append(RECORD_KIND.start, now(), TICK_BODY, (error) => {
      this.#start = error === undefined ? "durable" : "owed";
      if (error === undefined) this.#sweep();
    });
  }

  #appendDue(assetId: AssetId): void {
    const change = this.#due.get(assetId);
    if (change === undefined || this.#start !== "durable") return;
    if (change.end === undefined) this.#append(change);
    else if (this.#options.elsewhere === undefined && this.#hasSettled(change))
      this.#append(change);
  }

  #hasSettled({ atMs }: DueChange): boolean {
    return this.#options.now() - atMs >= SETTLE_MS;
  }

  /** Links that went down here, and may have come up elsewhere; all of them in one question. */
  #askElsewhere(): void {
    const { elsewhere } = this.#options;
    if (elsewhere === undefined || this.#isAsking) return;
    const settled = [...this.#due.values()].filter(
      (change) => change.end !== undefined && this.#hasSettled(change),
    );
    if (settled.length === 0) return;
    this.#isAsking = true;
    void elsewhere([...new Set(settled.map(({ by }) => by))])
      .then(
        (found) => {
          for (const change of settled) this.#conclude(change, found.has(change.by));
        },
        // The record store is away: asked again with the next sweep.
        () => undefined,
      )
      .finally(() => {
        this.#isAsking = false;
      });
  }

  #conclude(change: DueChange, isElsewhere: boolean): void {
    const { assetId } = change;
    // It came back meanwhile.
    if (this.#due.get(assetId) !== change) return;
    if (!isElsewhere) {
      this.#append(change);
      return;
    }
    this.#due.delete(assetId);
    this.#up.delete(assetId);
  }

  #append(change: DueChange): void {
    const { journal, now } = this.#options;
    if (journal.state !== "open") return;
    const { assetId } = change;
    const isUp = change.end === undefined;
    this.#due.delete(assetId);
    this.#setUp(assetId, isUp);
    journal.append(RECORD_KIND.link, now(), encodeLinkChange(change), (error) => {
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

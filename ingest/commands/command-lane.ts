import type { Command } from "../../domain/equipment/command.ts";
import { beginAttempt, endOverdue, giveUp } from "../../domain/equipment/command-steps.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId, CommandId } from "../../domain/ids.ts";
import type { CommandRecords } from "../../storage/ports/equipment/commands.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { coalesceRefresh } from "../pacing/coalesced-refresh.ts";
import type { CommandLink } from "./command-link.ts";

/**
 * How far this process may be behind in what it knows of assets, ms: it reads them once a second. A command for an
 * asset of another project waits as long before it fails, because the asset may have moved just before the command
 * was made. Shorter fails commands of a slow machine; longer keeps those of an asset that did move.
 */
const DIRECTORY_LAG_MS = 5_000;
/** Pause after the store was away, ms. */
const RETRY_MS = 1_000;

/** What lanes share. */
export interface LaneContext {
  readonly commands: Pick<CommandRecords, "head">;
  readonly directory: Pick<AssetDirectory, "find">;
  /** Assets that may have open commands, so that a fleet that comes back asks the store for these alone. */
  readonly open: Set<AssetId>;
  /** How long a device that came back may take to report an earlier attempt, ms. */
  readonly graceMs: number;
  /** How long an attempt waits for an answer where receipts are not acknowledged, ms. */
  readonly answerMs: number;
  readonly now: () => number;
  /**
   * Whether this process is the one that the asset connected to last: an older connection of another one may be
   * half-open. Absent: there is no other process.
   */
  readonly isNewest?: ((assetId: AssetId) => Promise<boolean>) | undefined;
  /** Whether nothing more may be sent. */
  readonly isStopped: () => boolean;
  /** Stores a step; `undefined`: `change` found nothing to do. */
  update(
    id: CommandId,
    change: (before: Command) => Command | undefined,
  ): Promise<Command | undefined>;
  /** The store was read or written. */
  succeeded(): void;
  failed(error: unknown, what: string): void;
}

/** One asset that can be reached: sends its commands one after the other. */
export class CommandLane {
  readonly #assetId: AssetId;
  readonly #context: LaneContext;
  /** The last one is used. */
  readonly #links: CommandLink[] = [];
  readonly #delivering = coalesceRefresh(() => this.#deliver());
  /** When the link in use came, ms. */
  #linkedAtMs: number;
  #awaiting: { readonly command: Command; readonly link: CommandLink } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(assetId: AssetId, context: LaneContext) {
    this.#assetId = assetId;
    this.#context = context;
    this.#linkedAtMs = context.now();
  }

  /** The command that was sent and is not confirmed. */
  get awaiting(): Command | undefined {
    return this.#awaiting?.command;
  }

  get hasLinks(): boolean {
    return this.#links.length > 0;
  }

  attach(link: CommandLink): void {
    this.#links.push(link);
    this.#linkedAtMs = this.#context.now();
    this.refresh();
  }

  detach(link: CommandLink): void {
    const place = this.#links.indexOf(link);
    if (place < 0) return;
    this.#links.splice(place, 1);
    if (this.#awaiting?.link === link) {
      this.#awaiting = undefined;
      this.#linkedAtMs = this.#context.now();
    }
    // The timer of an attempt on another link goes on: nothing else would end it.
    if (this.#awaiting === undefined) clearTimeout(this.#timer);
    if (this.hasLinks) this.refresh();
  }

  /** There may be something to send. */
  refresh(): void {
    void this.#delivering.refresh();
  }

  /** A command is confirmed or has ended: the next one may go. */
  over(id: CommandId): void {
    if (this.#awaiting?.command.id === id) {
      this.#awaiting = undefined;
      clearTimeout(this.#timer);
    }
    this.refresh();
  }

  /** Calls `store` again after a pause, if the command is under way still. */
  retryReceipt(id: CommandId, store: () => void): void {
    // After the link it stays `sent`: the next link shows it as another attempt.
    if (this.#awaiting?.command.id !== id || this.#context.isStopped()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(store, RETRY_MS);
  }

  /** Resolves when the delivery at hand, if any, is over. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#delivering.stop();
  }

  /** Sends what is next to be sent, and goes on until something is under way or nothing is left. */
  async #deliver(): Promise<void> {
    const { succeeded, failed } = this.#context;
    try {
      while (!this.#context.isStopped() && (await this.#deliverNext())) succeeded();
    } catch (error) {
      failed(error, "commands wait; trying again");
      this.#refreshLater(RETRY_MS);
    }
  }

  #refreshLater(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#context.isStopped()) return;
    this.#timer = setTimeout(() => this.refresh(), ms);
  }

  /** Whether to poll again at once. */
  async #deliverNext(): Promise<boolean> {
    const { commands, directory, open, now, update } = this.#context;
    const assetId = this.#assetId;
    const link = this.#links.at(-1);
    if (link === undefined || this.#awaiting !== undefined || !open.has(assetId)) return false;
    // Forgotten before the read: a command that comes after it is noted again.
    open.delete(assetId);
    const head = await commands.head(assetId).catch((error: unknown) => {
      open.add(assetId);
      throw error;
    });
    if (head === undefined) return false;
    open.add(assetId);
    if (this.#context.isNewest !== undefined && !(await this.#context.isNewest(assetId))) {
      this.#refreshLater(RETRY_MS);
      return false;
    }
    const atMs = now();
    if (head.expiresAtMs <= atMs) {
      await update(head.id, (before) => endOverdue(before, now()));
      return true;
    }
    const asset = directory.find(assetId);
    if (asset?.project.id !== head.projectId) {
      // Either way, as the clock of the process that stored it may differ.
      if (Math.abs(atMs - head.createdAtMs) < DIRECTORY_LAG_MS) {
        this.#refreshLater(RETRY_MS);
        return false;
      }
      const detail = "the asset belongs to another project by now";
      await update(head.id, (before) =>
        giveUp(before, { failure: "asset_moved", detail, atMs: now() }),
      );
      return true;
    }
    if (head.state === "sent") {
      // Sent by an earlier link or process. The device may be about to report its outcome.
      const { graceMs } = this.#context;
      const waitMs = Math.min(this.#linkedAtMs + graceMs - atMs, graceMs);
      if (waitMs > 0) {
        this.#refreshLater(waitMs);
        return false;
      }
      if (head.attempt >= head.maxAttempts) {
        await update(head.id, (before) =>
          before.attempt === head.attempt ? unconfirmed(before, now()) : undefined,
        );
        return true;
      }
    }
    return await this.#attempt(link, head);
  }

  async #attempt(link: CommandLink, head: Command): Promise<boolean> {
    const { now, update } = this.#context;
    const next = { attempt: head.attempt + 1, carrier: link.carrier };
    let write: (() => void) | undefined;
    try {
      write = link.prepare({ ...head, ...next });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await update(head.id, (before) =>
        giveUp(before, { failure: "not_encodable", detail: error.message, atMs: now() }),
      );
      return true;
    }
    if (write === undefined) return false;
    const begun = await update(head.id, (before) => beginAttempt(before, { ...next, atMs: now() }));
    // Cancelled meanwhile, for instance.
    if (begun === undefined) return true;
    // Stored as sent, and the link went: the next one is another attempt.
    if (!this.#links.includes(link) || this.#context.isStopped()) return true;
    this.#awaiting = { command: begun, link };
    write();
    if (!link.confirmsReceipt) this.#waitForAnswer(begun);
    return false;
  }

  #waitForAnswer({ id }: Command): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#awaiting?.command.id !== id) return;
      this.#awaiting = undefined;
      // Nothing came on this link: no grace any more.
      this.#linkedAtMs = Number.NEGATIVE_INFINITY;
      this.refresh();
    }, this.#context.answerMs);
  }
}

const unconfirmed = (before: Command, atMs: number) =>
  giveUp(before, {
    failure: "unconfirmed",
    detail: `sent ${before.attempt} of ${before.maxAttempts} times, and nothing confirmed it; the device may have run it`,
    atMs,
  });

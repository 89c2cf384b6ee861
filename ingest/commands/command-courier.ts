import type { Logger } from "pino";
import type { Command, CommandAnswer } from "../../domain/equipment/command.ts";
import { confirmReceipt, endOverdue, takeAnswer } from "../../domain/equipment/command-steps.ts";
import type { AssetId, CommandId } from "../../domain/ids.ts";
import type { CommandRecords } from "../../storage/ports/equipment/commands.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { createCounters } from "../intake/readings/counters.ts";
import { coalesceRefresh } from "../pacing/coalesced-refresh.ts";
import { CommandLane, type LaneContext } from "./command-lane.ts";
import type { CommandLink } from "./command-link.ts";

/**
 * How often commands of other processes are read, ms. Sooner asks an idle database more often; later is a
 * person waiting.
 */
const POLL_MS = 500;
/** How often expired commands are polled for, ms. */
const SWEEP_MS = 1_000;
/** Commands of one such read. */
const PAGE = 500;
/**
 * How long an attempt waits for an answer where receipts are not acknowledged, ms: trackers answer within
 * some seconds, over a poor link within ten.
 */
const ANSWER_MS = 30_000;
/**
 * How long a device that came back has to say what became of the command that it was sent before, ms. Shorter
 * repeats a command whose answer is in transit; longer keeps the next ones waiting.
 */
const GRACE_MS = 2_000;

const COUNTERS = [
  "commands_sent",
  /** Those of them that are not the first attempt. */
  "commands_sent_again",
  "commands_delivered",
  "commands_answered",
  "commands_refused",
  "commands_unconfirmed",
  "commands_expired",
] as const;

/** Which command an answer belongs to: its id, or its sequence. */
export type AnsweredCommand = { readonly id: CommandId } | { readonly sequence: number };

export interface CommandCourierOptions {
  readonly commands: CommandRecords;
  readonly directory: Pick<AssetDirectory, "find">;
  /** As in {@link LaneContext}. */
  readonly isNewest?: LaneContext["isNewest"];
  /** Called when there are new events. */
  readonly changed: () => void;
  readonly log: Pick<Logger, "warn">;
  readonly now?: () => number;
  readonly answerMs?: number;
  readonly graceMs?: number;
  readonly pollMs?: number;
}

/** What the store held at the start. */
interface StoredCommands {
  /** The newest sequence before the open ones were read. */
  readonly readTo: number;
  readonly openAssets: readonly AssetId[];
}

/**
 * Takes commands to the devices that are connected to this process. The rows are the queue. What is sent
 * next is read from the store each time. Every step is stored before it is taken, `sent` before the first
 * byte leaves. So a killed process loses nothing, and what it may have sent shows as an attempt. One command
 * of an asset is under way at a time, in the order of their sequence; the next one follows when it is
 * confirmed or has ended.
 */
export class CommandCourier {
  readonly #options: CommandCourierOptions;
  readonly #now: () => number;
  readonly #counters = createCounters(COUNTERS);
  readonly #lanes = new Map<AssetId, CommandLane>();
  readonly #context: LaneContext;
  readonly #following = coalesceRefresh(() => this.#follow());
  readonly #sweeping = coalesceRefresh(() => this.#sweep());
  readonly #timers: readonly NodeJS.Timeout[];
  #readTo: number;
  #isTroubled = false;
  #isStopped = false;

  /** Starts it. */
  static async start(options: CommandCourierOptions): Promise<CommandCourier> {
    // Before the open ones are read: a command of in between is in both.
    const readTo = await options.commands.lastSequence();
    const openAssets = await options.commands.openAssets();
    return new CommandCourier(options, { readTo, openAssets });
  }

  private constructor(options: CommandCourierOptions, { readTo, openAssets }: StoredCommands) {
    const { commands, directory, now = Date.now, pollMs = POLL_MS } = options;
    this.#options = options;
    this.#now = now;
    this.#readTo = readTo;
    this.#context = {
      commands,
      directory,
      open: new Set(openAssets),
      graceMs: options.graceMs ?? GRACE_MS,
      answerMs: options.answerMs ?? ANSWER_MS,
      now,
      isNewest: options.isNewest,
      isStopped: () => this.#isStopped,
      update: (id, change) => this.#update(id, change),
      succeeded: () => {
        this.#isTroubled = false;
      },
      failed: (error, what) => this.#failed(error, what),
    };
    this.#timers = [
      setInterval(() => void this.#following.refresh(), pollMs),
      setInterval(() => void this.#sweeping.refresh(), SWEEP_MS),
    ];
  }

  /** The asset can be reached by that link from now on. */
  attach(assetId: AssetId, link: CommandLink): void {
    if (this.#isStopped) return;
    let lane = this.#lanes.get(assetId);
    if (lane === undefined) {
      lane = new CommandLane(assetId, this.#context);
      this.#lanes.set(assetId, lane);
    }
    lane.attach(link);
  }

  /** The link is gone; what was sent on it and is not confirmed may be sent again on the next one. */
  detach(assetId: AssetId, link: CommandLink): void {
    const lane = this.#lanes.get(assetId);
    if (lane === undefined) return;
    lane.detach(link);
    if (!lane.hasLinks) this.#lanes.delete(assetId);
  }

  /** The device acknowledged receipt. */
  received(assetId: AssetId, id: CommandId): void {
    this.#update(id, (before) =>
      before.assetId === assetId ? confirmReceipt(before, this.#now()) : undefined,
    ).then(
      () => this.#over(assetId, id),
      (error: unknown) => {
        this.#failed(error, "the receipt of a command is not stored; trying again");
        this.#lanes.get(assetId)?.retryReceipt(id, () => this.received(assetId, id));
      },
    );
  }

  /**
   * Stores an answer; resolves when it is durable, with whether a command took it. An answer counts for
   * commands of that asset only.
   * @throws DomainError `STORE_UNAVAILABLE`: the device has to say it again.
   */
  async answered(
    assetId: AssetId,
    which: AnsweredCommand,
    answer: CommandAnswer,
    refusal?: string,
  ): Promise<boolean> {
    const id = await this.#idOf(assetId, which);
    if (id === undefined) return false;
    const after = await this.#update(id, (before) =>
      before.assetId === assetId
        ? takeAnswer(before, { answer, refusal, atMs: this.#now() })
        : undefined,
    );
    this.#over(assetId, id);
    return after !== undefined;
  }

  /** The command that was sent to the asset and is not confirmed. */
  awaiting(assetId: AssetId): Command | undefined {
    return this.#lanes.get(assetId)?.awaiting;
  }

  /** There may be a new command for the asset. Never waits. */
  wake(assetId: AssetId): void {
    this.#context.open.add(assetId);
    this.#lanes.get(assetId)?.refresh();
  }

  stats(): Readonly<Record<string, number>> {
    return { ...this.#counters, command_links: this.#lanes.size };
  }

  /** Sends nothing more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([
      this.#following.stop(),
      this.#sweeping.stop(),
      ...Array.from(this.#lanes.values(), (lane) => lane.stop()),
    ]);
  }

  async #update(
    id: CommandId,
    change: (before: Command) => Command | undefined,
  ): Promise<Command | undefined> {
    const after = await this.#options.commands.update(id, change);
    if (after === undefined) return undefined;
    this.#count(after);
    this.#options.changed();
    return after;
  }

  #count({ state, failure, attempt }: Command): void {
    const counters = this.#counters;
    if (state === "sent") counters.commands_sent += 1;
    if (state === "sent" && attempt > 1) counters.commands_sent_again += 1;
    if (state === "delivered") counters.commands_delivered += 1;
    if (state === "answered") counters.commands_answered += 1;
    if (failure === "refused") counters.commands_refused += 1;
    if (failure === "unconfirmed") counters.commands_unconfirmed += 1;
    if (state === "expired") counters.commands_expired += 1;
  }

  /** Logs the first failure of several, because the store is away for all at once. */
  #failed(error: unknown, what: string): void {
    if (!this.#isTroubled) this.#options.log.warn({ err: error }, what);
    this.#isTroubled = true;
  }

  /** It is confirmed or has ended: the next one may go. */
  #over(assetId: AssetId, id: CommandId): void {
    this.#lanes.get(assetId)?.over(id);
  }

  async #idOf(assetId: AssetId, which: AnsweredCommand): Promise<CommandId | undefined> {
    if ("id" in which) return which.id;
    return (await this.#options.commands.findBySequence(assetId, which.sequence))?.id;
  }

  /** Reads the commands that other processes stored. */
  async #follow(): Promise<void> {
    try {
      for (;;) {
        const page = await this.#options.commands.since(this.#readTo, PAGE);
        for (const { sequence, assetId } of page) {
          this.#readTo = Math.max(this.#readTo, sequence);
          this.wake(assetId);
        }
        if (page.length < PAGE || this.#isStopped) break;
      }
      this.#isTroubled = false;
    } catch (error) {
      this.#failed(error, "new commands cannot be read; trying again");
    }
  }

  /** Ends those whose time is over, also of devices that are not here. */
  async #sweep(): Promise<void> {
    try {
      for (;;) {
        const ids = await this.#options.commands.overdue(this.#now(), PAGE);
        for (const id of ids) {
          const ended = await this.#update(id, (before) => endOverdue(before, this.#now()));
          if (ended !== undefined) this.#over(ended.assetId, id);
        }
        if (ids.length < PAGE || this.#isStopped) break;
      }
    } catch (error) {
      this.#failed(error, "commands cannot be ended; trying again");
    }
  }
}

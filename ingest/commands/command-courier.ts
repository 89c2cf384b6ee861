import type { Logger } from "pino";
import type { Command, CommandAnswer } from "../../domain/equipment/command.ts";
import {
  beginAttempt,
  confirmReceipt,
  endOverdue,
  giveUp,
  takeAnswer,
} from "../../domain/equipment/command-steps.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId, CommandId } from "../../domain/ids.ts";
import type { CommandRecords } from "../../storage/ports/equipment/commands.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { createCounters } from "../intake/readings/counters.ts";
import { type CoalescedRefresh, coalesceRefresh } from "../pacing/coalesced-refresh.ts";
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
/**
 * How far this process may be behind in what it knows of assets, ms: it reads them once a second. A command for an
 * asset of another project waits as long before it fails, because the asset may have moved just before the command
 * was made. Shorter fails commands of a slow machine; longer keeps those of an asset that did move.
 */
const DIRECTORY_LAG_MS = 5_000;
/** Pause after the store was away, ms. */
const RETRY_MS = 1_000;

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

/** Takes commands to the devices that are connected to this process. */
export interface CommandCourier {
  /** The asset can be reached by that link from now on. */
  attach(assetId: AssetId, link: CommandLink): void;
  /** The link is gone; what was sent on it and is not confirmed may be sent again on the next one. */
  detach(assetId: AssetId, link: CommandLink): void;
  /** The device acknowledged receipt. */
  received(assetId: AssetId, id: CommandId): void;
  /**
   * Stores an answer; resolves when it is durable, with whether a command took it. An answer counts for
   * commands of that asset only.
   * @throws DomainError `STORE_UNAVAILABLE`: the device has to say it again.
   */
  answered(
    assetId: AssetId,
    which: AnsweredCommand,
    answer: CommandAnswer,
    refusal?: string,
  ): Promise<boolean>;
  /** The command that was sent to the asset and is not confirmed. */
  awaiting(assetId: AssetId): Command | undefined;
  /** There may be a new command for the asset. Never waits. */
  wake(assetId: AssetId): void;
  stats(): Readonly<Record<string, number>>;
  /** Sends nothing more. */
  stop(): Promise<void>;
}

export interface CommandCourierOptions {
  readonly commands: CommandRecords;
  readonly directory: Pick<AssetDirectory, "find">;
  /** Called when there are new events. */
  readonly changed: () => void;
  readonly log: Pick<Logger, "warn">;
  readonly now?: () => number;
  readonly answerMs?: number;
  readonly graceMs?: number;
  readonly pollMs?: number;
}

/** One asset that can be reached. */
interface Lane {
  readonly assetId: AssetId;
  /** The last one is used. */
  readonly links: CommandLink[];
  readonly delivering: CoalescedRefresh;
  /** When the link in use came, ms. */
  linkedAtMs: number;
  awaiting: { readonly command: Command; readonly link: CommandLink } | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Starts it. The rows are the queue. What is sent next is read from the store each time. Every step is stored
 * before it is taken, `sent` before the first byte leaves. So a killed process loses nothing, and what it may
 * have sent shows as an attempt. One command of an asset is under way at a time, in the order of their sequence;
 * the next one follows when it is confirmed or has ended.
 */
export async function startCommandCourier(options: CommandCourierOptions): Promise<CommandCourier> {
  const { commands, directory, changed, log, now = Date.now } = options;
  const { answerMs = ANSWER_MS, graceMs = GRACE_MS, pollMs = POLL_MS } = options;
  const counters = createCounters(COUNTERS);
  const lanes = new Map<AssetId, Lane>();
  // Before the open ones are read: a command of in between is in both.
  let readTo = await commands.lastSequence();
  /** Assets that may have open commands, so that a fleet that comes back asks the store for these alone. */
  const open = new Set<AssetId>(await commands.openAssets());
  let isTroubled = false;
  let isStopped = false;

  async function update(
    id: CommandId,
    change: (before: Command) => Command | undefined,
  ): Promise<Command | undefined> {
    const after = await commands.update(id, change);
    if (after === undefined) return undefined;
    count(after);
    changed();
    return after;
  }

  function count({ state, failure, attempt }: Command): void {
    if (state === "sent") counters.commands_sent += 1;
    if (state === "sent" && attempt > 1) counters.commands_sent_again += 1;
    if (state === "delivered") counters.commands_delivered += 1;
    if (state === "answered") counters.commands_answered += 1;
    if (failure === "refused") counters.commands_refused += 1;
    if (failure === "unconfirmed") counters.commands_unconfirmed += 1;
    if (state === "expired") counters.commands_expired += 1;
  }

  /** Logs the first failure of several, because the store is away for all at once. */
  function failed(error: unknown, what: string): void {
    if (!isTroubled) log.warn({ err: error }, what);
    isTroubled = true;
  }

  function refreshLater(lane: Lane, ms: number): void {
    clearTimeout(lane.timer);
    if (isStopped) return;
    lane.timer = setTimeout(() => void lane.delivering.refresh(), ms);
  }

  /** Sends what is next to be sent, and goes on until something is under way or nothing is left. */
  async function deliver(lane: Lane): Promise<void> {
    try {
      while (!isStopped && (await deliverNext(lane))) isTroubled = false;
    } catch (error) {
      failed(error, "commands wait; trying again");
      refreshLater(lane, RETRY_MS);
    }
  }

  /** Whether to poll again at once. */
  async function deliverNext(lane: Lane): Promise<boolean> {
    const { assetId } = lane;
    const link = lane.links.at(-1);
    if (link === undefined || lane.awaiting !== undefined || !open.has(assetId)) return false;
    // Forgotten before the read: a command that comes after it is noted again.
    open.delete(assetId);
    const head = await commands.head(assetId).catch((error: unknown) => {
      open.add(assetId);
      throw error;
    });
    if (head === undefined) return false;
    open.add(assetId);
    const atMs = now();
    if (head.expiresAtMs <= atMs) {
      await update(head.id, (before) => endOverdue(before, now()));
      return true;
    }
    const asset = directory.find(assetId);
    if (asset?.project.id !== head.projectId) {
      // Either way, as the clock of the process that stored it may differ.
      if (Math.abs(atMs - head.createdAtMs) < DIRECTORY_LAG_MS) {
        refreshLater(lane, RETRY_MS);
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
      const waitMs = Math.min(lane.linkedAtMs + graceMs - atMs, graceMs);
      if (waitMs > 0) {
        refreshLater(lane, waitMs);
        return false;
      }
      if (head.attempt >= head.maxAttempts) {
        await update(head.id, (before) =>
          before.attempt === head.attempt ? unconfirmed(before, now()) : undefined,
        );
        return true;
      }
    }
    return await attempt(lane, link, head);
  }

  async function attempt(lane: Lane, link: CommandLink, head: Command): Promise<boolean> {
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
    if (!lane.links.includes(link) || isStopped) return true;
    lane.awaiting = { command: begun, link };
    write();
    if (!link.confirmsReceipt) waitForAnswer(lane, begun);
    return false;
  }

  function waitForAnswer(lane: Lane, { id }: Command): void {
    clearTimeout(lane.timer);
    lane.timer = setTimeout(() => {
      if (lane.awaiting?.command.id !== id) return;
      lane.awaiting = undefined;
      // Nothing came on this link: no grace any more.
      lane.linkedAtMs = Number.NEGATIVE_INFINITY;
      void lane.delivering.refresh();
    }, answerMs);
  }

  const unconfirmed = (before: Command, atMs: number) =>
    giveUp(before, {
      failure: "unconfirmed",
      detail: `sent ${before.attempt} of ${before.maxAttempts} times, and nothing confirmed it; the device may have run it`,
      atMs,
    });

  /** It is confirmed or has ended: the next one may go. */
  function over(assetId: AssetId, id: CommandId): void {
    const lane = lanes.get(assetId);
    if (lane === undefined) return;
    if (lane.awaiting?.command.id === id) {
      lane.awaiting = undefined;
      clearTimeout(lane.timer);
    }
    void lane.delivering.refresh();
  }

  function received(assetId: AssetId, id: CommandId): void {
    update(id, (before) =>
      before.assetId === assetId ? confirmReceipt(before, now()) : undefined,
    ).then(
      () => over(assetId, id),
      (error: unknown) => {
        failed(error, "the receipt of a command is not stored; trying again");
        const lane = lanes.get(assetId);
        // After the link it stays `sent`: the next link shows it as another attempt.
        if (lane?.awaiting?.command.id !== id || isStopped) return;
        clearTimeout(lane.timer);
        lane.timer = setTimeout(() => received(assetId, id), RETRY_MS);
      },
    );
  }

  function laneOf(assetId: AssetId): Lane {
    const known = lanes.get(assetId);
    if (known !== undefined) return known;
    const lane: Lane = {
      assetId,
      links: [],
      delivering: coalesceRefresh(() => deliver(lane)),
      linkedAtMs: now(),
      awaiting: undefined,
      timer: undefined,
    };
    lanes.set(assetId, lane);
    return lane;
  }

  function wake(assetId: AssetId): void {
    open.add(assetId);
    void lanes.get(assetId)?.delivering.refresh();
  }

  async function follow(): Promise<void> {
    try {
      for (;;) {
        const page = await commands.since(readTo, PAGE);
        for (const { sequence, assetId } of page) {
          readTo = Math.max(readTo, sequence);
          wake(assetId);
        }
        if (page.length < PAGE || isStopped) break;
      }
      isTroubled = false;
    } catch (error) {
      failed(error, "new commands cannot be read; trying again");
    }
  }

  /** Ends those whose time is over, also of devices that are not here. */
  async function sweep(): Promise<void> {
    try {
      for (;;) {
        const ids = await commands.overdue(now(), PAGE);
        for (const id of ids) {
          const ended = await update(id, (before) => endOverdue(before, now()));
          if (ended !== undefined) over(ended.assetId, id);
        }
        if (ids.length < PAGE || isStopped) break;
      }
    } catch (error) {
      failed(error, "commands cannot be ended; trying again");
    }
  }

  const following = coalesceRefresh(follow);
  const sweeping = coalesceRefresh(sweep);
  const timers = [
    setInterval(() => void following.refresh(), pollMs),
    setInterval(() => void sweeping.refresh(), SWEEP_MS),
  ];

  async function commandOf(
    assetId: AssetId,
    which: AnsweredCommand,
  ): Promise<CommandId | undefined> {
    if ("id" in which) return which.id;
    return (await commands.findBySequence(assetId, which.sequence))?.id;
  }

  return {
    attach(assetId, link) {
      if (isStopped) return;
      const lane = laneOf(assetId);
      lane.links.push(link);
      lane.linkedAtMs = now();
      void lane.delivering.refresh();
    },

    detach(assetId, link) {
      const lane = lanes.get(assetId);
      const place = lane?.links.indexOf(link) ?? -1;
      if (lane === undefined || place < 0) return;
      lane.links.splice(place, 1);
      if (lane.awaiting?.link === link) {
        lane.awaiting = undefined;
        lane.linkedAtMs = now();
      }
      // The timer of an attempt on another link goes on: nothing else would end it.
      if (lane.awaiting === undefined) clearTimeout(lane.timer);
      if (lane.links.length > 0) void lane.delivering.refresh();
      else lanes.delete(assetId);
    },

    received,

    async answered(assetId, which, answer, refusal) {
      const id = await commandOf(assetId, which);
      if (id === undefined) return false;
      const after = await update(id, (before) =>
        before.assetId === assetId
          ? takeAnswer(before, { answer, refusal, atMs: now() })
          : undefined,
      );
      over(assetId, id);
      return after !== undefined;
    },

    awaiting: (assetId) => lanes.get(assetId)?.awaiting?.command,
    wake,
    stats: () => ({ ...counters, command_links: lanes.size }),

    async stop() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      for (const { timer } of lanes.values()) clearTimeout(timer);
      await Promise.all([
        following.stop(),
        sweeping.stop(),
        ...Array.from(lanes.values(), ({ delivering }) => delivering.stop()),
      ]);
    },
  };
}

import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { AssetId } from "../../domain/ids.ts";
import type { OutboundClient } from "../../outbound/client.ts";
import { backOffMs } from "../pacing/back-off.ts";
import { type NotTaken, sendResultOf } from "./http-answer.ts";
import {
  type OnTrouble,
  type Outgoing,
  SENDER_BACK_OFF,
  type Sender,
  type SenderBackOff,
  type Settled,
  STOP_MS,
} from "./sender.ts";

/** Requests to one receiver at a time. Chosen: at 50 ms there and back, 640 readings a second. */
const MAX_IN_FLIGHT = 32;
/**
 * Failures in a row after which the receiver counts as down, and is tried by one request at a time. More send
 * needlessly to a receiver that is down; fewer slow down for single failures.
 */
const DOWN_AFTER = 4;
/** Tries of one message, while others get through, after which the trouble is its own. Chosen: some 6 min. */
const MOST_TRIES = 20;
const STOP_POLL_MS = 10;

/** A message with what happened to it so far. */
interface Job extends Outgoing {
  failures: number;
  /** Messages of others that had got through before its first failure. */
  othersSent: number;
}

/** The messages of one asset, oldest first; only the first is ever in flight. */
interface Line {
  readonly jobs: Job[];
  /** Not before then is the first one tried again, on the monotonic clock, ms. */
  restsUntilMs: number;
  isInFlight: boolean;
}

export interface HttpSenderOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly outbound: Pick<OutboundClient, "send">;
  readonly onTrouble: OnTrouble;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  readonly random?: () => number;
  readonly backOff?: SenderBackOff;
  readonly mostTries?: number;
  readonly stopMs?: number;
}

/**
 * Posts one message per request, as Traccar does: several assets at a time, one request at a time for
 * each of them, so that the order per asset is kept.
 *
 * A line (an asset's messages) is idle, in flight, or rests after a failure. While the receiver is up,
 * every line goes its own pace. Down, after four failures in a row, one line at a time is tried, ever more
 * seldom; the first success lets all of them go again. `Retry-After` keeps all of them waiting.
 */
export class HttpSender implements Sender {
  readonly #options: HttpSenderOptions;
  readonly #random: NonNullable<HttpSenderOptions["random"]>;
  readonly #backOff: NonNullable<HttpSenderOptions["backOff"]>;
  readonly #mostTries: NonNullable<HttpSenderOptions["mostTries"]>;
  readonly #stopMs: NonNullable<HttpSenderOptions["stopMs"]>;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #lines = new Map<AssetId, Line>();
  readonly #stopping = new AbortController();
  #pending = 0;
  #inFlight = 0;
  #sent = 0;
  #failuresInRow = 0;
  /**
   * Nothing is sent before then: the receiver is down, or asked for it; on the monotonic clock, ms.
   */
  #quietUntilMs = 0;
  #askedUntilMs = 0;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HttpSenderOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#backOff = options.backOff ?? SENDER_BACK_OFF;
    this.#mostTries = options.mostTries ?? MOST_TRIES;
    this.#stopMs = options.stopMs ?? STOP_MS;
    this.#headers = {
      "content-type": "application/json",
      "user-agent": "Plumbline-Forwarder/1",
      ...this.#options.headers,
    };
    // One listener per request in flight; Node takes more than ten for a leak.
    setMaxListeners(0, this.#stopping.signal);
  }

  get pending(): number {
    return this.#pending;
  }

  add(outgoing: Outgoing): void {
    const { assetId } = outgoing.message;
    const job: Job = { ...outgoing, failures: 0, othersSent: 0 };
    const line = this.#lines.get(assetId);
    if (line === undefined)
      this.#lines.set(assetId, { jobs: [job], restsUntilMs: 0, isInFlight: false });
    else line.jobs.push(job);
    this.#pending += 1;
    this.#pump();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const deadlineMs = performance.now() + this.#stopMs;
    while (this.#inFlight > 0 && performance.now() < deadlineMs) await delay(STOP_POLL_MS);
    this.#stopping.abort();
  }

  #isDown(): boolean {
    return this.#failuresInRow >= DOWN_AFTER;
  }

  /** The line to try next: one that has waited its turn, or, while the receiver is down, any. */
  #nextLine(): readonly [AssetId, Line] | undefined {
    let soonest: readonly [AssetId, Line] | undefined;
    for (const [assetId, line] of this.#lines) {
      if (line.isInFlight) continue;
      if (line.restsUntilMs <= performance.now()) return [assetId, line];
      if (soonest === undefined || line.restsUntilMs < soonest[1].restsUntilMs) {
        soonest = [assetId, line];
      }
    }
    return this.#isDown() ? soonest : undefined;
  }

  #pump(): void {
    while (!this.#isStopped && this.#inFlight < (this.#isDown() ? 1 : MAX_IN_FLIGHT)) {
      if (performance.now() < Math.max(this.#quietUntilMs, this.#askedUntilMs)) break;
      const next = this.#nextLine();
      if (next === undefined) break;
      const [assetId, line] = next;
      line.isInFlight = true;
      // Behind all others, so that each has its turn.
      this.#lines.delete(assetId);
      this.#lines.set(assetId, line);
      void this.#attempt(assetId, line);
    }
    this.#wakeLater();
  }

  /** Nothing else would call `pump` when a rest is over. */
  #wakeLater(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped || this.#inFlight >= (this.#isDown() ? 1 : MAX_IN_FLIGHT)) return;
    let dueMs = Number.POSITIVE_INFINITY;
    for (const { isInFlight, restsUntilMs } of this.#lines.values()) {
      if (!isInFlight) dueMs = Math.min(dueMs, this.#isDown() ? 0 : restsUntilMs);
    }
    if (dueMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(
      () => this.#pump(),
      Math.max(dueMs, this.#quietUntilMs, this.#askedUntilMs) - performance.now(),
    );
  }

  async #attempt(assetId: AssetId, line: Line): Promise<void> {
    const [job] = line.jobs;
    if (job === undefined) return;
    this.#inFlight += 1;
    const { body } = job.message;
    const { signal } = this.#stopping;
    const outcome = await this.#options.outbound.send({
      method: "POST",
      url: this.#options.url,
      headers: this.#headers,
      body,
      signal,
    });
    this.#inFlight -= 1;
    line.isInFlight = false;
    const result = sendResultOf(outcome, this.#options.now());
    if (result.kind === "stopped") return;
    if (result.kind === "sent") this.#answered(assetId, line, "sent");
    else if (result.kind === "refused") this.#answered(assetId, line, refusal(result));
    else this.#failed(assetId, line, job, result);
    this.#pump();
  }

  /** The receiver has dealt with the first message of the line. */
  #answered(assetId: AssetId, line: Line, end: Settled): void {
    if (this.#isDown()) for (const other of this.#lines.values()) other.restsUntilMs = 0;
    this.#failuresInRow = 0;
    this.#quietUntilMs = 0;
    if (end === "sent") this.#sent += 1;
    this.#settleFirst(assetId, line, end);
  }

  #failed(assetId: AssetId, line: Line, job: Job, result: NotTaken): void {
    this.#options.onTrouble(result.reason);
    if (job.failures === 0) job.othersSent = this.#sent;
    job.failures += 1;
    // Others got through since: then it is this message, or this asset.
    const isItsOwn = result.perhapsThis && job.failures > 1 && this.#sent > job.othersSent;
    if (isItsOwn && job.failures >= this.#mostTries) {
      this.#settleFirst(assetId, line, refusal(result));
      return;
    }
    line.restsUntilMs = performance.now() + backOffMs(job.failures, this.#backOff, this.#random);
    if (isItsOwn) return;
    this.#failuresInRow += 1;
    // What needs a person is asked by one request at a time, not by as many as there are assets.
    if (result.kind === "hold") this.#failuresInRow = Math.max(this.#failuresInRow, DOWN_AFTER);
    const nowMs = performance.now();
    if (result.kind === "hold") this.#quietUntilMs = nowMs + this.#backOff.holdMs;
    else if (this.#isDown())
      this.#quietUntilMs = nowMs + backOffMs(this.#failuresInRow, this.#backOff, this.#random);
    this.#askedUntilMs = Math.max(this.#askedUntilMs, nowMs + (result.retryAfterMs ?? 0));
  }

  #settleFirst(assetId: AssetId, line: Line, end: Settled): void {
    const job = line.jobs.shift();
    line.restsUntilMs = 0;
    if (line.jobs.length === 0) this.#lines.delete(assetId);
    this.#pending -= 1;
    job?.settle(end);
  }
}

/** The end of a message that the receiver does not take. */
function refusal({ status, reason }: Pick<NotTaken, "status" | "reason">): Settled {
  return { skipped: `refused_${status}`, reason };
}

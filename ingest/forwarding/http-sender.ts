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
/** Failures in a row after which the receiver counts as down, and is tried by one request at a time. Chosen. */
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
export function createHttpSender(options: HttpSenderOptions): Sender {
  const { url, outbound, onTrouble, now } = options;
  const { random = Math.random, backOff = SENDER_BACK_OFF, mostTries = MOST_TRIES } = options;
  const { stopMs = STOP_MS } = options;
  const headers = {
    "content-type": "application/json",
    "user-agent": "Plumbline-Forwarder/1",
    ...options.headers,
  };
  const lines = new Map<AssetId, Line>();
  const stopping = new AbortController();
  // One listener per request in flight; Node takes more than ten for a leak.
  setMaxListeners(0, stopping.signal);
  let pending = 0;
  let inFlight = 0;
  let sent = 0;
  let failuresInRow = 0;
  /**
   * Nothing is sent before then: the receiver is down, or asked for it; on the monotonic clock, ms.
   */
  let quietUntilMs = 0;
  let askedUntilMs = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const isDown = () => failuresInRow >= DOWN_AFTER;

  /** The line to try next: one that has waited its turn, or, while the receiver is down, any. */
  function nextLine(): readonly [AssetId, Line] | undefined {
    let soonest: readonly [AssetId, Line] | undefined;
    for (const [assetId, line] of lines) {
      if (line.isInFlight) continue;
      if (line.restsUntilMs <= performance.now()) return [assetId, line];
      if (soonest === undefined || line.restsUntilMs < soonest[1].restsUntilMs) {
        soonest = [assetId, line];
      }
    }
    return isDown() ? soonest : undefined;
  }

  function pump(): void {
    while (!isStopped && inFlight < (isDown() ? 1 : MAX_IN_FLIGHT)) {
      if (performance.now() < Math.max(quietUntilMs, askedUntilMs)) break;
      const next = nextLine();
      if (next === undefined) break;
      const [assetId, line] = next;
      line.isInFlight = true;
      // Behind all others, so that each has its turn.
      lines.delete(assetId);
      lines.set(assetId, line);
      void attempt(assetId, line);
    }
    wakeLater();
  }

  /** Nothing else would call `pump` when a rest is over. */
  function wakeLater(): void {
    clearTimeout(timer);
    if (isStopped || inFlight >= (isDown() ? 1 : MAX_IN_FLIGHT)) return;
    let dueMs = Number.POSITIVE_INFINITY;
    for (const { isInFlight, restsUntilMs } of lines.values()) {
      if (!isInFlight) dueMs = Math.min(dueMs, isDown() ? 0 : restsUntilMs);
    }
    if (dueMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(pump, Math.max(dueMs, quietUntilMs, askedUntilMs) - performance.now());
  }

  async function attempt(assetId: AssetId, line: Line): Promise<void> {
    const [job] = line.jobs;
    if (job === undefined) return;
    inFlight += 1;
    const { body } = job.message;
    const { signal } = stopping;
    const outcome = await outbound.send({ method: "POST", url, headers, body, signal });
    inFlight -= 1;
    line.isInFlight = false;
    const result = sendResultOf(outcome, now());
    if (result.kind === "stopped") return;
    if (result.kind === "sent") answered(assetId, line, "sent");
    else if (result.kind === "refused") answered(assetId, line, refusal(result));
    else failed(assetId, line, job, result);
    pump();
  }

  /** The receiver has dealt with the first message of the line. */
  function answered(assetId: AssetId, line: Line, end: Settled): void {
    if (isDown()) for (const other of lines.values()) other.restsUntilMs = 0;
    failuresInRow = 0;
    quietUntilMs = 0;
    if (end === "sent") sent += 1;
    settleFirst(assetId, line, end);
  }

  function failed(assetId: AssetId, line: Line, job: Job, result: NotTaken): void {
    onTrouble(result.reason);
    if (job.failures === 0) job.othersSent = sent;
    job.failures += 1;
    // Others got through since: then it is this message, or this asset.
    const isItsOwn = result.perhapsThis && job.failures > 1 && sent > job.othersSent;
    if (isItsOwn && job.failures >= mostTries) {
      settleFirst(assetId, line, refusal(result));
      return;
    }
    line.restsUntilMs = performance.now() + backOffMs(job.failures, backOff, random);
    if (isItsOwn) return;
    failuresInRow += 1;
    // What needs a person is asked by one request at a time, not by as many as there are assets.
    if (result.kind === "hold") failuresInRow = Math.max(failuresInRow, DOWN_AFTER);
    const nowMs = performance.now();
    if (result.kind === "hold") quietUntilMs = nowMs + backOff.holdMs;
    else if (isDown()) quietUntilMs = nowMs + backOffMs(failuresInRow, backOff, random);
    askedUntilMs = Math.max(askedUntilMs, nowMs + (result.retryAfterMs ?? 0));
  }

  function settleFirst(assetId: AssetId, line: Line, end: Settled): void {
    const job = line.jobs.shift();
    line.restsUntilMs = 0;
    if (line.jobs.length === 0) lines.delete(assetId);
    pending -= 1;
    job?.settle(end);
  }

  return {
    get pending() {
      return pending;
    },
    add(outgoing) {
      const { assetId } = outgoing.message;
      const job: Job = { ...outgoing, failures: 0, othersSent: 0 };
      const line = lines.get(assetId);
      if (line === undefined)
        lines.set(assetId, { jobs: [job], restsUntilMs: 0, isInFlight: false });
      else line.jobs.push(job);
      pending += 1;
      pump();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      const deadlineMs = performance.now() + stopMs;
      while (inFlight > 0 && performance.now() < deadlineMs) await delay(STOP_POLL_MS);
      stopping.abort();
    },
  };
}

/** The end of a message that the receiver does not take. */
function refusal({ status, reason }: Pick<NotTaken, "status" | "reason">): Settled {
  return { skipped: `refused_${status}`, reason };
}

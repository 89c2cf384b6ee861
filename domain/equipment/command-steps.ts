import type {
  Command,
  CommandAnswer,
  CommandCarrier,
  CommandFailure,
  CommandState,
  NewCommand,
} from "./command.ts";
import { isOpen } from "./command.ts";

/**
 * The steps of a command's life. Each returns the command after it, or `undefined` where the state does not
 * allow it. That is a repeated acknowledgement, an answer to a command that has one, or a race that another
 * process won.
 */
type Step = Command | undefined;

/** As it is when it has just been stored. */
export function asQueued(command: NewCommand, sequence: number): Command {
  return {
    ...command,
    sequence,
    state: "queued",
    attempt: 0,
    carrier: undefined,
    failure: undefined,
    detail: undefined,
    answer: undefined,
    changedAtMs: command.createdAtMs,
    sentAtMs: undefined,
    deliveredAtMs: undefined,
    answeredAtMs: undefined,
  };
}

/** `queued` or `sent` -> `sent`, as attempt `attempt`; stored before the first byte leaves. */
export function beginAttempt(
  before: Command,
  { attempt, carrier, atMs }: { attempt: number; carrier: CommandCarrier; atMs: number },
): Step {
  if (!isOpen(before) || before.attempt !== attempt - 1 || attempt > before.maxAttempts) {
    return undefined;
  }
  if (before.expiresAtMs <= atMs) return undefined;
  return { ...to(before, "sent", atMs), attempt, carrier, sentAtMs: atMs };
}

/** `sent`, or `failed` for want of confirmation -> `delivered`. */
export function confirmReceipt(before: Command, atMs: number): Step {
  if (before.state !== "sent" && before.failure !== "unconfirmed") return undefined;
  const heard = { ...before, failure: undefined, detail: undefined };
  return { ...to(heard, "delivered", atMs), deliveredAtMs: atMs };
}

/**
 * `sent`, `delivered`, or `failed` for want of confirmation -> `answered`, or `failed` where the device says
 * that it refuses. The first answer stays.
 */
export function takeAnswer(
  before: Command,
  { answer, refusal, atMs }: { answer: CommandAnswer; refusal: string | undefined; atMs: number },
): Step {
  const { state, failure } = before;
  const waits = state === "sent" || state === "delivered" || failure === "unconfirmed";
  if (!waits) return undefined;
  const heard = { ...before, answer, answeredAtMs: atMs, failure: undefined, detail: undefined };
  if (refusal === undefined) return to(heard, "answered", atMs);
  return { ...to(heard, "failed", atMs), failure: "refused", detail: refusal };
}

/** `queued` or `sent` -> `failed`. */
export function giveUp(
  before: Command,
  { failure, detail, atMs }: { failure: CommandFailure; detail: string; atMs: number },
): Step {
  if (!isOpen(before)) return undefined;
  return { ...to(before, "failed", atMs), failure, detail };
}

/** The time is over: `queued` -> `expired`; `sent` -> `failed`, because the device may have run it. */
export function endOverdue(before: Command, atMs: number): Step {
  if (before.expiresAtMs > atMs || !isOpen(before)) return undefined;
  if (before.state === "queued") return to(before, "expired", atMs);
  const detail = `sent ${before.attempt} of ${before.maxAttempts} times, and nothing confirmed it before it expired`;
  return giveUp(before, { failure: "unconfirmed", detail, atMs });
}

/** `queued` -> `cancelled`. */
export function withdraw(before: Command, atMs: number): Step {
  return before.state === "queued" ? to(before, "cancelled", atMs) : undefined;
}

const to = (before: Command, state: CommandState, atMs: number): Command => ({
  ...before,
  state,
  changedAtMs: atMs,
});

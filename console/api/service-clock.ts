import { signal } from "@preact/signals";

/**
 * A difference that is a clock which nobody set exactly, and the way of an answer, ms. A smaller bound moves ages to
 * and fro with a slow network; a larger one shows them wrong by as much.
 */
const TOLERATED_MS = 30_000;

/** How far the clock of the service is ahead of this browser's, ms; 0 where they agree. */
export const clockOffsetMs = signal(0);

/** Compares the clocks by the `Date` of an answer, which is in whole seconds. */
export function compareClocks(response: Response, receivedMs = Date.now()): void {
  const offset = clockOffset(response.headers.get("date"), receivedMs);
  if (offset !== undefined) clockOffsetMs.value = offset;
}

/** The offset by a header `Date`; 0 within what is tolerated, `undefined` where it says nothing. */
export function clockOffset(header: string | null, receivedMs: number): number | undefined {
  const sentMs = Date.parse(header ?? "");
  if (Number.isNaN(sentMs)) return undefined;
  const offset = sentMs - receivedMs;
  return Math.abs(offset) <= TOLERATED_MS ? 0 : offset;
}

/**
 * The time by the clock of the service, ms since the Unix epoch: a wrong clock of a phone makes no machine look
 * silent, and no silent machine look alive.
 */
export const serviceNow = (): number => Date.now() + clockOffsetMs.peek();

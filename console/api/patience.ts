import { signal } from "@preact/signals";
import { serviceNow } from "./service-clock.ts";

/** Times that a read is repeated: a service that refuses four in a row has another trouble than a busy minute. */
const REPEATS = 3;
/** Longest pause that a page waits by itself, s: the limit is of a minute, and what asks for more is told. */
const LONGEST_S = 90;

/** Until when reads wait because the service refused one, ms by its clock; `null`: they do not. */
export const readsWaitUntil = signal<number | null>(null);

/** While it is there every read waits for it: asking on would lengthen the refusal. */
let pause: Promise<void> | undefined;

/**
 * Sends a request. A read that is refused because there were too many (429) waits as long as the service asks and is
 * sent again; a write is not, because the person decides whether it is still meant.
 */
export async function sendPatiently(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return await send(request);
  for (let repeats = 0; ; repeats += 1) {
    await pause;
    const response = await send(request);
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    if (response.status !== 429 || !(seconds <= LONGEST_S) || repeats === REPEATS) return response;
    pause ??= waitFor(seconds * 1_000);
  }
}

async function waitFor(ms: number): Promise<void> {
  readsWaitUntil.value = serviceNow() + ms;
  await new Promise((resolve) => setTimeout(resolve, ms));
  pause = undefined;
  readsWaitUntil.value = null;
}

import { type LiveMessage, liveMessage } from "./live-messages.ts";
import { compareClocks, serviceNow } from "./service-clock.ts";
import { may, signedOut } from "./session-state.ts";
import { SseReader } from "./sse-reader.ts";

const ADDRESS = "/api/v1/live?topics=positions,alerts";
/** With the events of the log, which need a scope of their own. */
const ADDRESS_WITH_EVENTS = `${ADDRESS},events`;
/**
 * Longest time without a byte, ms, until the connection is given up: two pings of the service, which come every 15 s,
 * and leave for the network. Shorter reconnects for nothing; longer shows old positions as live.
 */
const SILENCE_MS = 40_000;
/** First pause before a new connection, and the longest; it doubles in between, ms. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface LiveConnectionOptions {
  readonly signal: AbortSignal;
  /** Id of the last message that this browser has; empty: it has none. */
  readonly lastId: string;
  /** A message, and the id to go on behind after it. */
  readonly onMessage: (message: LiveMessage, id: string) => void;
  /** A stream began with no message to go on behind: what is not in it has to be read. */
  readonly onBegin: () => void;
  /** The connection carries (`null`), or has not since that time, ms since the Unix epoch. */
  readonly onState: (notSinceMs: number | null) => void;
}

/** Follows the live stream until the signal, through lost connections; a session that has ended ends it too. */
export async function followLive(options: LiveConnectionOptions): Promise<void> {
  const { signal, onState, lastId } = options;
  const reader = new SseReader(lastId);
  let pauseMs = PAUSE_MS;
  let lostMs = serviceNow();
  while (!signal.aborted) {
    let wait = pauseMs;
    try {
      const retryMs = await readOnce(reader, options, (ms) => {
        lostMs = ms;
        pauseMs = PAUSE_MS;
      });
      if (retryMs === "over") return;
      wait = Math.max(pauseMs, retryMs);
    } catch {
      // Lost, silent, or never there: all the same to the person, who sees since when.
    }
    if (signal.aborted) return;
    onState(lostMs);
    await pause(wait, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** One connection, to its end. Yields how long to wait at least, ms, or that there is no session any more. */
async function readOnce(
  reader: SseReader,
  { signal, onMessage, onBegin, onState }: LiveConnectionOptions,
  onBytes: (atMs: number) => void,
): Promise<number | "over"> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(may("events:read") ? ADDRESS_WITH_EVENTS : ADDRESS, {
      headers: reader.lastId === "" ? {} : { "last-event-id": reader.lastId },
      signal: AbortSignal.any([signal, silence.signal]),
      cache: "no-store",
    });
    compareClocks(response);
    if (response.status === 401) {
      signedOut();
      return "over";
    }
    if (!response.ok || response.body === null) {
      return Number(response.headers.get("retry-after") ?? 0) * 1_000;
    }
    if (reader.lastId === "") onBegin();
    reader.restart();
    const text = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await text.read();
      if (done) return 0;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      onBytes(serviceNow());
      onState(null);
      for (const { event, data, id } of reader.read(value)) {
        const message = liveMessage(event, data);
        if (message !== undefined) onMessage(message, id);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
    // A network that is back is tried at once.
    addEventListener("online", stop, { once: true });
  });
}

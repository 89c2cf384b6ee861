import type { LiveSnapshot } from "../../client/live.ts";
import { followLive } from "./live-connection.ts";
import type { LiveMessage } from "./live-messages.ts";

/** What tabs send to each other. */
type TabMessage =
  | { readonly type: "hello" }
  | { readonly type: "state"; readonly notSinceMs: number | null }
  | { readonly type: "message"; readonly message: LiveMessage };

export interface LiveLinkOptions {
  /** Tabs of the same session share a stream; those of another see something else. */
  readonly sessionId: string;
  readonly onMessage: (message: LiveMessage) => void;
  /** Live (`null`), or not since then, ms since the Unix epoch. */
  readonly onState: (notSinceMs: number | null) => void;
  /** What this tab knows, for tabs that open later; absent before the first message. */
  readonly snapshot: () => LiveSnapshot | undefined;
}

/**
 * The live stream of all tabs of a session: one leads and passes on what comes, because a browser has six connections
 * to an origin over HTTP/1.1. When it closes, another one takes over. Yields what ends it.
 *
 * Web Locks exist in secure contexts alone: over plain HTTP on a network every tab leads for itself.
 */
export function openLiveLink(options: LiveLinkOptions): () => void {
  const closing = new AbortController();
  const { signal } = closing;
  const name = `plumbline-live-${options.sessionId}`;
  if (navigator.locks === undefined) {
    void followLive({ ...options, signal });
    return () => closing.abort();
  }
  const channel = new BroadcastChannel(name);
  const send = (message: TabMessage) => channel.postMessage(message);
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => follow(data, options);
  send({ type: "hello" });
  navigator.locks
    .request(name, { signal }, () => lead(channel, send, options, signal))
    // The tab closed the link before it ever led.
    .catch(() => undefined);
  return () => {
    closing.abort();
    channel.close();
  };
}

function follow(data: TabMessage, { onMessage, onState }: LiveLinkOptions): void {
  if (data.type === "message") onMessage(data.message);
  if (data.type === "state") onState(data.notSinceMs);
}

function lead(
  channel: BroadcastChannel,
  send: (message: TabMessage) => void,
  options: LiveLinkOptions,
  signal: AbortSignal,
): Promise<void> {
  let state: number | null | undefined;
  const sendSafely = (message: TabMessage) => {
    if (!signal.aborted) send(message);
  };
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type !== "hello") return;
    const snapshot = options.snapshot();
    if (snapshot !== undefined) {
      sendSafely({ type: "message", message: { kind: "snapshot", data: snapshot } });
    }
    if (state !== undefined) sendSafely({ type: "state", notSinceMs: state });
  };
  return followLive({
    signal,
    onMessage(message) {
      options.onMessage(message);
      sendSafely({ type: "message", message });
    },
    onState(notSinceMs) {
      if (notSinceMs === state) return;
      state = notSinceMs;
      options.onState(notSinceMs);
      sendSafely({ type: "state", notSinceMs });
    },
  });
}

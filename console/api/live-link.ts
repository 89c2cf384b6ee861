import type { LiveSnapshot } from "../../client/live.ts";
import { followLive, type LiveConnectionOptions } from "./live-connection.ts";
import type { LiveMessage } from "./live-messages.ts";

/** What tabs send to each other. */
type TabMessage =
  | { readonly type: "hello" }
  /** A tab that follows, to one that came later: should that one lead, it is listened to. */
  | { readonly type: "here" }
  | { readonly type: "state"; readonly notSinceMs: number | null }
  /** With the id to go on behind, should the tab that has the stream close. */
  | { readonly type: "message"; readonly message: LiveMessage; readonly id: string }
  | { readonly type: "begin" };

export interface LiveLinkOptions {
  /** Tabs of the same session share a stream; those of another see something else. */
  readonly sessionId: string;
  readonly onMessage: (message: LiveMessage) => void;
  /** A stream began behind nothing: what happened before is not in it. */
  readonly onBegin: () => void;
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
    void followLive({ ...options, signal, lastId: "" });
    return () => closing.abort();
  }
  const channel = new BroadcastChannel(name);
  let lastId = "";
  let hasListeners = false;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === "message") lastId = data.id;
    if (data.type === "hello" || data.type === "here") hasListeners = true;
    if (data.type === "hello") channel.postMessage({ type: "here" } satisfies TabMessage);
    follow(data, options);
  };
  const greet = () => channel.postMessage({ type: "hello" } satisfies TabMessage);
  greet();
  // A page that the browser had put aside missed what was sent meanwhile, and whoever leads now may not know it.
  addEventListener("pageshow", ({ persisted }) => persisted && greet(), { signal });
  navigator.locks
    .request(name, { signal }, () => lead(channel, { ...options, signal, lastId, hasListeners }))
    // The tab closed the link before it ever led.
    .catch(() => undefined);
  return () => {
    closing.abort();
    channel.close();
  };
}

function follow(data: TabMessage, { onMessage, onBegin, onState }: LiveLinkOptions): void {
  if (data.type === "message") onMessage(data.message);
  if (data.type === "begin") onBegin();
  if (data.type === "state") onState(data.notSinceMs);
}

interface LeadOptions extends LiveLinkOptions, Pick<LiveConnectionOptions, "signal" | "lastId"> {
  /** Whether another tab has made itself known. */
  readonly hasListeners: boolean;
}

/**
 * Has the stream, behind the last message that the tab before passed on, and passes on what comes. For a tab that is
 * alone nothing is copied: a thousand positions a second are milliseconds of it.
 */
function lead(channel: BroadcastChannel, options: LeadOptions): Promise<void> {
  const { signal } = options;
  let { lastId, hasListeners } = options;
  let state: number | null | undefined;
  const send = (message: TabMessage) => {
    if (hasListeners && !signal.aborted) channel.postMessage(message);
  };
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === "hello" || data.type === "here") hasListeners = true;
    if (data.type !== "hello") return;
    const snapshot = options.snapshot();
    if (snapshot !== undefined) {
      send({ type: "message", message: { kind: "snapshot", data: snapshot }, id: lastId });
    }
    if (state !== undefined) send({ type: "state", notSinceMs: state });
  };
  return followLive({
    signal,
    lastId,
    onMessage(message, id) {
      lastId = id;
      options.onMessage(message);
      send({ type: "message", message, id });
    },
    onBegin() {
      options.onBegin();
      send({ type: "begin" });
    },
    onState(notSinceMs) {
      if (notSinceMs === state) return;
      state = notSinceMs;
      options.onState(notSinceMs);
      send({ type: "state", notSinceMs });
    },
  });
}

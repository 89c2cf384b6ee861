import { signal } from "@preact/signals";
import {
  afterPositions,
  afterSnapshot,
  type LiveFleet,
  type LiveSnapshot,
  NO_FLEET,
} from "../../client/live.ts";
import { openLiveLink } from "../api/live-link.ts";
import type { LiveMessage } from "../api/live-messages.ts";
import { takeAlert } from "./alerts.ts";
import { takeEvent } from "./events.ts";

/** Every machine that the key may see, as the live stream has it. */
export const fleet = signal<LiveFleet>(NO_FLEET);

/** `connecting` before the first message; `null` while live; else since when not, ms since the Unix epoch. */
export const notLiveSince = signal<number | null | "connecting">("connecting");

/**
 * Counts streams that began behind nothing. What happened before such a beginning is not in the stream, so that lists
 * are read again. 0: none has begun yet, which lists wait for instead of being read twice.
 */
export const streamBegins = signal(0);
/**
 * Lists wait no longer than so for a stream, ms: one that a proxy holds back, or another tab, must not keep them away.
 * Shorter reads them twice on a slow network.
 */
const WAIT_MS = 2_000;

/** Begins to follow the live stream of a session; yields what ends it. */
export function followFleet(sessionId: string): () => void {
  const begin = () => {
    streamBegins.value += 1;
  };
  const beginFirst = () => {
    if (streamBegins.peek() === 0) begin();
  };
  const timer = setTimeout(beginFirst, WAIT_MS);
  const close = openLiveLink({
    sessionId,
    onMessage: takeMessage,
    onBegin: begin,
    onState(notSinceMs) {
      // A tab that is passed the stream of another one sees no beginning.
      beginFirst();
      notLiveSince.value = notSinceMs;
    },
    snapshot: snapshotOfFleet,
  });
  return () => {
    clearTimeout(timer);
    close();
    streamBegins.value = 0;
    fleet.value = NO_FLEET;
    notLiveSince.value = "connecting";
  };
}

function takeMessage(message: LiveMessage): void {
  switch (message.kind) {
    case "snapshot":
      fleet.value = afterSnapshot(fleet.peek(), message.data);
      return;
    case "positions":
      fleet.value = afterPositions(fleet.peek(), message.data);
      return;
    case "alert":
      takeAlert(message.data);
      return;
    case "event":
      takeEvent(message.data);
      return;
  }
}

function snapshotOfFleet(): LiveSnapshot | undefined {
  const { view, change, rows } = fleet.peek();
  return view === undefined ? undefined : { view, change, rows: [...rows.values()] };
}

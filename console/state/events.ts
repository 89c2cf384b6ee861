import type { PlumblineEvent } from "../api/live-messages.ts";
import { perSession } from "./per-session.ts";

/** Events that are kept for pages: a page that opens reads the rest from the service. */
const MOST = 200;

/** The last events of the live stream, newest first; those from before this page are with the service. */
export const liveEvents = perSession<readonly PlumblineEvent[]>([]);

/** An event of the live stream; after a break it may come again. */
export function takeEvent(event: PlumblineEvent): void {
  const known = liveEvents.peek();
  if (known.some(({ sequence }) => sequence === event.sequence)) return;
  liveEvents.value = [event, ...known].slice(0, MOST);
}

import type { components } from "../../client/index.ts";
import type { LivePositions, LiveSnapshot } from "../../client/live.ts";

/** An alert, as the API and the live stream have it. */
export type Alert = components["schemas"]["Alert"];

/** An event, as the API and the live stream have it. */
export type PlumblineEvent = components["schemas"]["Event"];

/** What the live stream says, as far as the console listens. */
export type LiveMessage =
  | { readonly kind: "snapshot"; readonly data: LiveSnapshot }
  | { readonly kind: "positions"; readonly data: LivePositions }
  | { readonly kind: "alert"; readonly data: Alert }
  | { readonly kind: "event"; readonly data: PlumblineEvent };

/** A message of the stream; `undefined` for kinds that a later service may add. */
export function liveMessage(event: string, data: string): LiveMessage | undefined {
  switch (event) {
    case "snapshot":
    case "positions":
    case "alert":
    case "event":
      // The service is ours, and its tests hold it to these shapes.
      return { kind: event, data: JSON.parse(data) } as LiveMessage;
    default:
      return undefined;
  }
}

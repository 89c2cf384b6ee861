import { NAMESPACE } from "../decoders/sparkplug/topic.ts";

/**
 * The id that edge nodes know this host by as their primary one. Edge nodes are set up with it, so another one
 * would cut them off.
 */
const HOST_ID = "plumbline";

/** Says that this host is there, since `sinceMs`: for version 3.0, and for those before it. */
export function hostStates(
  sinceMs: number,
): readonly { readonly topic: string; readonly payload: string }[] {
  return [
    {
      topic: `${NAMESPACE}/STATE/${HOST_ID}`,
      payload: JSON.stringify({ online: true, timestamp: sinceMs }),
    },
    { topic: `STATE/${HOST_ID}`, payload: "ONLINE" },
  ];
}

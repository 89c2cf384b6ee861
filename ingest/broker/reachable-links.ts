import type { Intake } from "../intake/intake.ts";
import type { LinkFollower } from "./live-sessions.ts";

/** Follows sessions so that assets reached through an asset are gone with its last session. */
export function withReachable(
  links: LinkFollower,
  intake: Pick<Intake, "reachableThrough">,
): LinkFollower {
  return {
    opened: (assetId) => links.opened(assetId),
    closed(assetId, end) {
      links.closed(assetId, end);
      for (const reached of intake.reachableThrough(assetId)) links.closed(reached, end, assetId);
    },
  };
}

import { FINDING_KINDS, type LivenessState } from "../liveness/liveness-state.ts";
import type { Connection, ConnectionStatus } from "./asset-state.ts";

const LINKS = { up: "connected", down: "disconnected", unknown: "unknown" } as const;

/**
 * What the API shows of an asset's liveness: also what is not published yet, or published for its
 * project only.
 */
export function connectionOf(state: LivenessState): Connection {
  return {
    link: LINKS[state.link],
    linkSinceMs: state.linkAt?.atMs,
    status: statusOf(state),
  };
}

function statusOf({ findings, link, heardAt }: LivenessState): ConnectionStatus {
  const worst = FINDING_KINDS.find((kind) => findings[kind] !== undefined);
  if (worst !== undefined) return worst;
  return link === "unknown" && heardAt === undefined ? "unknown" : "ok";
}

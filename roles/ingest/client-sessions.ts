import { randomBase62 } from "../../domain/ids.ts";
import type { LinkLog } from "../../ingest/broker/link-log.ts";
import { ClientSessionClaims } from "../../ingest/client-sessions/client-session-claims.ts";
import { startSilentNodes } from "../../ingest/client-sessions/silent-nodes.ts";
import { keepLease } from "../../ingest/cluster/lease-keeper.ts";
import type { SharedStores } from "../../storage/open-shared.ts";
import type { Common, Start } from "../process/common.ts";

const LEASE = "client-sessions";

/** Joins the processes that know of each other's sessions. */
export async function claimSessions(
  { log, closers }: Pick<Start, "log" | "closers">,
  { records }: Pick<Common, "records">,
  { nodeId }: Pick<SharedStores, "nodeId">,
): Promise<ClientSessionClaims> {
  const sessions = records.clientSessions;
  // Of this run: connections end with it.
  const run = `${nodeId}/${randomBase62(8)}`;
  const claims = await ClientSessionClaims.start({ sessions, nodeId: run, log });
  closers.push(() => claims.stop());
  return claims;
}

/** Gives up the sessions of processes that died, in one process at a time; `links` journals which assets lost theirs. */
export function giveUpSilentNodes(
  { log, closers }: Pick<Start, "log" | "closers">,
  { records }: Pick<Common, "records">,
  parts: {
    readonly claims: ClientSessionClaims;
    readonly links: Pick<LinkLog, "gone" | "again">;
  },
): void {
  const { claims, links } = parts;
  claims.onGivenUp(() => links.again());
  const keeper = keepLease({
    ...{ leases: records.leases, name: LEASE, holder: claims.nodeId, log },
    work: async () =>
      startSilentNodes({
        ...{ sessions: records.clientSessions, claims, log },
        onLinkGone: (assetId, atMs) => links.gone(assetId, atMs),
      }),
  });
  closers.push(() => keeper.stop());
}

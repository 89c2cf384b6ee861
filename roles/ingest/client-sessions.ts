import { randomBase62 } from "../../domain/ids.ts";
import { ClientSessionClaims } from "../../ingest/client-sessions/client-session-claims.ts";
import { startSilentNodes } from "../../ingest/client-sessions/silent-nodes.ts";
import { keepLease } from "../../ingest/cluster/lease-keeper.ts";
import type { SharedStores } from "../../storage/open-shared.ts";
import type { Common, Start } from "../process/common.ts";

const LEASE = "client-sessions";

/** Joins the processes that know of each other's sessions, and gives up those of processes that died. */
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
  const keeper = keepLease({
    ...{ leases: records.leases, name: LEASE, holder: run, log },
    work: async () =>
      startSilentNodes({ sessions, claims, log, onLinkGone: async () => undefined }),
  });
  closers.push(() => keeper.stop());
  return claims;
}

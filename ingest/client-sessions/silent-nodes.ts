import type { Logger } from "pino";
import type { AssetId } from "../../domain/ids.ts";
import type { ClientSessions } from "../../storage/ports/equipment/client-sessions.ts";
import type { LeasedWork } from "../cluster/lease-keeper.ts";
import { coalesceRefresh } from "../pacing/coalesced-refresh.ts";
import type { ClientSessionClaims } from "./client-session-claims.ts";

/**
 * How long a process may be silent before it counts as dead, ms: seven beats. Longer keeps its clients' sessions for
 * nothing; shorter gives up a process that the database answers slowly.
 */
const SILENT_MS = 15_000;
/** How often silent processes are looked for, ms. */
const SWEEP_MS = 5_000;
/**
 * How long after it was claimed a session's link is journalled as up at the latest, ms. The end of a link that came up
 * after the last beat of its process must not be older than its beginning.
 */
const OPENED_MS = 2_000;
/** Sessions of one statement. */
const PAGE = 500;

export interface SilentNodesOptions {
  readonly sessions: ClientSessions;
  /**
   * Stores that the link of an asset went down, at the last sign of life of its process, server clock, ms; rejects
   * when that is not durable.
   */
  readonly onLinkGone: (assetId: AssetId, atMs: number) => Promise<void>;
  /** Says whether the store could be reached from here, so that others' silence is theirs. */
  readonly claims: Pick<ClientSessionClaims, "beatingMs">;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly silentMs?: number;
  readonly sweepMs?: number;
}

/**
 * Gives up the sessions of processes that died, and the links of their assets: of clients that did not connect to
 * another process since. One process at a time does so.
 */
export function startSilentNodes(options: SilentNodesOptions): LeasedWork {
  const { sessions, claims, onLinkGone, log, silentMs = SILENT_MS, sweepMs = SWEEP_MS } = options;
  let isTroubled = false;
  let isStopped = false;

  /** Before they are given up: a process that dies in between leaves them to the next. */
  async function endLinks(
    nodeId: string,
    seenAtMs: number,
    page: Awaited<ReturnType<ClientSessions["ofNode"]>>,
  ): Promise<void> {
    const links = page.flatMap(({ isLink, assetId, atMs }) =>
      isLink && assetId !== undefined ? [[assetId, atMs + OPENED_MS] as const] : [],
    );
    const elsewhere = new Set(await sessions.elsewhere(nodeId, [...new Map(links).keys()]));
    // The newest of several sessions of an asset counts.
    const gone = new Map([...links].sort(([, atMs], [, otherMs]) => atMs - otherMs));
    for (const assetId of elsewhere) gone.delete(assetId);
    await Promise.all(
      Array.from(gone, ([assetId, openedMs]) => onLinkGone(assetId, Math.max(seenAtMs, openedMs))),
    );
  }

  async function giveUp(nodeId: string, seenAtMs: number): Promise<void> {
    let count = 0;
    while (!isStopped) {
      const page = await sessions.ofNode(nodeId, PAGE);
      if (page.length === 0) {
        await sessions.forgetNode(nodeId);
        log.info({ node: nodeId, sessions: count }, "an ingest process is gone");
        return;
      }
      await endLinks(nodeId, seenAtMs, page);
      await sessions.release(nodeId, page);
      count += page.length;
    }
  }

  async function sweep(): Promise<void> {
    // After the store was away, the others need a moment, too.
    if (claims.beatingMs < silentMs) return;
    try {
      for (const { nodeId, seenAtMs } of await sessions.silentNodes(silentMs)) {
        await giveUp(nodeId, seenAtMs);
      }
      await sessions.forgetTakeovers();
      isTroubled = false;
    } catch (error) {
      if (!isTroubled) log.warn({ err: error }, "sessions of silent processes are not given up");
      isTroubled = true;
    }
  }

  const sweeping = coalesceRefresh(sweep);
  const timer = setInterval(() => void sweeping.refresh(), sweepMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await sweeping.stop();
    },
  };
}

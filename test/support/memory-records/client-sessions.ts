import { HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";
import type {
  ClaimResult,
  ClientSession,
  ClientSessions,
  NumberedSession,
} from "../../../storage/ports/equipment/client-sessions.ts";

type Held = ClientSession & NumberedSession & { readonly nodeId: string };

/** Sessions of clients in memory, timed by `now`. */
export function createMemoryClientSessions(now: () => number): ClientSessions {
  const held = new Map<string, Held>();
  const nodes = new Map<string, number>();
  const takeovers = new Map<string, { beganMs: number; count: number; bannedUntilMs: number }>();
  let lost: (NumberedSession & { readonly nodeId: string })[] = [];
  let lastEpoch = 0;
  const isOwn = (nodeId: string, { id, epoch }: NumberedSession): boolean => {
    const row = held.get(id);
    return row?.nodeId === nodeId && row.epoch === epoch;
  };

  function claimOne(nodeId: string, session: ClientSession, isLate: boolean): ClaimResult {
    const { id } = session;
    if ((takeovers.get(id)?.bannedUntilMs ?? 0) > now()) return { id, outcome: "banned" };
    const before = held.get(id);
    if (isLate && before !== undefined && before.atMs > session.atMs) {
      return { id, outcome: "superseded" };
    }
    lastEpoch += 1;
    held.set(id, { ...session, nodeId, epoch: lastEpoch });
    if (before !== undefined && before.nodeId !== nodeId) {
      lost.push({ nodeId: before.nodeId, id, epoch: lastEpoch });
    }
    return { id, outcome: "held", epoch: lastEpoch };
  }

  return {
    async claim(nodeId, sessions, isLate) {
      if (new Set(sessions.map(({ id }) => id)).size < sessions.length) {
        throw new Error("an id came twice");
      }
      return sessions.map((session) => claimOne(nodeId, session, isLate));
    },
    async release(nodeId, sessions) {
      const elsewhere = sessions.filter((one) => held.has(one.id) && !isOwn(nodeId, one));
      for (const one of sessions) if (isOwn(nodeId, one)) held.delete(one.id);
      return elsewhere.map(({ id }) => id);
    },
    lost: async (nodeId) =>
      lost.filter((one) => one.nodeId === nodeId).map(({ id, epoch }) => ({ id, epoch })),
    async forgetLost(nodeId, sessions) {
      const isForgotten = (one: (typeof lost)[number]): boolean =>
        one.nodeId === nodeId &&
        sessions.some(({ id, epoch }) => id === one.id && epoch === one.epoch);
      lost = lost.filter((one) => !isForgotten(one));
    },
    async countTakeovers(counts, limit) {
      for (const [id, more] of counts) {
        const known = takeovers.get(id);
        const isSameMinute = known !== undefined && now() - known.beganMs < MINUTE_MS;
        const count = (isSameMinute ? known.count : 0) + more;
        const bannedUntilMs = known?.bannedUntilMs ?? Number.NEGATIVE_INFINITY;
        const isBanned = bannedUntilMs < now() && count >= limit.takeovers;
        takeovers.set(id, {
          beganMs: isSameMinute ? known.beganMs : now(),
          count,
          bannedUntilMs: isBanned ? now() + limit.bannedMs : bannedUntilMs,
        });
      }
    },
    async beat(nodeId) {
      const isNew = !nodes.has(nodeId);
      nodes.set(nodeId, now());
      return isNew;
    },
    silentNodes: async (silentMs) =>
      [...nodes]
        .filter(([, seenAtMs]) => seenAtMs < now() - silentMs)
        .map(([nodeId, seenAtMs]) => ({ nodeId, seenAtMs })),
    ofNode: async (nodeId, limit) =>
      [...held.values()]
        .filter((one) => one.nodeId === nodeId)
        .slice(0, limit)
        .map(({ id, epoch, assetId, isLink, atMs }) => ({ id, epoch, assetId, isLink, atMs })),
    elsewhere: async (nodeId, assetIds) => {
      const rows = [...held.values()].filter((one) => one.isLink && one.nodeId !== nodeId);
      return assetIds.filter((id) => rows.some(({ assetId }) => assetId === id)).sort();
    },
    newestNode: async (assetId) =>
      [...held.values()]
        .filter((one) => one.assetId === assetId)
        .sort((one, other) => other.epoch - one.epoch)[0]?.nodeId,
    async forgetNode(nodeId) {
      nodes.delete(nodeId);
      lost = lost.filter((one) => one.nodeId !== nodeId);
    },
    async forgetTakeovers() {
      for (const [id, { beganMs }] of takeovers) {
        if (beganMs < now() - HOUR_MS) takeovers.delete(id);
      }
    },
  };
}

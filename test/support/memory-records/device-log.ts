import {
  CONNECTIONS_PER_ASSET,
  UNKNOWN_CONNECTIONS,
} from "../../../domain/equipment/connection-log.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type {
  ConnectionRecords,
  LoggedConnection,
  MessageView,
  MessageViews,
} from "../../../storage/ports/equipment/device-log.ts";

/** The connection log in memory. */
export function createMemoryConnections(): ConnectionRecords {
  const kept = new Map<AssetId | undefined, readonly LoggedConnection[]>();
  return {
    async add(entries) {
      for (const entry of entries) {
        const limit = entry.assetId === undefined ? UNKNOWN_CONNECTIONS : CONNECTIONS_PER_ASSET;
        const others = kept.get(entry.assetId) ?? [];
        if (others.some(({ sequence }) => sequence === entry.sequence)) continue;
        const sorted = [...others, entry].sort((a, b) => b.sequence - a.sequence);
        kept.set(entry.assetId, sorted.slice(0, limit));
      }
    },
    newest: async (assetId, limit) => (kept.get(assetId) ?? []).slice(0, limit),
    async expire(beforeMs) {
      for (const [assetId, entries] of kept) {
        kept.set(
          assetId,
          entries.filter(({ atMs }) => atMs >= beforeMs),
        );
      }
      return false;
    },
  };
}

/** Questions about messages in memory; the clock counts questions and answers. */
export function createMemoryMessageViews(): MessageViews {
  let clock = 0;
  const askedAt = new Map<AssetId, number>();
  const answers = new Map<
    AssetId,
    Map<string, { readonly at: number; readonly view: MessageView }>
  >();
  return {
    async ask(assetId) {
      clock += 1;
      askedAt.set(assetId, clock);
      return clock;
    },
    unanswered: async (nodeId) =>
      [...askedAt]
        .filter(([assetId, asked]) => (answers.get(assetId)?.get(nodeId)?.at ?? 0) < asked)
        .map(([assetId]) => assetId),
    async answer(nodeId, assetId, view) {
      if (!askedAt.has(assetId)) return;
      const ofAsset = answers.get(assetId) ?? new Map();
      answers.set(assetId, ofAsset.set(nodeId, { at: clock, view }));
    },
    answers: async (assetId, token) =>
      [...(answers.get(assetId) ?? new Map()).entries()]
        .filter(([, { at }]) => at >= token)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { view }]) => view),
  };
}

import type { StateChanges } from "../../../storage/ports/equipment/state-changes.ts";
import type { RequestCounts } from "../../../storage/ports/platform/request-counts.ts";
import type { MemoryRows } from "./rows.ts";

/** Changes of state in memory. */
export function createMemoryStateChanges(rows: MemoryRows): StateChanges {
  return {
    async since(before) {
      const mark = new Map(Array.from(rows.commits, ([node, commits]) => [node, commits.length]));
      const touched = Array.from(rows.commits, ([node, commits]) =>
        commits.slice(before?.get(node) ?? 0),
      );
      const ids = before === undefined ? rows.states.keys() : new Set(touched.flat(2));
      return {
        rows: [...ids].map((assetId) => ({ assetId, state: rows.states.get(assetId) ?? "" })),
        mark,
      };
    },
  };
}

/** Counts of requests in memory. */
export function createMemoryRequestCounts(now: () => number): RequestCounts {
  const counts = new Map<string, number>();
  let endS = 0;
  return {
    async add(requests) {
      const nowMs = now();
      const currentEndS = (Math.floor(nowMs / 60_000) + 1) * 60;
      if (currentEndS !== endS) counts.clear();
      endS = currentEndS;
      return new Map(
        Array.from(requests, ([caller, more]) => {
          const total = (counts.get(caller) ?? 0) + more;
          counts.set(caller, total);
          return [caller, { requests: total, endS, leftMs: endS * 1_000 - nowMs }];
        }),
      );
    },
    // A new minute has forgotten all of them.
    expire: async () => false,
  };
}

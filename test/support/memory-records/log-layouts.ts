import { isDeepStrictEqual } from "node:util";
import { DomainError } from "../../../domain/errors.ts";
import type { Leases } from "../../../storage/ports/platform/leases.ts";
import type { HandedOverState, LogLayouts } from "../../../storage/ports/platform/log-layouts.ts";
import type { MemoryRows } from "./rows.ts";

interface Layout {
  readonly partitions: number;
  readonly usedFromMs: number;
}

/** Layouts of shared logs in memory, timed by `now`. */
export function createMemoryLogLayouts(
  rows: Pick<MemoryRows, "shared">,
  leases: Pick<Leases, "held">,
  now: () => number,
): LogLayouts {
  const layouts = new Map<string, Layout[]>();
  const handovers = new Map<string, Map<number, HandedOverState>>();
  const writers = new Map<string, Map<string, { version: number; expiresAtMs: number }>>();
  const handoversOf = (logId: string, version: number) => {
    const key = JSON.stringify([logId, version]);
    const known = handovers.get(key) ?? new Map<number, HandedOverState>();
    handovers.set(key, known);
    return known;
  };
  const writersOf = (logId: string) => {
    const known = writers.get(logId) ?? new Map<string, { version: number; expiresAtMs: number }>();
    writers.set(logId, known);
    return known;
  };
  return {
    async begin(logId, partitions) {
      if (!layouts.has(logId)) layouts.set(logId, [{ partitions, usedFromMs: now() }]);
    },
    async read(logId) {
      const versions = layouts.get(logId) ?? [];
      const live = [...writersOf(logId).values()].filter(({ expiresAtMs }) => expiresAtMs > now());
      return {
        partitions: versions.map(({ partitions }) => partitions),
        usedInMs: Math.max(0, (versions.at(-1)?.usedFromMs ?? 0) - now()),
        handedOver: new Set(handoversOf(logId, versions.length).keys()),
        oldestWritten:
          live.length === 0 ? undefined : Math.min(...live.map(({ version }) => version)),
      };
    },
    async raise(logId, version, partitions, usedInMs) {
      const versions = layouts.get(logId) ?? [];
      if (versions.length === version - 1) {
        versions.push({ partitions, usedFromMs: now() + usedInMs });
      }
    },
    async writes(logId, writer, version, ttlMs) {
      writersOf(logId).set(writer, { version, expiresAtMs: now() + ttlMs });
    },
    async leaves(logId, writer) {
      writersOf(logId).delete(writer);
    },
    async handOver({ logId, version, partition, prefix, lease }) {
      const held = await leases.held(lease.name);
      if (!held.some((one) => isDeepStrictEqual(one, lease)))
        throw new DomainError("LEASE_LOST", "not held any more");
      const known = handoversOf(logId, version);
      if (known.has(partition)) return;
      const own = [...rows.shared].filter(([name]) => name.startsWith(prefix));
      known.set(partition, new Map(own.map(([name, state]) => [name.slice(prefix.length), state])));
    },
    inherited: async (logId, version) =>
      [...handoversOf(logId, version)].sort(([a], [b]) => a - b).map(([, shared]) => shared),
  };
}

import type { Lease, Leases } from "../../../storage/ports/platform/leases.ts";

/** Leases in memory, timed by `now`. */
export function createMemoryLeases(now: () => number): Leases {
  const rows = new Map<string, Lease & { readonly expiresAtMs: number }>();
  const isHeld = ({ name, holder, epoch }: Lease): boolean => {
    const row = rows.get(name);
    return row?.holder === holder && row.epoch === epoch;
  };
  return {
    async acquire(name, holder, ttlMs) {
      const row = rows.get(name);
      if (row !== undefined && row.holder !== holder && row.expiresAtMs > now()) return undefined;
      const lease = { name, holder, epoch: (row?.epoch ?? 0) + 1 };
      rows.set(name, { ...lease, expiresAtMs: now() + ttlMs });
      return lease;
    },
    async seize(name, holder) {
      const lease = { name, holder, epoch: (rows.get(name)?.epoch ?? 0) + 1 };
      rows.set(name, { ...lease, expiresAtMs: Number.POSITIVE_INFINITY });
      return lease;
    },
    async renew(leases, ttlMs) {
      const mine = leases.filter(isHeld);
      for (const { name, holder, epoch } of mine) {
        rows.set(name, { name, holder, epoch, expiresAtMs: now() + ttlMs });
      }
      return mine;
    },
    async release(leases) {
      for (const { name, epoch } of leases.filter(isHeld)) {
        rows.set(name, { name, holder: "", epoch, expiresAtMs: Number.NEGATIVE_INFINITY });
      }
    },
    async held(prefix) {
      return [...rows.values()]
        .filter(({ name, expiresAtMs }) => name.startsWith(prefix) && expiresAtMs > now())
        .map(({ name, holder, epoch }) => ({ name, holder, epoch }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

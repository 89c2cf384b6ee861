import { describe, expect, it } from "vitest";
import type { OpenStore } from "./rows.ts";

const LONG_MS = 3_600_000;

export function describeLogLayouts(current: () => OpenStore): void {
  describe("layouts of shared logs", () => {
    it("a log begins with one version, once, and each raise adds the next", async () => {
      const { logLayouts } = current().store;
      await logLayouts.begin("log-1", 4);
      await logLayouts.begin("log-1", 9);
      expect(await logLayouts.read("log-1")).toEqual({
        partitions: [4],
        usedInMs: 0,
        handedOver: new Set(),
        oldestWritten: undefined,
      });
      await logLayouts.raise("log-1", 2, 6, LONG_MS);
      await logLayouts.raise("log-1", 2, 8, LONG_MS);
      const { partitions, usedInMs } = await logLayouts.read("log-1");
      expect(partitions).toEqual([4, 6]);
      expect(usedInMs).toBeGreaterThan(LONG_MS / 2);
      expect(usedInMs).toBeLessThanOrEqual(LONG_MS);
      expect((await logLayouts.read("log-2")).partitions).toEqual([]);
    });

    it("the oldest version that is written is that of processes that say so, until they leave or say nothing", async () => {
      const { logLayouts } = current().store;
      await logLayouts.begin("log-1", 4);
      await logLayouts.writes("log-1", "a", 1, LONG_MS);
      await logLayouts.writes("log-1", "b", 2, LONG_MS);
      await logLayouts.writes("log-1", "gone", 1, -1);
      await logLayouts.writes("log-2", "c", 1, LONG_MS);
      expect((await logLayouts.read("log-1")).oldestWritten).toBe(1);
      await logLayouts.writes("log-1", "a", 3, LONG_MS);
      expect((await logLayouts.read("log-1")).oldestWritten).toBe(2);
      await logLayouts.leaves("log-1", "b");
      expect((await logLayouts.read("log-1")).oldestWritten).toBe(3);
    });

    it("a partition is handed over with what it shared, once, and not under a lease that was lost", async () => {
      const { logLayouts, leases, pipeline } = current().store;
      await logLayouts.begin("log-1", 2);
      await logLayouts.raise("log-1", 2, 3, 0);
      const lease = await leases.seize("partition/log-1-0", "a");
      const share = (name: string, state: string) =>
        pipeline.commit({
          checkpoint: { journalId: "log-1-0", sequence: 1 },
          ...{ states: [], days: [], quarantined: [], events: [], visits: [], alerts: [] },
          shared: new Map([[name, state]]),
        });
      await share("partition/0/liveness", '{"seenMs":"\\u00e9"}');
      await share("partition/01/liveness", "of another");
      const handover = {
        ...{ logId: "log-1", version: 2, partition: 0, prefix: "partition/0/" },
        lease,
      };
      await logLayouts.handOver(handover);
      await share("partition/0/liveness", "later");
      await logLayouts.handOver(handover);
      const next = await leases.seize("partition/log-1-1", "a");
      const other = { ...handover, partition: 1, prefix: "partition/1/" };
      await leases.seize("partition/log-1-1", "b");
      await expect(logLayouts.handOver({ ...other, lease: next })).rejects.toMatchObject({
        code: "LEASE_LOST",
      });
      expect((await logLayouts.read("log-1")).handedOver).toEqual(new Set([0]));
      expect(await logLayouts.inherited("log-1", 2)).toEqual([
        new Map([["liveness", '{"seenMs":"\\u00e9"}']]),
      ]);
      expect(await logLayouts.inherited("log-1", 1)).toEqual([]);
    });
  });
}

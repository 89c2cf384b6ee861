import { describe, expect, it } from "vitest";
import type { StrandedRecord } from "../../../storage/ports/equipment/stranded.ts";
import type { NodeCommit } from "../../../storage/ports/pipeline.ts";
import type { Lease } from "../../../storage/ports/platform/leases.ts";
import { assetId, commit, JOURNAL, type OpenStore } from "./rows.ts";

const NODE = "2b0f4c8e-1111-4222-8333-444455556666";

const strandedRow = (sequence: number, shard: number): StrandedRecord => ({
  journalId: JOURNAL,
  sequence,
  shard,
  record: { kind: 2, body: Uint8Array.of(0, 255, sequence) },
});

const node = (change: Partial<NodeCommit> = {}): { readonly node: NodeCommit } => ({
  node: { id: NODE, leases: [], stranded: [], ...change },
});

export function describeSeveralNodes(current: () => OpenStore): void {
  async function lease(name: string, holder = NODE): Promise<Lease> {
    const taken = await current().store.leases.acquire(name, holder, 600_000);
    if (taken === undefined) throw new Error(`${name} is held`);
    return taken;
  }

  describe("several ingest nodes", () => {
    it("the record store keeps one checkpoint for each node", async () => {
      const { pipeline } = current().store;
      await pipeline.commit(commit(7, node()));
      await pipeline.commit(commit(3));
      expect(await pipeline.checkpoint(NODE)).toEqual({ journalId: JOURNAL, sequence: 7 });
      expect(await pipeline.checkpoint()).toEqual({ journalId: JOURNAL, sequence: 3 });
      expect(await pipeline.checkpoint("nobody")).toBeUndefined();
    });

    it("the record store stores a commit whose leases are all held", async () => {
      const { pipeline } = current().store;
      const leases = [await lease("shard/1"), await lease("shard/2")];
      await pipeline.commit(commit(1, node({ leases })));
      expect(await pipeline.checkpoint(NODE)).toMatchObject({ sequence: 1 });
    });

    it("the record store stores nothing when one lease went to another node", async () => {
      const { pipeline, leases: records } = current().store;
      const kept = await lease("shard/1");
      const lost = await lease("shard/2");
      await records.release([lost]);
      await lease("shard/2", "other");
      const states = [{ assetId: assetId("a1"), state: "{}" }];
      const refused = pipeline.commit(commit(1, { states, ...node({ leases: [kept, lost] }) }));
      await expect(refused).rejects.toMatchObject({ code: "LEASE_LOST" });
      expect(await pipeline.checkpoint(NODE)).toBeUndefined();
      expect(await pipeline.states()).toEqual([]);
    });

    it("the record store stores what is committed under a seized lease, and nothing of its former holder", async () => {
      const { pipeline, leases: records } = current().store;
      const former = await records.seize("partition/1", NODE);
      await pipeline.commit(commit(1, node({ leases: [former] })));
      const present = await records.seize("partition/1", NODE);
      const refused = pipeline.commit(commit(2, node({ leases: [former] })));
      await expect(refused).rejects.toMatchObject({ code: "LEASE_LOST" });
      await pipeline.commit(commit(3, node({ leases: [present] })));
      expect(await pipeline.checkpoint(NODE)).toMatchObject({ sequence: 3 });
    });

    it("the record store stores nothing under a lease that was given up, or under an older epoch of its own", async () => {
      const { pipeline, leases: records } = current().store;
      const older = await lease("shard/1");
      const newer = await lease("shard/1");
      const underOlder = pipeline.commit(commit(1, node({ leases: [older] })));
      await expect(underOlder).rejects.toMatchObject({ code: "LEASE_LOST" });
      await records.release([newer]);
      const afterRelease = pipeline.commit(commit(1, node({ leases: [newer] })));
      await expect(afterRelease).rejects.toMatchObject({ code: "LEASE_LOST" });
    });

    it("the record store hands stranded records to the owner of their shard, once, in the journal's order", async () => {
      const { pipeline, stranded } = current().store;
      const rows = [strandedRow(5, 1), strandedRow(4, 1), strandedRow(6, 2)];
      await pipeline.commit(commit(6, node({ stranded: rows })));
      // The commit's answer was lost, and it is made again.
      await pipeline.commit(commit(6, node({ stranded: rows })));
      const found = await stranded.ofShards([1, 9], 10);
      expect(found.map(({ sequence }) => sequence)).toEqual([4, 5]);
      expect(found[0]).toMatchObject({ shard: 1, record: { kind: 2 } });
      expect([...(found[0]?.record.body ?? [])]).toEqual([0, 255, 4]);
      expect(await stranded.ofShards([1], 1)).toHaveLength(1);
      await stranded.delete(found);
      expect(await stranded.ofShards([1], 10)).toEqual([]);
      expect(await stranded.ofShards([2], 10)).toHaveLength(1);
    });

    it("the record store takes stranded records outside a commit too, each once", async () => {
      const { stranded } = current().store;
      await stranded.add([strandedRow(4, 1), strandedRow(5, 1)]);
      await stranded.add([strandedRow(5, 1), strandedRow(6, 1)]);
      await stranded.add([]);
      const found = await stranded.ofShards([1], 10);
      expect(found.map(({ sequence }) => sequence)).toEqual([4, 5, 6]);
    });
  });
}

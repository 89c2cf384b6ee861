import { describe, expect, it } from "vitest";
import type { NodeCommit } from "../../../storage/ports/pipeline.ts";
import type { Lease } from "../../../storage/ports/platform/leases.ts";
import { assetId, commit, JOURNAL, type OpenStore } from "./rows.ts";

const NODE = "partition/records-7";

const node = (change: Partial<NodeCommit> = {}): { readonly node: NodeCommit } => ({
  node: { id: NODE, leases: [], ...change },
});

export function describeSeveralPipelines(current: () => OpenStore): void {
  async function lease(name: string, holder = NODE): Promise<Lease> {
    const taken = await current().store.leases.acquire(name, holder, 600_000);
    if (taken === undefined) throw new Error(`${name} is held`);
    return taken;
  }

  describe("several pipelines", () => {
    it("the record store keeps one checkpoint for each pipeline", async () => {
      const { pipeline } = current().store;
      await pipeline.commit(commit(7, node()));
      await pipeline.commit(commit(3));
      expect(await pipeline.checkpoint(NODE)).toEqual({ journalId: JOURNAL, sequence: 7 });
      expect(await pipeline.checkpoint()).toEqual({ journalId: JOURNAL, sequence: 3 });
      expect(await pipeline.checkpoint("nobody")).toBeUndefined();
    });

    it("the record store stores a commit whose leases are all held", async () => {
      const { pipeline } = current().store;
      const leases = [await lease("partition/1"), await lease("partition/2")];
      await pipeline.commit(commit(1, node({ leases })));
      expect(await pipeline.checkpoint(NODE)).toMatchObject({ sequence: 1 });
    });

    it("the record store stores nothing when one lease went to another process", async () => {
      const { pipeline, leases: records } = current().store;
      const kept = await lease("partition/1");
      const lost = await lease("partition/2");
      await records.release([lost]);
      await lease("partition/2", "other");
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
      const older = await lease("partition/1");
      const newer = await lease("partition/1");
      const underOlder = pipeline.commit(commit(1, node({ leases: [older] })));
      await expect(underOlder).rejects.toMatchObject({ code: "LEASE_LOST" });
      await records.release([newer]);
      const afterRelease = pipeline.commit(commit(1, node({ leases: [newer] })));
      await expect(afterRelease).rejects.toMatchObject({ code: "LEASE_LOST" });
    });
  });
}

import { describe, expect, it } from "vitest";
import type { StateMark } from "../../../storage/ports/equipment/state-changes.ts";
import { assetId, commit, type OpenStore } from "./rows.ts";

const state = (id: string, text = `{"id":"${id}"}`) => ({ assetId: assetId(id), state: text });
const onNode = (id: string) => ({ node: { id, leases: [] } });

export function describeApiProcesses(current: () => OpenStore): void {
  async function changed(mark: StateMark | undefined) {
    const changes = await current().store.stateChanges.since(mark);
    return { ids: changes.rows.map((row) => row.assetId).sort(), ...changes };
  }

  describe("changes of state", () => {
    it("changes of state give all states first, then those of the commits that came since", async () => {
      const { pipeline } = current().store;
      expect((await changed(undefined)).rows).toEqual([]);
      await pipeline.commit(commit(1, { states: [state("a1"), state("a2")] }));
      const first = await changed(undefined);
      await pipeline.commit(commit(2, { states: [state("a2", "[2]"), state("a3")] }));
      await pipeline.commit(commit(3, { states: [state("a3", "[3]")] }));
      await pipeline.commit(commit(3));
      const second = await changed(first.mark);
      const third = await changed(second.mark);
      expect(first.ids).toEqual(["a1", "a2"]);
      expect(second.ids).toEqual(["a2", "a3"]);
      expect(second.rows).toContainEqual(state("a2", "[2]"));
      expect(second.rows).toContainEqual(state("a3", "[3]"));
      expect(third.ids).toEqual([]);
    });

    it("changes of state count the commits of each node separately, also those of a new one", async () => {
      const { pipeline } = current().store;
      await pipeline.commit(commit(1, { ...onNode("n1"), states: [state("a1")] }));
      const { mark } = await changed(undefined);
      await pipeline.commit(commit(9, { ...onNode("n2"), states: [state("a2")] }));
      await pipeline.commit(commit(2, { ...onNode("n1"), states: [state("a1", "[2]")] }));
      expect((await changed(mark)).ids).toEqual(["a1", "a2"]);
    });

    it("changes of state give everything to a follower that was away for long", async () => {
      const { pipeline } = current().store;
      await pipeline.commit(commit(1, { states: [state("a1")] }));
      await pipeline.commit(commit(2, { states: [state("a2")] }));
      const { mark } = await changed(undefined);
      for (let i = 3; i < 1_100; i++) {
        await pipeline.commit(commit(i, { states: [state("a2", `[${i}]`)] }));
      }
      const { rows } = await changed(mark);
      expect(rows).toContainEqual(state("a2", "[1099]"));
    });
  });

  describe("counts of requests", () => {
    it("adds up the requests of each caller, and says when the minute ends", async () => {
      const { requestCounts } = current().store;
      // The minute may end in between; then the count begins again, and so does this test.
      for (;;) {
        const first = await requestCounts.add(new Map([["key_b", 3]]));
        const both = await requestCounts.add(
          new Map([
            ["key_b", 2],
            ["key_a", 7],
          ]),
        );
        const [before, after] = [first.get("key_b"), both.get("key_b")];
        if (before?.endS !== after?.endS) continue;
        expect(before?.requests).toBe(3);
        expect(after?.requests).toBe(5);
        expect(both.get("key_a")?.requests).toBe(7);
        expect((after?.endS ?? 0) % 60).toBe(0);
        expect(after?.leftMs).toBeGreaterThanOrEqual(0);
        expect(after?.leftMs).toBeLessThanOrEqual(60_000);
        return;
      }
    });

    it("counts of requests of the present minute do not expire", async () => {
      const { requestCounts } = current().store;
      for (;;) {
        const first = (await requestCounts.add(new Map([["key_c", 3]]))).get("key_c");
        expect(await requestCounts.expire()).toBe(false);
        const second = (await requestCounts.add(new Map([["key_c", 1]]))).get("key_c");
        if (first?.endS !== second?.endS) continue;
        expect(second?.requests).toBe((first?.requests ?? 0) + 1);
        return;
      }
    });

    it("counts of requests lose none of many simultaneous statements", async () => {
      const { requestCounts } = current().store;
      const batch = new Map([
        ["key_2", 1],
        ["key_1", 1],
      ]);
      for (;;) {
        await requestCounts.add(new Map([["key_1", 0]]));
        const answers = await Promise.all(
          Array.from({ length: 40 }, () => requestCounts.add(batch)),
        );
        const counts = answers.flatMap((answer) => answer.get("key_1") ?? []);
        const total = (await requestCounts.add(new Map([["key_1", 0]]))).get("key_1");
        if (counts.some(({ endS }) => endS !== total?.endS)) continue;
        const seen = counts.map(({ requests }) => requests).sort((a, b) => a - b);
        const lowest = seen[0] ?? 0;
        expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => lowest + i));
        expect(total?.requests).toBe(seen.at(-1));
        return;
      }
    });
  });
}

import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { OpenStore } from "./rows.ts";

const LONG_MS = 600_000;

/** A lease that has ended when this resolves, however slow the machine is. */
async function ended(current: () => OpenStore, name: string, holder: string): Promise<void> {
  await current().store.leases.acquire(name, holder, 1);
  await delay(20);
}

export function describeLeases(current: () => OpenStore): void {
  describe("leases", () => {
    it("a lease has one holder at a time", async () => {
      const { leases } = current().store;
      expect(await leases.acquire("partition/1", "a", LONG_MS)).toEqual({
        name: "partition/1",
        holder: "a",
        epoch: 1,
      });
      expect(await leases.acquire("partition/1", "b", LONG_MS)).toBeUndefined();
      expect(await leases.acquire("partition/2", "b", LONG_MS)).toMatchObject({ epoch: 1 });
    });

    it("gives a lease that ended to the next, who has a higher epoch", async () => {
      const { leases } = current().store;
      await ended(current, "partition/1", "a");
      expect(await leases.acquire("partition/1", "b", LONG_MS)).toMatchObject({ epoch: 2 });
      const old = { name: "partition/1", holder: "a", epoch: 1 };
      expect(await leases.renew([old], LONG_MS)).toEqual([]);
    });

    it("gives its holder the lease again with a higher epoch, which ends the older one", async () => {
      const { leases } = current().store;
      const first = await leases.acquire("partition/1", "a", LONG_MS);
      const second = await leases.acquire("partition/1", "a", LONG_MS);
      expect(second).toMatchObject({ holder: "a", epoch: 2 });
      expect(await leases.renew(first === undefined ? [] : [first], LONG_MS)).toEqual([]);
    });

    it("a lease that is seized is its former holder's no more, and the epoch rises each time", async () => {
      const { leases } = current().store;
      const first = await leases.acquire("partition/1", "a", LONG_MS);
      expect(await leases.seize("partition/1", "b")).toEqual({
        name: "partition/1",
        holder: "b",
        epoch: 2,
      });
      expect(await leases.renew(first === undefined ? [] : [first], LONG_MS)).toEqual([]);
      // Also its own: a process that was paused does not know of what it has begun since.
      expect(await leases.seize("partition/1", "b")).toMatchObject({ epoch: 3 });
      expect(await leases.seize("partition/2", "b")).toMatchObject({ epoch: 1 });
      expect(await leases.acquire("partition/1", "a", LONG_MS)).toBeUndefined();
    });

    it("a renewal extends what is held, also what had ended and was not taken", async () => {
      const { leases } = current().store;
      await ended(current, "partition/1", "a");
      const kept = { name: "partition/1", holder: "a", epoch: 1 };
      const never = { name: "partition/9", holder: "a", epoch: 1 };
      expect(await leases.renew([kept, never], LONG_MS)).toEqual([kept]);
      expect(await leases.acquire("partition/1", "b", LONG_MS)).toBeUndefined();
    });

    it("frees a lease that is given up, and never gives an epoch twice", async () => {
      const { leases } = current().store;
      const lease = await leases.acquire("webhooks", "a", LONG_MS);
      await leases.release(lease === undefined ? [] : [lease]);
      expect(await leases.held("")).toEqual([]);
      expect(await leases.acquire("webhooks", "b", LONG_MS)).toMatchObject({ epoch: 2 });
      // What was given up twice by mistake is somebody else's now.
      await leases.release(lease === undefined ? [] : [lease]);
      expect(await leases.held("web")).toMatchObject([{ holder: "b" }]);
    });

    it("lists leases in force by the beginning of their names", async () => {
      const { leases } = current().store;
      await leases.acquire("node/b", "b", LONG_MS);
      await leases.acquire("node/a", "a", LONG_MS);
      await leases.acquire("partition/1", "a", LONG_MS);
      await ended(current, "node/c", "c");
      expect((await leases.held("node/")).map(({ name }) => name)).toEqual(["node/a", "node/b"]);
    });

    it("gives a free lease to one of many who ask at once", async () => {
      const { leases } = current().store;
      const holders = Array.from({ length: 8 }, (_, i) => `node-${i}`);
      const got = await Promise.all(
        holders.map((holder) => leases.acquire("partition/1", holder, LONG_MS)),
      );
      expect(got.filter((lease) => lease !== undefined)).toHaveLength(1);
    });
  });
}

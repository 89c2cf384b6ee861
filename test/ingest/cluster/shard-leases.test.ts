import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ShardLeases } from "../../../ingest/cluster/shard-leases.ts";
import type { Leases } from "../../../storage/ports/platform/leases.ts";
import { createMemoryLeases } from "../../support/memory-records/leases.ts";

const TTL_MS = 8_000;

let nowMs: number;
let leases: Leases;
let isAway: boolean;
let nodes: ShardLeases[];

beforeEach(() => {
  nowMs = 0;
  isAway = false;
  leases = createMemoryLeases(() => nowMs);
  nodes = [];
});

afterEach(async () => {
  isAway = false;
  for (const node of nodes) await node.stop();
});

interface Node {
  readonly leases: ShardLeases;
  changes: number;
}

/** A node whose beats the test makes. */
function open(nodeId: string, shards = 10): Node {
  const guarded = new Proxy(leases, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      return (...inputs: unknown[]) =>
        isAway
          ? Promise.reject(new Error("away"))
          : Reflect.apply(member as (...args: unknown[]) => unknown, target, inputs);
    },
  });
  const node: Node = {
    changes: 0,
    leases: new ShardLeases({
      leases: guarded,
      nodeId,
      shards,
      log: pino({ level: "silent" }),
      onChange: () => {
        node.changes += 1;
      },
      now: () => nowMs,
    }),
  };
  nodes.push(node.leases);
  return node;
}

const shardsOf = (node: Node): readonly number[] =>
  [...node.leases.held.keys()].sort((a, b) => a - b);

describe("the shards of a node", () => {
  it("the shards of a node are all shards while it is alone", async () => {
    const a = open("a");
    await a.leases.beat();
    expect(shardsOf(a)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(a.leases.nodes).toBe(1);
    expect(a.changes).toBe(1);
    await a.leases.beat();
    expect(a.changes).toBe(1);
  });

  it("are shared with a second node as soon as the first gives its surplus up", async () => {
    const [a, b] = [open("a"), open("b")];
    await a.leases.beat();
    await b.leases.beat();
    expect(shardsOf(b)).toEqual([]);
    await a.leases.beat();
    expect(a.leases.surplus).toEqual([5, 6, 7, 8, 9]);
    // Still its own until they are put in order.
    expect(shardsOf(a)).toHaveLength(10);
    await a.leases.giveUp(a.leases.surplus);
    await b.leases.beat();
    expect(shardsOf(a)).toEqual([0, 1, 2, 3, 4]);
    expect(shardsOf(b)).toEqual([5, 6, 7, 8, 9]);
    expect(a.leases.surplus).toEqual([]);
  });

  it("the shards of a node are rounded up, so that every shard has a node", async () => {
    const three = [open("a"), open("b"), open("c")];
    for (let round = 0; round < 3; round += 1) {
      for (const node of three) {
        await node.leases.beat();
        await node.leases.giveUp(node.leases.surplus);
      }
    }
    const held = three.map(shardsOf);
    expect(held.flat().sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Math.max(...held.map(({ length }) => length))).toBe(4);
  });

  it("the shards of a node go to the others when it stops renewing, and not before its leases end", async () => {
    const [a, b] = [open("a"), open("b")];
    await a.leases.beat();
    await b.leases.beat();
    await a.leases.beat();
    await a.leases.giveUp(a.leases.surplus);
    nowMs = 1_000;
    await b.leases.beat();
    nowMs = TTL_MS - 1;
    await b.leases.beat();
    expect(shardsOf(b)).toEqual([5, 6, 7, 8, 9]);
    nowMs = TTL_MS;
    await b.leases.beat();
    expect(shardsOf(b)).toHaveLength(10);
    expect(b.leases.nodes).toBe(1);
    // The other one was only asleep: it learns what it lost before it takes anything.
    await a.leases.beat();
    expect(shardsOf(a)).toEqual([]);
    expect(a.changes).toBeGreaterThan(1);
  });

  it("the shards of a node are free at once when it stops", async () => {
    const [a, b] = [open("a"), open("b")];
    await a.leases.beat();
    await a.leases.stop();
    await b.leases.beat();
    expect(shardsOf(b)).toHaveLength(10);
    expect(b.leases.nodes).toBe(1);
  });

  it("the shards of a node are its own again under higher epochs after a restart", async () => {
    await open("a").leases.beat();
    const again = open("a");
    await again.leases.beat();
    expect([...again.leases.held.values()].map(({ epoch }) => epoch)).toEqual(Array(10).fill(2));
  });

  it("the shards of a node are believed in while the record store is away, but not for longer than they last", async () => {
    const a = open("a");
    await a.leases.beat();
    isAway = true;
    nowMs = TTL_MS - 2_000;
    await a.leases.beat();
    expect(a.leases.areValid).toBe(true);
    nowMs = TTL_MS - 1_000;
    expect(a.leases.areValid).toBe(false);
    expect(shardsOf(a)).toHaveLength(10);
    isAway = false;
    await a.leases.beat();
    expect(a.leases.areValid).toBe(true);
    expect(shardsOf(a)).toHaveLength(10);
  });
});

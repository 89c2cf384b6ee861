import { describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { shardOf } from "../../../ingest/cluster/shards.ts";

const shard = (id: string, shards = 64): number => shardOf(id as ProjectId, shards);

describe("the shard of a project", () => {
  it("the shard of a project is FNV-1a of its id, as published, so that it never changes", () => {
    // http://www.isthe.com/chongo/src/fnv/test_fnv.c: "", "a", "foobar".
    expect(shard("a", 2 ** 32)).toBe(0xe40c292c);
    expect(shard("foobar", 2 ** 32)).toBe(0xbf9cf968);
  });

  it("the shard of a project lies in the range, also of a single shard", () => {
    for (let i = 0; i < 1_000; i += 1) expect(shard(`p${i}`, 7)).toBeLessThan(7);
    expect(shard("anything", 1)).toBe(0);
  });

  it("shards spread projects with numbered and with random ids", () => {
    for (const idOf of [
      (i: number) => `site-${i}`,
      (i: number) => `prj_${(i * 7919).toString(36)}`,
    ]) {
      const counts = new Array<number>(64).fill(0);
      for (let i = 0; i < 6_400; i += 1) counts[shard(idOf(i))] = (counts[shard(idOf(i))] ?? 0) + 1;
      // 100 each on average; five standard deviations are 50.
      expect(Math.min(...counts)).toBeGreaterThan(50);
      expect(Math.max(...counts)).toBeLessThan(150);
    }
  });
});

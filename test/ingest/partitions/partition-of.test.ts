import { describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { partitionOf } from "../../../ingest/partitions/partition-of.ts";

const partition = (id: string, partitions = 64): number => partitionOf(id as ProjectId, partitions);

/** As computed when logs could first grow. */
const KNOWN_PLACES = [1, 6, 11, 10, 6, 11];

describe("the partition of a project", () => {
  it("the partition of a project is FNV-1a of its id, as published, so that it never changes", () => {
    // http://www.isthe.com/chongo/src/fnv/test_fnv.c: "", "a", "foobar".
    expect(partition("a", 2 ** 32)).toBe(0xe40c292c);
    expect(partition("foobar", 2 ** 32)).toBe(0xbf9cf968);
  });

  it("the partition of a project lies in the range, also of a single partition", () => {
    for (let i = 0; i < 1_000; i += 1) expect(partition(`p${i}`, 7)).toBeLessThan(7);
    expect(partition("anything", 1)).toBe(0);
  });

  it("partitions spread projects with numbered and with random ids", () => {
    for (const idOf of [
      (i: number) => `site-${i}`,
      (i: number) => `prj_${(i * 7919).toString(36)}`,
    ]) {
      const counts = new Array<number>(64).fill(0);
      for (let i = 0; i < 6_400; i += 1)
        counts[partition(idOf(i))] = (counts[partition(idOf(i))] ?? 0) + 1;
      // 100 each on average; five standard deviations are 50.
      expect(Math.min(...counts)).toBeGreaterThan(50);
      expect(Math.max(...counts)).toBeLessThan(150);
    }
  });

  it("partitions that are added take projects from all before, and none moves between those", () => {
    const ids = Array.from({ length: 6_000 }, (_, i) => `site-${i}` as ProjectId);
    const counts = new Array<number>(12).fill(0);
    for (const id of ids) {
      const places = [4, 6, 7, 12].map((partitions) => partitionOf(id, partitions, 4));
      expect(places[0]).toBe(partitionOf(id, 4));
      places.reduce((before, place, step) => {
        const added = [0, 4, 6, 7][step] as number;
        expect(place === before || place >= added).toBe(true);
        return place;
      });
      const last = places.at(-1) as number;
      counts[last] = (counts[last] ?? 0) + 1;
    }
    // 500 each on average; five standard deviations are 107.
    expect(Math.min(...counts)).toBeGreaterThan(393);
    expect(Math.max(...counts)).toBeLessThan(607);
  });

  it("the partition of a project in a log that has grown never changes", () => {
    const place = (id: string) => partitionOf(id as ProjectId, 12, 4);
    expect(["yard", "site-1", "site-2", "site-3", "prj_9", "p"].map(place)).toEqual(KNOWN_PLACES);
  });
});

import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStageStore } from "../../../../processing/engine/run/stage-store.ts";

const stage = { name: "features", version: 1 };

describe("the store of finished stages", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "stages-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  function counted<T>(value: T) {
    const calls = { count: 0 };
    const work = async () => {
      calls.count += 1;
      return value;
    };
    return { calls, work };
  }

  it("the store of finished stages works a stage out once, also across restarts, and keeps typed arrays", async () => {
    const value = { x: Float32Array.of(1.5, Number.NaN), ids: ["a"], n: undefined };
    const { calls, work } = counted(value);
    const first = await (await openStageStore(dir)).once(stage, ["a", "b"], work);
    const second = await (await openStageStore(dir)).once(stage, ["a", "b"], work);
    expect(calls.count).toBe(1);
    expect(second).toEqual({ key: first.key, value });
    expect(second.value.x).toBeInstanceOf(Float32Array);
  });

  it.each([
    ["other inputs", stage, ["a", "c"]],
    ["inputs cut elsewhere", stage, ["ab"]],
    ["another order", stage, ["b", "a"]],
    ["another version", { name: "features", version: 2 }, ["a", "b"]],
    ["another stage", { name: "pairs", version: 1 }, ["a", "b"]],
  ])("the store of finished stages takes %s for other work", async (_, other, inputs) => {
    const store = await openStageStore(dir);
    const { calls, work } = counted(7);
    const one = await store.once(stage, ["a", "b"], work);
    const two = await store.once(other, inputs, work);
    expect(calls.count).toBe(2);
    expect(two.key).not.toBe(one.key);
  });

  it("the store of finished stages lets two that want the same wait for one", async () => {
    const store = await openStageStore(dir);
    const { calls, work } = counted(7);
    const both = await Promise.all([
      store.once(stage, ["a"], work),
      store.once(stage, ["a"], work),
    ]);
    expect(calls.count).toBe(1);
    expect(both[0]).toEqual(both[1]);
  });

  it("the store of finished stages stores nothing of work that fails, and tries it again", async () => {
    const store = await openStageStore(dir);
    const fails = () => Promise.reject(new Error("no"));
    await expect(store.once(stage, ["a"], fails)).rejects.toThrow("no");
    expect(await readdir(dir)).toEqual([]);
    expect((await store.once(stage, ["a"], async () => 3)).value).toBe(3);
  });

  it.each([
    ["cut short", async (path: string) => truncate(path, 60)],
    ["emptied", async (path: string) => truncate(path, 0)],
    [
      "changed in one bit",
      async (path: string) => {
        const bytes = await readFile(path);
        bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
        await writeFile(path, bytes);
      },
    ],
  ])("the store of finished stages works a stage out again when its file was %s", async (_, damage) => {
    const { calls, work } = counted(new Float64Array(50).fill(2));
    const { key } = await (await openStageStore(dir)).once(stage, ["a"], work);
    await damage(join(dir, `features-${key}.stage`));
    const store = await openStageStore(dir);
    expect(await store.has(stage, ["a"])).toBe(false);
    expect((await store.once(stage, ["a"], work)).value).toHaveLength(50);
    expect(calls.count).toBe(2);
    expect(await store.has(stage, ["a"])).toBe(true);
  });

  it("the store of finished stages clears away what a killed process left half written, but nothing that is being written", async () => {
    const [old, fresh] = ["features-aa.stage.7-1.part", "features-bb.stage.8-1.part"];
    for (const name of [old, fresh]) await writeFile(join(dir, name), "x");
    const longAgo = new Date(Date.UTC(2026, 0, 1));
    await utimes(join(dir, old), longAgo, longAgo);
    await openStageStore(dir);
    expect(await readdir(dir)).toEqual([fresh]);
  });

  it("the store of finished stages gives up what was not used for longest", async () => {
    const store = await openStageStore(dir);
    const made = await Promise.all(
      ["a", "b", "c"].map((input) => store.once(stage, [input], async () => new Uint8Array(1_000))),
    );
    for (const [i, { key }] of made.entries()) {
      const time = new Date(Date.UTC(2026, 0, 1 + i));
      await utimes(join(dir, `features-${key}.stage`), time, time);
    }
    // Used again: now the newest.
    await store.has(stage, ["a"]);
    expect(await store.prune(2_500)).toBeGreaterThan(1_000);
    expect(await Promise.all(["a", "b", "c"].map((x) => store.has(stage, [x])))).toEqual([
      true,
      false,
      true,
    ]);
  });
});

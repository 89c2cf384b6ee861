import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTenures } from "../../storage/tenures.ts";

const T0 = Date.UTC(2026, 10, 20, 12);
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-tenures-"));
});
afterEach(() => rm(dir, { recursive: true }));

const lease = (epoch: number, name = "shard/1") => ({ name, holder: "a", epoch });

it("a tenure begins with the first taking, and goes on where the same node takes the next epoch", async () => {
  const first = await openTenures(dir);
  expect(first.sinceMs(lease(4))).toBeUndefined();
  await first.taken([lease(4)], T0);
  await first.taken([lease(4)], T0 + 1);
  await first.taken([lease(5)], T0 + 2);
  expect([first.sinceMs(lease(4)), first.sinceMs(lease(5))]).toEqual([undefined, T0]);
  // The same after a restart.
  const second = await openTenures(dir);
  await second.taken([lease(6)], T0 + 3);
  expect(second.sinceMs(lease(6))).toBe(T0);
});

it("a tenure is void where somebody else held the lease in between", async () => {
  await (await openTenures(dir)).taken([lease(4), lease(4, "shard/2")], T0);
  const again = await openTenures(dir);
  await again.taken([lease(6), lease(5, "shard/2")], T0 + 10);
  expect(again.sinceMs(lease(6))).toBe(T0 + 10);
  expect(again.sinceMs(lease(5, "shard/2"))).toBe(T0);
});

it("a tenure is void where the record store is an older copy of itself", async () => {
  await (await openTenures(dir)).taken([lease(9)], T0);
  const again = await openTenures(dir);
  await again.taken([lease(3)], T0 + 10);
  expect(again.sinceMs(lease(3))).toBe(T0 + 10);
});

it.each([
  "",
  "{",
  "null",
  '{"shard/1":{"epoch":4}}',
  '{"shard/1":null}',
])("a tenure is void where the note is %j", async (text) => {
  await writeFile(join(dir, "tenures.json"), text);
  const tenures = await openTenures(dir);
  await tenures.taken([lease(5)], T0);
  expect(tenures.sinceMs(lease(5))).toBe(T0);
  expect(JSON.parse(await readFile(join(dir, "tenures.json"), "utf8"))).toEqual({
    "shard/1": { epoch: 5, sinceMs: T0 },
  });
});

it("a tenure counts for this run where it cannot be written, and for no other", async () => {
  const tenures = await openTenures(join(dir, "absent"));
  await tenures.taken([lease(1)], T0);
  expect(tenures.sinceMs(lease(1))).toBe(T0);
  expect((await openTenures(join(dir, "absent"))).sinceMs(lease(1))).toBeUndefined();
});

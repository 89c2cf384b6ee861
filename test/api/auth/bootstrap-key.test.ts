import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeBootstrapKey } from "../../../api/auth/bootstrap-key.ts";
import { Keyring } from "../../../api/auth/keyring.ts";
import { NOON_MS, PEPPER } from "../../support/api-app.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";

let dataDir: string;
let otherDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-first-key-"));
  otherDir = await mkdtemp(join(tmpdir(), "plumbline-first-key-"));
});

afterEach(async () => {
  for (const dir of [dataDir, otherDir]) await rm(dir, { recursive: true });
});

it("the start makes one first key, though two processes start together, and none after it was shown", async () => {
  const records = openMemoryRecords();
  const make = (dir: string) => makeBootstrapKey(records.apiKeys, PEPPER, dir, NOON_MS);
  const made = (await Promise.all([make(dataDir), make(otherDir)])).filter(
    (key) => key !== undefined,
  );
  expect(made).toHaveLength(1);
  await made[0]?.shown();
  expect([...(await readdir(dataDir)), ...(await readdir(otherDir))]).toEqual([]);
  expect([await make(dataDir), await make(otherDir)]).toEqual([undefined, undefined]);
  const keyring = new Keyring({ records, pepper: PEPPER, adminApiKey: undefined, now: Date.now });
  const found = await keyring.authenticate(made[0]?.secret ?? "");
  expect(found?.plan).toBe("enterprise");
});

it("the start shows the first key at the next start when a start was killed before it was shown", async () => {
  const records = openMemoryRecords();
  const make = () => makeBootstrapKey(records.apiKeys, PEPPER, dataDir, NOON_MS);
  const killed = await make();
  expect((await stat(join(dataDir, "first-admin.key"))).mode & 0o777).toBe(0o600);
  const again = await make();
  expect(again?.secret).toBe(killed?.secret);
  await again?.shown();
  expect(await make()).toBeUndefined();
});

it("the start forgets a first key that is used although its start was killed before it said so", async () => {
  const records = openMemoryRecords();
  const make = () => makeBootstrapKey(records.apiKeys, PEPPER, dataDir, NOON_MS);
  await make();
  const [key] = await records.apiKeys.list();
  if (key === undefined) throw new Error("no key");
  await records.apiKeys.touch(key.id, new Date(NOON_MS).toISOString());
  expect(await make()).toBeUndefined();
  expect(await readdir(dataDir)).toEqual([]);
});

it("the start makes another first key when the start was killed between the key and its hash", async () => {
  const records = openMemoryRecords();
  await makeBootstrapKey(openMemoryRecords().apiKeys, PEPPER, dataDir, NOON_MS);
  const made = await makeBootstrapKey(records.apiKeys, PEPPER, dataDir, NOON_MS);
  const keyring = new Keyring({ records, pepper: PEPPER, adminApiKey: undefined, now: Date.now });
  expect(await keyring.authenticate(made?.secret ?? "")).toBeDefined();
});

it("the start shows the key at the next start when its hash was stored and the answer was lost", async () => {
  const records = openMemoryRecords();
  const { insert } = records.apiKeys;
  const lost = {
    ...records.apiKeys,
    insert: async (row: Parameters<typeof insert>[0]) => {
      await insert(row);
      throw new Error("the connection ended");
    },
  };
  await expect(makeBootstrapKey(lost, PEPPER, dataDir, NOON_MS)).rejects.toThrow("connection");
  const again = await makeBootstrapKey(records.apiKeys, PEPPER, dataDir, NOON_MS);
  const keyring = new Keyring({ records, pepper: PEPPER, adminApiKey: undefined, now: Date.now });
  expect(await keyring.authenticate(again?.secret ?? "")).toBeDefined();
});

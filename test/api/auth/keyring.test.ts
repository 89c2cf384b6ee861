import { describe, expect, it, vi } from "vitest";
import { isPlausibleKey, newApiKey, shownPrefix } from "../../../api/auth/key-format.ts";
import { Keyring } from "../../../api/auth/keyring.ts";
import type { ApiKeyId } from "../../../domain/ids.ts";
import type { ApiKey } from "../../../domain/platform/api-key.ts";
import { hashSecret } from "../../../domain/platform/secret-hash.ts";
import { ADMIN_KEY, NOON_MS, PEPPER } from "../../support/api-app.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";

const ID = "key_1" as ApiKeyId;

async function ring(key: Partial<ApiKey> = {}) {
  const records = openMemoryRecords();
  const clock = { ms: NOON_MS };
  const keyring = new Keyring({
    records,
    pepper: PEPPER,
    adminApiKey: ADMIN_KEY,
    now: () => clock.ms,
  });
  const secret = newApiKey();
  const full: ApiKey = {
    id: ID,
    name: "test",
    prefix: shownPrefix(secret),
    scopes: ["equipment:read"],
    plan: "standard",
    created_at: "2026-01-01T00:00:00.000Z",
    ...key,
  };
  await records.apiKeys.insert({ key: full, hash: hashSecret(PEPPER, secret) });
  return { records, clock, keyring, secret };
}

describe("the form of a key", () => {
  it("the form of a key is plb_live_, 30 random and 6 checksum characters, and new every time", () => {
    const keys = Array.from({ length: 1_000 }, newApiKey);
    expect(new Set(keys).size).toBe(1_000);
    expect(keys.filter((key) => !/^plb_live_[0-9A-Za-z]{36}$/.test(key))).toEqual([]);
    expect(keys.filter((key) => !isPlausibleKey(key))).toEqual([]);
  });

  it("the checksum of a key reveals every changed, dropped or added character", () => {
    const key = newApiKey();
    const broken = [`${key}a`, key.slice(0, -1)];
    for (let i = "plb_live_".length; i < key.length; i += 1) {
      broken.push(`${key.slice(0, i)}${key[i] === "a" ? "b" : "a"}${key.slice(i + 1)}`);
    }
    expect(broken.filter(isPlausibleKey)).toEqual([]);
    expect(broken).toHaveLength(38);
  });
});

describe("the keyring", () => {
  it("the keyring identifies a key by its hash and looks it up once within 2 s", async () => {
    const { records, clock, keyring, secret } = await ring();
    const first = await keyring.authenticate(secret);
    clock.ms += 2_000;
    const second = await keyring.authenticate(secret);
    expect(first).toMatchObject({ keyId: ID, plan: "standard", projectIds: undefined });
    expect(second).toBe(first);
    expect(keyring.recall(secret)).toBe(first);
    expect(records.keyLookups).toBe(1);
  });

  it("the keyring renews a key in use beside the request from 2 s on, so that no request waits", async () => {
    const { records, clock, keyring, secret } = await ring();
    const first = await keyring.authenticate(secret);
    clock.ms += 2_001;
    expect(keyring.recall(secret)).toBe(first);
    expect(records.keyLookups).toBe(2);
    await expect.poll(() => keyring.recall(secret) !== first).toBe(true);
    clock.ms += 2_000;
    expect(keyring.recall(secret)).toBeDefined();
  });

  it("the keyring asks the records nothing for a key with a wrong checksum, and once in 5 s for an unknown one", async () => {
    const { records, clock, keyring, secret } = await ring();
    const unknown = newApiKey();
    const answers = [
      await keyring.authenticate(`${secret.slice(0, -1)}-`),
      await keyring.authenticate(""),
      await keyring.authenticate(unknown),
      await keyring.authenticate(unknown),
    ];
    expect(answers).toEqual([undefined, undefined, undefined, undefined]);
    expect(records.keyLookups).toBe(1);
    clock.ms += 5_001;
    await keyring.authenticate(unknown);
    expect(records.keyLookups).toBe(2);
  });

  it("the keyring makes one look-up for many simultaneous requests", async () => {
    const { records, keyring, secret } = await ring();
    const found = await Promise.all(Array.from({ length: 50 }, () => keyring.authenticate(secret)));
    expect(new Set(found).size).toBe(1);
    expect(records.keyLookups).toBe(1);
  });

  it("the keyring takes the admin key of the environment, whatever its form", async () => {
    const { records, keyring } = await ring();
    const admin = await keyring.authenticate(ADMIN_KEY);
    expect(admin).toMatchObject({ keyId: "admin", plan: "enterprise" });
    expect(admin?.scopes.has("materials:write")).toBe(true);
    expect(records.keyLookups).toBe(0);
  });

  it("the keyring gives an admin key of the database every scope", async () => {
    const { keyring, secret } = await ring({ scopes: ["admin"] });
    const found = await keyring.authenticate(secret);
    expect(found?.scopes.has("equipment:write")).toBe(true);
  });

  it("the keyring believes an answer for 4 s from the question on, however late it came", async () => {
    const { records, clock, keyring, secret } = await ring();
    const find = records.apiKeys.findByHash;
    const slow = vi.spyOn(records.apiKeys, "findByHash").mockImplementation(async (hash) => {
      const row = await find(hash);
      clock.ms += 3_000;
      return row;
    });
    await keyring.authenticate(secret);
    slow.mockRestore();
    await records.apiKeys.revoke(ID, new Date(clock.ms).toISOString());
    clock.ms += 1_001;
    expect(keyring.recall(secret)).toBeUndefined();
    expect(await keyring.authenticate(secret)).toBeUndefined();
  });

  it("the keyring refuses a key that another process revoked after at most 4 s", async () => {
    const { records, clock, keyring, secret } = await ring();
    await keyring.authenticate(secret);
    await records.apiKeys.revoke(ID, new Date(clock.ms).toISOString());
    clock.ms += 4_001;
    expect(await keyring.authenticate(secret)).toBeUndefined();
    expect(keyring.recall(secret)).toBeUndefined();
  });

  it("the keyring immediately refuses a key that this process revoked, also during its look-up", async () => {
    const { records, keyring, secret } = await ring();
    await keyring.authenticate(secret);
    const revoke = async () => {
      await records.apiKeys.revoke(ID, "2026-03-05T12:00:00.000Z");
      keyring.forget(ID);
    };
    await revoke();
    expect(keyring.recall(secret)).toBeUndefined();
    expect(await keyring.authenticate(secret)).toBeUndefined();

    const other = await ring();
    const find = other.records.apiKeys.findByHash;
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    other.records.apiKeys.findByHash = async (hash) => {
      const row = await find(hash);
      await gate;
      return row;
    };
    const looking = other.keyring.authenticate(other.secret);
    await other.records.apiKeys.revoke(ID, "2026-03-05T12:00:00.000Z");
    other.keyring.forget(ID);
    release();
    expect(await looking).toBeUndefined();
  });

  it("the keyring refuses a key from the moment it expires, cached or not", async () => {
    const { clock, keyring, secret } = await ring({ expires_at: "2026-03-05T12:00:01.000Z" });
    expect(await keyring.authenticate(secret)).toBeDefined();
    clock.ms += 1_000;
    expect(keyring.recall(secret)).toBeUndefined();
    expect(await keyring.authenticate(secret)).toBeUndefined();
  });

  it("the keyring lets a known key through for 30 s without the record store, and no longer", async () => {
    const { records, clock, keyring, secret } = await ring();
    const found = await keyring.authenticate(secret);
    records.away = true;
    clock.ms += 30_000;
    expect(await keyring.authenticate(secret)).toBe(found);
    clock.ms += 1;
    await expect(keyring.authenticate(secret)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await expect(keyring.authenticate(newApiKey())).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
  });

  it("the keyring notes the use of a key once a minute", async () => {
    const { records, clock, keyring, secret } = await ring();
    const notes: string[] = [];
    records.apiKeys.touch = async (_id, at) => {
      notes.push(at);
    };
    for (let s = 0; s <= 120; s += 10) {
      clock.ms = NOON_MS + s * 1_000;
      await keyring.authenticate(secret);
    }
    expect(notes).toEqual([
      "2026-03-05T12:00:00.000Z",
      "2026-03-05T12:01:00.000Z",
      "2026-03-05T12:02:00.000Z",
    ]);
  });

  it("the keyring stays bounded under a flood of unknown keys, and still knows the good one after it", async () => {
    const { records, keyring, secret } = await ring();
    await keyring.authenticate(secret);
    for (let i = 0; i < 20_000; i += 1)
      await keyring.authenticate(`unknown key number ${i} xxxxxxxxxxx`);
    expect(keyring.recall(secret)).toBeDefined();
    const before = records.keyLookups;
    // The first ones were dropped from memory, so that they are looked up again.
    await keyring.authenticate("unknown key number 0 xxxxxxxxxxx");
    await keyring.authenticate("unknown key number 19999 xxxxxxxxxxx");
    expect(records.keyLookups - before).toBe(1);
  });
});

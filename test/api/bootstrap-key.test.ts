import { expect, it } from "vitest";
import { makeBootstrapKey } from "../../api/auth/bootstrap-key.ts";
import { createKeyring } from "../../api/auth/keyring.ts";
import { NOON_MS, PEPPER } from "../support/api-app.ts";
import { openMemoryRecords } from "../support/memory-records.ts";

it("makes one first key, though two processes start together, and none later", async () => {
  const records = openMemoryRecords();
  const make = () => makeBootstrapKey(records.apiKeys, PEPPER, NOON_MS);
  const made = await Promise.all([make(), make()]);
  const later = await make();
  const secrets = made.filter((secret) => secret !== undefined);
  expect(secrets).toHaveLength(1);
  expect(later).toBeUndefined();
  const keyring = createKeyring({ records, pepper: PEPPER, adminApiKey: undefined, now: Date.now });
  const found = await keyring.authenticate(secrets[0] ?? "");
  expect(found?.plan).toBe("enterprise");
});

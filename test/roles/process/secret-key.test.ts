import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WebhookId } from "../../../domain/ids.ts";
import { createSecretSeal } from "../../../ingest/credentials/secret-seal.ts";
import { openSecretKey } from "../../../roles/process/secret-key.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";

const RIGHT = "the-right-secret-key-of-more-than-32-characters";
const WRONG = "another-secret-key-of-more-than-32-characters";

let dataDir: string;
let records: MemoryRecords;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-secret-"));
  records = openMemoryRecords();
});
afterEach(() => rm(dataDir, { recursive: true }));

const open = (secretKey?: string) => openSecretKey({ dataDir, secretKey }, records);

/** A webhook as an earlier version stored it: there was no check value then. */
async function addWebhook(key: string): Promise<void> {
  const id = "webhook_1" as WebhookId;
  const sealed = createSecretSeal(Buffer.from(key), "webhooks").seal(id, "whsec_1");
  await records.webhooks.insert({
    id,
    name: "receiver",
    url: "https://receiver.example/",
    types: [],
    projectIds: undefined,
    status: "active",
    disabledReason: undefined,
    secrets: [{ sealed, createdAtMs: 0, expiresAtMs: undefined }],
    createdAtMs: 0,
    updatedAtMs: 0,
  });
}

describe("the secret key at start", () => {
  it("the secret key at start is SECRET_KEY, and no other value of it later", async () => {
    expect(Buffer.from(await open(RIGHT)).toString()).toBe(RIGHT);
    expect(Buffer.from(await open(RIGHT)).toString()).toBe(RIGHT);
    await expect(open(WRONG)).rejects.toThrow(/^SECRET_KEY is not the key .*set the value/);
  });

  it("the secret key at start is made once where SECRET_KEY is not set, and read again at the next start", async () => {
    const made = await open();
    expect(made).toHaveLength(32);
    expect(await open()).toEqual(made);
    await expect(open(WRONG)).rejects.toThrow(/^SECRET_KEY is not the key/);
  });

  it("the secret key at start is made anew in place of an empty file while the records hold nothing, and only then", async () => {
    await writeFile(join(dataDir, "secret.key"), "");
    const made = await open();
    expect(await open()).toEqual(made);
    await writeFile(join(dataDir, "secret.key"), "");
    await expect(open()).rejects.toThrow(/secret\.key is missing or empty/);
  });

  it("the secret key at start is not made anew when its file is gone", async () => {
    await open();
    await rm(join(dataDir, "secret.key"));
    await expect(open()).rejects.toThrow(/secret\.key is missing.*put the file of a backup there/);
    await expect(readFile(join(dataDir, "secret.key"))).rejects.toThrow("ENOENT");
  });

  it("the secret key at start is not made for the records of an earlier version that need one", async () => {
    await addWebhook(RIGHT);
    await expect(open()).rejects.toThrow(/secret\.key is missing/);
  });

  it("the secret key at start is refused when its file was replaced, and when it was damaged", async () => {
    await open();
    const path = join(dataDir, "secret.key");
    const kept = await readFile(path, "utf8");
    await writeFile(
      path,
      kept.replace(/^./, (first) => (first === "A" ? "B" : "A")),
    );
    await expect(open()).rejects.toThrow(/secret\.key is not the key/);
    await writeFile(path, kept.slice(0, 20));
    await expect(open()).rejects.toThrow(/secret\.key cannot be used: put the file of a backup/);
    await writeFile(path, kept);
    expect(await open()).toHaveLength(32);
  });

  it("is tried on a sealed secret where an earlier version kept no check value", async () => {
    await addWebhook(RIGHT);
    await expect(open(WRONG)).rejects.toThrow(/^SECRET_KEY is not the key/);
    expect(await records.secretCheck.find()).toBeUndefined();
    expect(Buffer.from(await open(RIGHT)).toString()).toBe(RIGHT);
    await expect(open(WRONG)).rejects.toThrow(/^SECRET_KEY is not the key/);
  });
});

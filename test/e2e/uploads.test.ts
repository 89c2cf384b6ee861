import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServiceProcess } from "../support/service-process.ts";
import { createTusClient } from "../support/tus-client.ts";

const KEY = "uploads-killed-admin-key-0123456789abcdef";
const MIB = 1024 ** 2;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-killed-upload-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

it("an upload goes on after the service was killed (SIGKILL) in the middle of a request, and arrives whole", async () => {
  const content = randomBytes(12 * MIB);
  Buffer.from("ffd8ffe000104a464946", "hex").copy(content);
  const first = await startServiceProcess({ dataDir: dir, adminKey: KEY });
  const before = createTusClient(first.http, KEY);
  const path = await before.begin(content.length, "DJI_0001.JPG");
  // The whole of it is announced, and the process waits for the rest when it is killed.
  const sending = await before.hold(path, 0, content, 7 * MIB);
  await expect.poll(async () => await shownBytes(first.http, path)).toBeGreaterThan(4 * MIB);
  await first.end("SIGKILL");
  sending.destroy();

  const second = await startServiceProcess({ dataDir: dir, adminKey: KEY });
  const after = createTusClient(second.http, KEY);
  const offset = await after.offset(path);
  expect(offset).toBeGreaterThan(4 * MIB);
  expect(offset).toBeLessThanOrEqual(7 * MIB);
  await after.patch(path, offset, content.subarray(offset));
  const { body } = await after.send("GET", path);
  expect(JSON.parse(body)).toMatchObject({
    status: "stored",
    sha256: createHash("sha256").update(content).digest("hex"),
  });
  const image = await fetch(JSON.parse(body).url);
  expect(Buffer.from(await image.arrayBuffer()).equals(content)).toBe(true);
  await second.end("SIGTERM");
});

async function shownBytes(origin: string, path: string): Promise<number> {
  const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${KEY}` } });
  return ((await response.json()) as { received_bytes: number }).received_bytes;
}

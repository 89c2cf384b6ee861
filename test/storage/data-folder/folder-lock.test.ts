import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockFolder } from "../../../storage/data-folder/folder-lock.ts";
import { ownIdentity } from "../../../storage/data-folder/process-identity.ts";
import { slowness } from "../../support/slowness.ts";

let dir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "folder-lock-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(dir, { recursive: true, force: true });
});

/** A process that holds the folder until it is killed. */
async function startOwner(): Promise<ChildProcess> {
  const lock = new URL("../../../storage/data-folder/folder-lock.ts", import.meta.url).href;
  const script = `import { lockFolder } from ${JSON.stringify(lock)};
    await lockFolder(process.argv[1]);
    console.log("held");
    setInterval(() => {}, 1_000);`;
  const args = ["--import", "tsx", "--input-type=module", "-e", script, dir];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

function claim(pid: number, startTicks: string, scope: string): string {
  const path = join(dir, "lock", `${pid}_${startTicks}_${scope}_0123456789ab`);
  writeFileSync(path, "");
  return path;
}

async function createLockFolder(): Promise<void> {
  await (await lockFolder(dir)).release();
}

it("the lock of a folder refuses a second lock in the same process and names the pid", async () => {
  const lock = await lockFolder(dir);
  await expect(lockFolder(dir)).rejects.toMatchObject({
    code: "STORE_LOCKED",
    message: expect.stringContaining(`process ${process.pid};`),
  });
  await lock.release();
});

it("the lock of a folder can be taken again after release, and leaves no claim behind", async () => {
  const first = await lockFolder(dir);
  await first.release();
  await first.release();
  const second = await lockFolder(dir);
  await second.release();
  expect(readdirSync(join(dir, "lock"))).toEqual([]);
});

it("the lock of a folder names the pid of another process, and is free at once after its kill -9", async () => {
  const owner = await startOwner();
  await expect(lockFolder(dir)).rejects.toMatchObject({
    code: "STORE_LOCKED",
    message: expect.stringContaining(`process ${owner.pid};`),
  });
  owner.kill("SIGKILL");
  await once(owner, "exit");
  const begin = performance.now();
  const lock = await lockFolder(dir);
  expect(performance.now() - begin).toBeLessThan(1_000 * slowness());
  await lock.release();
});

it("the lock of a folder never lets two of 20 simultaneous openers in", async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(dir)));
  const held = results.filter((r) => r.status === "fulfilled");
  const refused = results.filter((r) => r.status === "rejected");
  expect(held.length).toBeLessThanOrEqual(1);
  expect(held.length + refused.length).toBe(20);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "STORE_LOCKED" });
  for (const { value } of held) await value.release();
});

it.skipIf(process.platform !== "linux")(
  "takes the claim of a process with our pid but another start time for dead",
  async () => {
    await createLockFolder();
    const { scope } = await ownIdentity();
    claim(process.pid, "1", scope);
    const lock = await lockFolder(dir);
    expect(readdirSync(join(dir, "lock"))).toHaveLength(1);
    await lock.release();
  },
);

it("the lock trusts the sign of life of an owner whose pid cannot be checked", async () => {
  await createLockFolder();
  const path = claim(4_000_000, "77", "otherboot.1");
  let touchS = 1_000;
  const beat = setInterval(() => utimesSync(path, ++touchS, touchS), 100);
  try {
    await expect(lockFolder(dir)).rejects.toMatchObject({
      code: "STORE_LOCKED",
      message: expect.stringContaining("process 4000000;"),
    });
  } finally {
    clearInterval(beat);
  }
});

it("the lock of a folder takes the folder of an owner elsewhere that gave no sign of life for 400 ms", async () => {
  await createLockFolder();
  claim(4_000_000, "77", "otherboot.1");
  const begin = performance.now();
  const lock = await lockFolder(dir, 400);
  expect(performance.now() - begin).toBeGreaterThan(390);
  expect(readdirSync(join(dir, "lock"))).toHaveLength(1);
  await lock.release();
});

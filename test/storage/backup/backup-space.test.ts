import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BackupSource, createBackups } from "../../../storage/backup/backup.ts";
import { smallSpace } from "../../support/small-space.ts";

const MIB = 1024 ** 2;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-backup-"));
  await mkdir(join(dir, "records", "cluster"), { recursive: true });
  await writeFile(join(dir, "records", "cluster", "base"), Buffer.alloc(2 * MIB, 1));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Stores whose copies are small files, and what was done to them. */
function open(aboveBytes: number) {
  const done: string[] = [];
  const copyTo = async (to: string) => {
    done.push("copied");
    await mkdir(to, { recursive: true });
    await writeFile(join(to, "file"), Buffer.alloc(4 * MIB, 2));
  };
  const hold = { release: () => void done.push("released"), synced: () => [] };
  const { disk } = smallSpace(aboveBytes);
  const source = {
    dataDir: dir,
    journal: { id: "j", syncedSequence: 1, hold: () => hold },
    records: { copyTo },
    telemetry: { copyTo },
    disk,
    now: () => 0,
  } as unknown as BackupSource;
  return { backups: createBackups(source), done, disk };
}

const staging = () =>
  access(join(dir, "backup-staging")).then(
    () => "there",
    () => "gone",
  );

describe("a backup", () => {
  it("a backup is refused where its copies would take space that is intake's, before anything is copied", async () => {
    const { backups, done, disk } = open(MIB);
    await expect(backups.create()).rejects.toMatchObject({ code: "DISK_FULL" });
    expect([done, await staging(), disk.stats().promisedBytes]).toEqual([["released"], "gone", 0]);
  });

  it("a backup is made where there is room, and gives back what it was promised", async () => {
    const { backups, done, disk } = open(10 * MIB);
    await text(await backups.create());
    await expect.poll(staging).toBe("gone");
    expect([done.at(-1), disk.stats().promisedBytes]).toEqual(["released", 0]);
  });

  it.each([
    ["takes nothing for five minutes", 0],
    ["takes 64 KiB in five minutes", 64 * 1024],
  ])("a backup whose reader %s ends, and lets go of the journal and the copies", async (_, bytes) => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    try {
      const { backups, done } = open(10 * MIB);
      const archive = await backups.create();
      const failed = new Promise((resolve) => archive.once("error", resolve));
      if (bytes > 0) {
        await expect.poll(() => archive.read(bytes)).not.toBeNull();
        await vi.advanceTimersByTimeAsync(299_000);
        expect(archive.destroyed).toBe(false);
      }
      await vi.advanceTimersByTimeAsync(300_000);
      expect(String(await failed)).toMatch(/read too slowly/);
      await expect.poll(() => done).toContain("released");
      await expect.poll(staging).toBe("gone");
    } finally {
      vi.useRealTimers();
    }
  });
});

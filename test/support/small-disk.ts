import { spawnSync } from "node:child_process";
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own that can be filled without harm to anybody. */
export interface SmallDisk {
  /** Where it is mounted. */
  readonly dir: string;
  freeBytes(): number;
  /** Takes space away until `bytes` are free. */
  leave(bytes: number): void;
  /** Gives the space back that `leave` took. */
  relieve(): void;
  unmount(): Promise<void>;
}

export type FileSystem = "tmpfs" | "ext4";

const PIECE_BYTES = 1024 ** 2;

/** Mounts it; yields the reason when that cannot be done here. */
export async function mountSmallDisk(
  kind: FileSystem,
  bytes: number,
): Promise<SmallDisk | { readonly unavailable: string }> {
  if (process.platform !== "linux") return { unavailable: "not on Linux" };
  if (process.getuid?.() !== 0) return { unavailable: "mounting needs root" };
  const base = await mkdtemp(join(tmpdir(), "plumbline-disk-"));
  const dir = join(base, "mount");
  await mkdir(dir);
  const problem =
    kind === "tmpfs"
      ? run("mount", "-t", "tmpfs", "-o", `size=${bytes}`, "none", dir)
      : mountExt4(base, dir, bytes);
  if (problem !== undefined) {
    await rm(base, { recursive: true });
    return { unavailable: problem };
  }
  const ballast = join(dir, "ballast");
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  };
  return {
    dir,
    freeBytes,
    leave(wanted) {
      const file = openSync(ballast, "a");
      try {
        for (;;) {
          const excess = freeBytes() - wanted;
          if (excess <= 0) break;
          writeSync(file, Buffer.alloc(Math.min(PIECE_BYTES, excess)));
          fsyncSync(file);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    relieve: () => rmSync(ballast, { force: true }),
    async unmount() {
      const failure = run("umount", dir);
      if (failure !== undefined) throw new Error(`cannot unmount ${dir}: ${failure}`);
      await rm(base, { recursive: true });
    },
  };
}

function mountExt4(base: string, dir: string, bytes: number): string | undefined {
  const image = join(base, "disk.img");
  return (
    run("truncate", "-s", String(bytes), image) ??
    // No blocks kept for root, so that free space means the same to everybody.
    run("mkfs.ext4", "-q", "-m", "0", image) ??
    run("mount", "-o", "loop", image, dir)
  );
}

/** Runs a command; yields what it said when it failed. */
function run(command: string, ...args: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return undefined;
  return `${command}: ${error?.message ?? stderr.trim()}`;
}

/** Whether `REQUIRE_BACKENDS` makes it a failure that no small disk can be mounted. */
export const diskFullIsRequired = (): boolean =>
  (process.env["REQUIRE_BACKENDS"] ?? "").split(",").includes("diskfull");

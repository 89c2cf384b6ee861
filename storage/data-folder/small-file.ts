import { randomBytes } from "node:crypto";
import { link, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

/**
 * Makes or replaces a small file (mode 0600), durably: after a crash it holds the old text, or is not there if
 * it was not, or holds the new text, and never a part of it.
 */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  await writeSynced(`${path}.new`, text);
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
}

/**
 * Makes a small file that is made once (mode 0600), whole or not at all: of several processes one makes it. An
 * empty one, as an earlier version left it when it was killed, counts as none.
 * @throws Error `EEXIST` when it is there.
 */
export async function makeFileOnce(path: string, text: string): Promise<void> {
  const whole = `${path}.${randomBytes(4).toString("hex")}.new`;
  await writeSynced(whole, text);
  try {
    const there = await stat(path).catch(() => undefined);
    if (there?.size === 0) await rm(path);
    await link(whole, path).catch(async (error: NodeJS.ErrnoException) => {
      // Some file systems have no links.
      if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(error.code ?? "")) throw error;
      await rename(whole, path);
    });
  } finally {
    await rm(whole, { force: true });
  }
  await syncFolder(dirname(path));
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

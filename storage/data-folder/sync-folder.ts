import { open } from "node:fs/promises";

/** Makes created, renamed and deleted names of a folder durable. */
export async function syncFolder(dir: string): Promise<void> {
  // Windows cannot open a folder, and makes names durable with the file.
  if (process.platform === "win32") return;
  const folder = await open(dir, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

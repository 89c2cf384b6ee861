import { chmod, mkdir, readdir, stat } from "node:fs/promises";

/** Only the service's own user may enter, read and write. */
const OWNER_ONLY = 0o700;
/** What a data folder has after its first start, whatever the role. */
const OURS = new Set(["node.id", "secret.key", "journal", "uploads"]);
/** What a new file system has. */
const NEW_DISK = "lost+found";

/** A folder that other users of the machine could enter. */
export interface OpenFolder {
  /** Octal, such as `755`. */
  readonly mode: string;
  /** Whether it is closed to them now. */
  readonly isNarrowed: boolean;
}

/**
 * Makes a folder that only its owner can enter, or narrows an existing one to that: it holds the key of every
 * hash and the data of the sites. A folder that holds other things as well, such as `/tmp`, and one of another
 * owner stay as they are. `undefined`: nobody else can enter it.
 */
export async function makePrivateFolder(path: string): Promise<OpenFolder | undefined> {
  await mkdir(path, { recursive: true, mode: OWNER_ONLY });
  // Windows has no such modes.
  if (process.platform === "win32") return undefined;
  const mode = (await stat(path)).mode & 0o7777;
  if ((mode & 0o77) === 0) return undefined;
  const entries = await readdir(path);
  const isEmpty = entries.every((name) => name === NEW_DISK);
  const isOurs = isEmpty || entries.some((name) => OURS.has(name));
  const isNarrowed =
    isOurs &&
    (await chmod(path, mode & OWNER_ONLY).then(
      () => true,
      () => false,
    ));
  return { mode: mode.toString(8), isNarrowed };
}

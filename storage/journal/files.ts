import { open, statfs } from "node:fs/promises";

/** An open file of the journal. A node `FileHandle` is one. */
export interface JournalFile {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  writev(
    buffers: readonly Uint8Array[],
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The operations that a failing or full disk can refuse, so that tests can let them fail. */
export interface JournalFiles {
  open(path: string, flags: "r" | "r+" | "wx"): Promise<JournalFile>;
  space(dir: string): Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
}

/** The real disk. */
export const nodeFiles: JournalFiles = {
  open: (path, flags) => open(path, flags, 0o600),
  async space(dir) {
    const { bavail, blocks, bsize } = await statfs(dir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  },
};

/** Writes all of `buffers` one after the other from `position` on. */
export async function writeFully(
  file: JournalFile,
  buffers: readonly Uint8Array[],
  position: number,
): Promise<void> {
  let rest = buffers;
  let at = position;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, at);
    if (bytesWritten <= 0) throw new Error("the disk took no bytes");
    at += bytesWritten;
    rest = withoutFirst(rest, bytesWritten);
  }
}

function withoutFirst(buffers: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes;
  let i = 0;
  for (let head = buffers[0]; head !== undefined && head.length <= left; head = buffers[i]) {
    left -= head.length;
    i++;
  }
  const rest = buffers.slice(i);
  return left > 0 && rest[0] !== undefined ? [rest[0].subarray(left), ...rest.slice(1)] : rest;
}

/** Fills `buffer` from `position` on as far as the file reaches; returns the bytes read. */
export async function readFully(
  file: JournalFile,
  buffer: Uint8Array,
  position: number,
): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const left = buffer.length - filled;
    const { bytesRead } = await file.read(buffer, filled, left, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

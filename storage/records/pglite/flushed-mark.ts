import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { crc32 } from "../../disk/crc32.ts";

/** Two slots: while one is written the other is whole. A position and its CRC each, on disk sectors of their own. */
const SLOT_BYTES = 512;
const LSN_BYTES = 8;

/** Beside the cluster; no part of it. */
export const flushedMarkPath = (cluster: string): string => `${cluster}.flushed`;

/**
 * Notes how far the log is on disk, as a low-water mark for the next start. No commit waits for it: the
 * database's thread says the position once a second, and this thread writes it.
 */
export interface FlushedMark {
  /** Writes a position soon; one that comes while another is written waits for it. Never throws. */
  note(lsn: number): void;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

export function openFlushedMark(cluster: string): FlushedMark {
  const path = flushedMarkPath(cluster);
  let next: number | undefined;
  let slot = 0;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (next !== undefined) {
      const lsn = next;
      next = undefined;
      slot = 1 - slot;
      // A mark that cannot be written stays at an earlier position: less is noticed, nothing is wrong.
      await writeSlot(path, slot, lsn).catch(() => undefined);
    }
    writing = undefined;
  }

  return {
    note(lsn) {
      next = lsn;
      writing ??= write();
    },
    async close() {
      await writing;
    },
  };
}

/** The furthest position that was noted; `undefined`: none. */
export function readFlushedMark(cluster: string): number | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(flushedMarkPath(cluster));
  } catch {
    return undefined;
  }
  const noted = [0, SLOT_BYTES].flatMap((at) => {
    if (bytes.length < at + LSN_BYTES + 4) return [];
    const isWhole = bytes.readUInt32LE(at + LSN_BYTES) === crc32(bytes, at, at + LSN_BYTES, 0);
    return isWhole ? [Number(bytes.readBigUInt64LE(at))] : [];
  });
  return noted.length === 0 ? undefined : Math.max(...noted);
}

async function writeSlot(path: string, slot: number, lsn: number): Promise<void> {
  const bytes = Buffer.alloc(LSN_BYTES + 4);
  bytes.writeBigUInt64LE(BigInt(lsn));
  bytes.writeUInt32LE(crc32(bytes, 0, LSN_BYTES, 0), LSN_BYTES);
  const file = await open(path, "r+").catch(() => open(path, "w+", 0o600));
  try {
    await file.write(bytes, 0, bytes.length, slot * SLOT_BYTES);
    await file.datasync();
  } finally {
    await file.close();
  }
}

import { nodeFiles, readFully } from "./files.ts";
import { usedBytes } from "./segment-scan.ts";

/** A whole segment. */
export interface LoadedSegment {
  /** Dead when the next one is loaded. */
  readonly bytes: Uint8Array;
  /** Bytes up to and with the last one that is not zero. */
  readonly used: number;
}

export type SegmentLoader = (file: {
  readonly path: string;
  readonly capacity: number;
}) => Promise<LoadedSegment>;

/** Read at a time, bytes. Less makes more calls, more touches more memory of a segment that has hardly begun. */
const BLOCK_BYTES = 1024 ** 2;

/**
 * Loads segments of up to `largest` bytes, one after the other, into the same memory. A segment is made ahead and full
 * of zeros: those are not copied, so that the memory is only taken for records. A start read 128 MB of them otherwise,
 * and looked at each, for 0.08 s of CPU.
 */
export function openSegmentLoader(largest: number): SegmentLoader {
  const memory = new Uint8Array(largest);
  const block = Buffer.alloc(Math.min(BLOCK_BYTES, largest));
  const zeros = Buffer.alloc(block.length);
  /** Up to here the memory is not all zeros. */
  let written = 0;
  return async ({ path, capacity }) => {
    memory.fill(0, 0, written);
    written = 0;
    const handle = await nodeFiles.open(path, "r");
    try {
      let length = 0;
      while (length < capacity) {
        const wanted = block.subarray(0, Math.min(block.length, capacity - length));
        const read = await readFully(handle, wanted, length);
        if (!wanted.subarray(0, read).equals(zeros.subarray(0, read))) {
          memory.set(wanted.subarray(0, read), length);
          written = length + read;
        }
        length += read;
        if (read < wanted.length) break;
      }
      return { bytes: memory.subarray(0, length), used: usedBytes(memory.subarray(0, written)) };
    } finally {
      await handle.close();
    }
  };
}

/** The first bytes of a segment, or as many as it has. */
export async function loadStart(path: string, bytes: number): Promise<Uint8Array> {
  const handle = await nodeFiles.open(path, "r");
  try {
    const start = new Uint8Array(bytes);
    return start.subarray(0, await readFully(handle, start, 0));
  } finally {
    await handle.close();
  }
}

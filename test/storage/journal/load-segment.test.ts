import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSegmentLoader } from "../../../storage/journal/load-segment.ts";

const MIB = 1024 ** 2;

/** A file of zeros but for these bytes. */
function fileWith(bytes: number, at: readonly number[]): Uint8Array {
  const file = new Uint8Array(bytes);
  for (const place of at) file[place] = 7;
  return file;
}

const CASES: readonly (readonly [string, Uint8Array, used: number])[] = [
  ["nothing but zeros", fileWith(3 * MIB, []), 0],
  ["bytes at the start", fileWith(3 * MIB, [0, 100]), 101],
  ["zeros between, and the last byte of all", fileWith(3 * MIB, [5, 3 * MIB - 1]), 3 * MIB],
  ["the first byte of the second block", fileWith(3 * MIB, [MIB]), MIB + 1],
  ["a length that is no multiple of anything", fileWith(2 * MIB + 3, [2 * MIB + 1]), 2 * MIB + 2],
  ["an empty file", new Uint8Array(0), 0],
];

test.each(
  CASES,
)("a segment is loaded as it is, also after another one: %s", async (_, content, used) => {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-segment-"));
  try {
    const [full, path] = [join(dir, "full"), join(dir, "segment")];
    await writeFile(full, new Uint8Array(3 * MIB).fill(9));
    await writeFile(path, content);
    const load = openSegmentLoader(3 * MIB);
    await load({ path: full, capacity: 3 * MIB });

    // Shorter than it was found to be: it was cut off in between.
    const loaded = await load({ path, capacity: 3 * MIB });

    expect(Buffer.compare(loaded.bytes, content)).toBe(0);
    expect(loaded.used).toBe(used);
  } finally {
    await rm(dir, { recursive: true });
  }
});

import { readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { usedBytes } from "../../../storage/journal/segment-scan.ts";

/** What happens to a file. */
export type DamageKind = "truncated" | "emptied" | "zeroed" | "flipped" | "missing";
export const KINDS: readonly DamageKind[] = [
  "truncated",
  "emptied",
  "zeroed",
  "flipped",
  "missing",
];

/** Where in its used bytes a file is hit, 0 to 1. */
export type Place = "head" | "middle" | "tail";

const PAGE_BYTES = 4_096;

/**
 * Damages a file the way that disks do: it ends too early or has 0 bytes, a page of it is zeros, bits of it have changed, or
 * it is gone. Yields whether a byte has changed.
 */
export async function damageFile(path: string, kind: DamageKind, place: Place): Promise<boolean> {
  if (kind === "missing") {
    await rm(path);
    return true;
  }
  const { size } = await stat(path);
  if (kind === "emptied") {
    await truncate(path, 0);
    return size > 0;
  }
  const bytes = await readFile(path);
  const used = Math.max(1, usedBytes(bytes));
  const page = Math.floor(placeIn(used, place) / PAGE_BYTES) * PAGE_BYTES;
  if (kind === "truncated") {
    await truncate(path, Math.floor(used / 2));
    return Math.floor(used / 2) < size;
  }
  const before = Buffer.from(bytes);
  if (kind === "zeroed") bytes.fill(0, page, Math.min(page + PAGE_BYTES, size));
  else {
    // Some bits every 100 bytes of a page: no layout is so thin that none of them is used.
    for (let at = page + 7; at < Math.min(page + PAGE_BYTES, used); at += 100) {
      bytes[at] = (bytes[at] ?? 0) ^ 0x11;
    }
    if (bytes.equals(before)) bytes[0] = (bytes[0] ?? 0) ^ 0x11;
  }
  await writeFile(path, bytes);
  return !bytes.equals(before);
}

function placeIn(used: number, place: Place): number {
  if (place === "head") return 0;
  return place === "tail" ? used - 1 : Math.floor(used / 2);
}

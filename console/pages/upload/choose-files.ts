import type { ChosenFile } from "./checks.ts";
import { HEAD_BYTES, saysPosition } from "./exif-position.ts";

/** Reads what the checks need of each file, one after the other: a phone has no room for 300 at once. */
export async function readChosen(files: readonly File[]): Promise<readonly ChosenFile[]> {
  const chosen: ChosenFile[] = [];
  for (const file of files) {
    const head = await file.slice(0, HEAD_BYTES).arrayBuffer();
    chosen.push({ file, position: saysPosition(new DataView(head)), sameAs: await markOf(file) });
  }
  return chosen;
}

async function markOf(file: File): Promise<string> {
  // Over plain HTTP a browser has no hashes.
  if (globalThis.crypto.subtle === undefined) return `${file.name} ${file.size}`;
  const hash = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

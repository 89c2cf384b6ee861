import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Tag of the directory of GPS tags in a picture's own (EXIF 2.31, 4.6.3), and a private one in its stead. */
const GPS_DIRECTORY = 0x8825;
const PRIVATE = 0xfde8;
const ENTRY_BYTES = 12;

/** Copies JPEGs into a folder without their positions; all other tags and the pixels stay as they are. */
export async function copyWithoutPositions(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const bytes = await readFile(join(from, name));
    hidePosition(bytes);
    await writeFile(join(to, name), bytes);
  }
}

function hidePosition(bytes: Buffer): void {
  const at = bytes.indexOf("Exif\0\0", 0, "latin1");
  if (at < 0) return;
  const tiff = at + 6;
  const isLittle = bytes.toString("latin1", tiff, tiff + 2) === "II";
  const read16 = (i: number) => (isLittle ? bytes.readUInt16LE(i) : bytes.readUInt16BE(i));
  const read32 = (i: number) => (isLittle ? bytes.readUInt32LE(i) : bytes.readUInt32BE(i));
  const directory = tiff + read32(tiff + 4);
  for (let entry = 0; entry < read16(directory); entry += 1) {
    const tag = directory + 2 + entry * ENTRY_BYTES;
    if (read16(tag) !== GPS_DIRECTORY) continue;
    if (isLittle) bytes.writeUInt16LE(PRIVATE, tag);
    else bytes.writeUInt16BE(PRIVATE, tag);
  }
}

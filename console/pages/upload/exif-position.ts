/** Whether a photograph says where it was taken; `unknown`: not a JPEG, whose tags are all that is read here. */
export type SaysPosition = "yes" | "no" | "unknown";

/** Bytes of a file in which cameras write their tags: segments of 64 KiB, the first ones. */
export const HEAD_BYTES = 256 * 1_024;

/** Markers of a JPEG (ISO/IEC 10918-1, table B.1), and tags of its EXIF (Exif 2.3, 4.6.3 and 4.6.6). */
const SOI = 0xffd8;
const APP1 = 0xffe1;
const SOS = 0xffda;
const EXIF = 0x45786966;
const GPS_TAG = 0x8825;
const LATITUDE_TAG = 2;
const ENTRY_BYTES = 12;

/** Reads the first bytes of a file; what is damaged says nothing. */
export function saysPosition(head: DataView): SaysPosition {
  if (head.byteLength < 4 || head.getUint16(0) !== SOI) return "unknown";
  try {
    return hasLatitude(head) ? "yes" : "no";
  } catch {
    // A place beyond the end.
    return "no";
  }
}

function hasLatitude(head: DataView): boolean {
  for (let at = 2; at + 10 <= head.byteLength; at += 2 + head.getUint16(at + 2)) {
    const marker = head.getUint16(at);
    if (marker === SOS || marker >> 8 !== 0xff) return false;
    if (marker !== APP1 || head.getUint32(at + 4) !== EXIF) continue;
    const tiff = at + 10;
    const isLittle = head.getUint16(tiff) === 0x4949;
    const gps = entryOf(head, tiff, head.getUint32(tiff + 4, isLittle), GPS_TAG, isLittle);
    if (gps === undefined) return false;
    const place = head.getUint32(gps + 8, isLittle);
    return entryOf(head, tiff, place, LATITUDE_TAG, isLittle) !== undefined;
  }
  return false;
}

/** Where the entry of a tag begins in a directory of the tags. */
function entryOf(head: DataView, tiff: number, place: number, tag: number, isLittle: boolean) {
  const count = head.getUint16(tiff + place, isLittle);
  for (let i = 0; i < count; i += 1) {
    const entry = tiff + place + 2 + i * ENTRY_BYTES;
    if (head.getUint16(entry, isLittle) === tag) return entry;
  }
  return undefined;
}

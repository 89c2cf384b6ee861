import { imageKindOf } from "../files/image-kind.ts";

/**
 * The bytes of an image without its EXIF and XMP, for the decoder. libvips reads EXIF by libexif, which takes
 * 18 s for 50 kB of hostile tags (test/e2e/processing/bombs.ts), in native code that nobody can interrupt.
 * Colour profiles stay. Bytes that are not such an image are returned as they are: the decoder decides.
 * TIFF's tags are its own structure and are left alone.
 */
export function withoutMetadata(file: Buffer): Buffer {
  switch (imageKindOf(file)) {
    case "jpg":
      return jpegWithout(file);
    case "png":
      return pngWithout(file);
    case "webp":
      return webpWithout(file);
    case "tif":
    case undefined:
      return file;
  }
}

/** Markers of a JPEG (ISO/IEC 10918-1, table B.1). */
const SOS = 0xda;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const ICC = "ICC_PROFILE\0";

/** Drops the segments APP1 to APP15 before the scan but for colour: ICC (APP2) and Adobe's (APP14). */
function jpegWithout(file: Buffer): Buffer {
  const kept = [file.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1] ?? 0;
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (marker === SOS || end > file.length) break;
    const isIcc = marker === APP2 && file.toString("latin1", at + 4, at + 16) === ICC;
    const isForeign = marker >= APP1 && marker <= APP15 && marker !== APP14 && !isIcc;
    if (!isForeign) kept.push(file.subarray(at, end));
    at = end;
  }
  kept.push(file.subarray(at));
  return Buffer.concat(kept);
}

const PNG_HEAD_BYTES = 8;
/** Ancillary chunks that hold text or tags (PNG specification, section 11.3). */
const PNG_DROPPED: ReadonlySet<string> = new Set(["eXIf", "iTXt", "tEXt", "zTXt"]);

function pngWithout(file: Buffer): Buffer {
  const kept = [file.subarray(0, PNG_HEAD_BYTES)];
  let at = PNG_HEAD_BYTES;
  while (at + 12 <= file.length) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) break;
    if (!PNG_DROPPED.has(file.toString("latin1", at + 4, at + 8)))
      kept.push(file.subarray(at, end));
    at = end;
  }
  kept.push(file.subarray(at));
  return Buffer.concat(kept);
}

const WEBP_HEAD_BYTES = 12;
const WEBP_DROPPED: ReadonlySet<string> = new Set(["EXIF", "XMP "]);
/** Bits of VP8X that say that such chunks follow (RFC 9649 section 2.7.1). */
const WEBP_FLAGS = 0x08 | 0x04;

function webpWithout(file: Buffer): Buffer {
  const kept: Buffer[] = [];
  let at = WEBP_HEAD_BYTES;
  while (at + 8 <= file.length) {
    // Chunks begin at even places.
    const bytes = file.readUInt32LE(at + 4);
    const end = at + 8 + bytes + (bytes % 2);
    if (end > file.length) break;
    const name = file.toString("latin1", at, at + 4);
    if (!WEBP_DROPPED.has(name)) {
      kept.push(name === "VP8X" ? withoutFlags(file.subarray(at, end)) : file.subarray(at, end));
    }
    at = end;
  }
  kept.push(file.subarray(at));
  const head = Buffer.from(file.subarray(0, WEBP_HEAD_BYTES));
  const keptBytes = kept.reduce((sum, part) => sum + part.length, 0);
  // A size that was wrong before stays wrong: it is cut off, or has no end, as it had.
  head.writeUInt32LE(
    Math.max(0, head.readUInt32LE(4) - (file.length - WEBP_HEAD_BYTES - keptBytes)),
    4,
  );
  return Buffer.concat([head, ...kept]);
}

function withoutFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk);
  if (copy.length > 8) copy.writeUInt8((copy[8] ?? 0) & ~WEBP_FLAGS, 8);
  return copy;
}

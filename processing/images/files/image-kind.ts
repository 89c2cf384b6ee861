/** Formats that are taken, by the ending of their files. */
export type ImageKind = "jpg" | "png" | "tif" | "webp";

/** How many bytes of a file `imageKindOf` needs. */
export const MAGIC_BYTES = 12;

/** Patterns of first bytes; `undefined` matches any byte. */
const MAGIC: readonly (readonly [ImageKind, readonly (number | undefined)[]])[] = [
  // ISO/IEC 10918-1: SOI and the first byte of the next marker.
  ["jpg", [0xff, 0xd8, 0xff]],
  // PNG specification, section 5.2.
  ["png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  // TIFF 6.0 section 2, both byte orders, and BigTIFF.
  ["tif", [0x49, 0x49, 42, 0]],
  ["tif", [0x4d, 0x4d, 0, 42]],
  ["tif", [0x49, 0x49, 43, 0]],
  ["tif", [0x4d, 0x4d, 0, 43]],
  // RFC 9649 section 2.4: RIFF, a size, WEBP.
  [
    "webp",
    [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50],
  ],
];

/** The format that the first bytes of a file say; what its sender says counts for nothing. */
export function imageKindOf(head: Uint8Array): ImageKind | undefined {
  const found = MAGIC.find(([, bytes]) =>
    bytes.every((byte, i) => byte === undefined || head[i] === byte),
  );
  return found?.[0];
}

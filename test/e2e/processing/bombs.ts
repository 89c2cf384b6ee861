import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";

/** A hostile image file, and what has to become of it. */
export interface Bomb {
  readonly name: string;
  /** The words of its refusal; `undefined`: it is an image after all, and is read. */
  readonly refused: RegExp | undefined;
  readonly make: () => Promise<Buffer> | Buffer;
}

const DAMAGED = /is damaged, or is not a JPEG, PNG, TIFF or WebP image$/;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"/></svg>';

const flat = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: "#808080" }, limitInputPixels: false });

const small = (): Promise<Buffer> => flat(640, 480).jpeg().toBuffer();

export const BOMBS: readonly Bomb[] = [
  {
    name: "16000x16000.png",
    refused: /has more than 100 million pixels$/,
    make: () => flat(16_000, 16_000).png({ compressionLevel: 9 }).toBuffer(),
  },
  {
    name: "largest-interlaced.png",
    refused: undefined,
    make: () => flat(10_000, 10_000).png({ progressive: true }).toBuffer(),
  },
  {
    name: "largest-progressive.jpg",
    refused: undefined,
    make: () => flat(10_000, 10_000).jpeg({ progressive: true }).toBuffer(),
  },
  {
    name: "1x65535.png",
    refused: /is 1 x 65535 pixels/,
    make: () => flat(1, 65_535).png().toBuffer(),
  },
  {
    name: "truncated.jpg",
    refused: DAMAGED,
    make: async () => (await small()).subarray(0, 2_000),
  },
  { name: "vector.svg", refused: DAMAGED, make: () => Buffer.from(SVG) },
  {
    name: "svg-behind-jpeg.jpg",
    refused: DAMAGED,
    make: () => Buffer.from(`\xff\xd8\xff${SVG}`, "latin1"),
  },
  {
    // Harmless: it is stored and served as what it is.
    name: "jpeg-before-html.jpg",
    refused: undefined,
    make: async () => Buffer.concat([await small(), Buffer.from("<script>alert(1)</script>")]),
  },
  { name: "10000-pages.tif", refused: /has 10000 pages/, make: () => tiffOfPages(10_000) },
  { name: "endless-pages.tif", refused: /pages|damaged/, make: () => tiffOfPages(3, 8) },
  {
    name: "exif-of-65535-tags.jpg",
    refused: undefined,
    make: () => withExif(exif(65_535, 3)),
  },
  {
    name: "exif-of-4-billion-values.jpg",
    refused: undefined,
    make: () => withExif(exif(20, 0xffff_ffff)),
  },
  {
    name: "exif-that-points-at-itself.jpg",
    refused: undefined,
    make: () => withExif(exif(3, 1, 8)),
  },
  {
    name: "xmp-of-nested-tags.jpg",
    refused: undefined,
    make: () => withXmp("<a:b>".repeat(10_000)),
  },
  {
    name: "xmp-of-entities.jpg",
    refused: undefined,
    make: () =>
      withXmp(
        `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>${"&b;".repeat(9_000)}`,
      ),
  },
];

/** Makes the files; yields their paths in the order of `BOMBS`. */
export async function writeBombs(dir: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { name, make } of BOMBS) {
    const path = join(dir, name);
    await writeFile(path, await make());
    paths.push(path);
  }
  return paths;
}

/** A TIFF of grey pages of 64 x 64 that share one strip; the last one leads to `lastOffset`. */
function tiffOfPages(pages: number, lastOffset = 0): Buffer {
  const side = 64;
  const entries = [
    [256, 4, side],
    [257, 4, side],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8 + pages * (2 + 9 * 12 + 4)],
    [277, 3, 1],
    [278, 4, side],
    [279, 4, side * side],
  ] as const;
  const pageBytes = 2 + entries.length * 12 + 4;
  const file = Buffer.alloc(8 + pages * pageBytes + side * side, 0x80);
  file.write("II*\0", "latin1");
  file.writeUInt32LE(8, 4);
  for (let page = 0; page < pages; page++) {
    const start = 8 + page * pageBytes;
    file.writeUInt16LE(entries.length, start);
    for (const [i, [tag, type, value]] of entries.entries()) {
      const at = start + 2 + i * 12;
      file.writeUInt16LE(tag, at);
      file.writeUInt16LE(type, at + 2);
      file.writeUInt32LE(1, at + 4);
      file.writeUInt32LE(value, at + 8);
    }
    const next = page === pages - 1 ? lastOffset : start + pageBytes;
    file.writeUInt32LE(next, start + pageBytes - 4);
  }
  return file;
}

/** A TIFF header with one directory that claims `tags` tags of `count` fractions each. */
function exif(tags: number, count: number, nextDirectory = 0): Buffer {
  const written = Math.min(tags, 4_000);
  const body = Buffer.alloc(8 + 2 + written * 12 + 4);
  body.write("II*\0", "latin1");
  body.writeUInt32LE(8, 4);
  body.writeUInt16LE(tags, 8);
  for (let i = 0; i < written; i++) {
    const at = 10 + i * 12;
    // Directories of EXIF and GPS among them, all at the start.
    body.writeUInt16LE([0x8769, 0x8825, 0x010f][i % 3] ?? 0, at);
    body.writeUInt16LE(i % 3 === 2 ? 5 : 4, at + 2);
    body.writeUInt32LE(count, at + 4);
    body.writeUInt32LE(8, at + 8);
  }
  body.writeUInt32LE(nextDirectory, body.length - 4);
  return body;
}

const withExif = (tiff: Buffer): Promise<Buffer> =>
  withSegment(Buffer.concat([Buffer.from("Exif\0\0"), tiff]));

const withXmp = (text: string): Promise<Buffer> =>
  withSegment(
    Buffer.concat([
      Buffer.from("http://ns.adobe.com/xap/1.0/\0"),
      Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>${text}</rdf:RDF></x:xmpmeta>`),
    ]),
  );

/** A small JPEG with this APP1 segment right after its start. */
async function withSegment(content: Buffer): Promise<Buffer> {
  const jpeg = await small();
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(Math.min(content.length + 2, 65_535), 4);
  return Buffer.concat([head, content.subarray(0, 65_533), jpeg.subarray(2)]);
}

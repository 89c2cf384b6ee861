import { open, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type Exifr from "exifr";
import { imageKindOf } from "../files/image-kind.ts";

/** By `require`, as `coordinates/proj4.ts` has its library and for the same reason: 20 ms in every thread. */
const exifr: typeof Exifr = createRequire(import.meta.url)("exifr");

/** Values of one group of tags by name: a directory of EXIF, or a namespace of XMP. */
export type TagGroup = Readonly<Record<string, unknown>>;
/** Groups by name: `ifd0`, `exif`, `gps`, and XMP's by their prefix, such as `drone-dji`. */
export type TagGroups = Readonly<Record<string, TagGroup | undefined>>;

const OPTIONS = {
  tiff: true,
  ifd0: {},
  ifd1: false,
  exif: {},
  gps: {},
  interop: false,
  xmp: true,
  icc: false,
  iptc: false,
  jfif: false,
  ihdr: false,
  // Cameras write XMP into further segments of a JPEG.
  multiSegment: true,
  mergeOutput: false,
  translateValues: false,
  reviveValues: false,
} as const;

/** Tags of a JPEG come before its pixels, in segments of 64 KiB at most; this holds 32 of them. */
const JPEG_HEAD_BYTES = 2 * 1024 ** 2;

/** The tags of an image file; none where they cannot be read, as editors often leave them. */
export async function readTagGroups(path: string): Promise<TagGroups> {
  return await groupsOf(() => readHead(path));
}

/** As `readTagGroups`, of a file's content. */
export async function tagGroupsOf(content: Buffer): Promise<TagGroups> {
  return await groupsOf(async () =>
    imageKindOf(content) === "jpg" ? content.subarray(0, JPEG_HEAD_BYTES) : content,
  );
}

async function groupsOf(read: () => Promise<Buffer>): Promise<TagGroups> {
  try {
    const groups: unknown = await exifr.parse(await read(), OPTIONS);
    return typeof groups === "object" && groups !== null ? (groups as TagGroups) : {};
  } catch {
    return {};
  }
}

/**
 * The part of a file that its tags are in, read once: exifr would read it piece by piece, and for
 * tags that point elsewhere again and again.
 */
async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(Math.min(size, JPEG_HEAD_BYTES));
    await file.read(head, 0, head.length, 0);
    // Of the other formats a directory may lie anywhere.
    return imageKindOf(head) === "jpg" ? head : await readFile(path);
  } finally {
    await file.close();
  }
}

/** A finite number of a tag: as a number, as text ("+12.50"), or as a fraction ("25/2"). */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (value instanceof Uint8Array) return value.length === 1 ? value[0] : undefined;
  if (typeof value !== "string") return undefined;
  const [, number, , divisor] =
    /^\s*([+-]?\d+(\.\d*)?(?:e[+-]?\d{1,2})?)(?:\/(\d+))?\s*$/i.exec(value) ?? [];
  if (number === undefined) return undefined;
  const result = Number(number) / Number(divisor ?? 1);
  return Number.isFinite(result) ? result : undefined;
}

/** The first of these tags that holds a number. */
export function firstNumber(group: TagGroup | undefined, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = numberOf(group?.[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * Longest text that is kept of a tag. Names of cameras and lenses are shorter; longer lets a hostile tag fill
 * records and reports.
 */
const MAX_TEXT = 100;

/** Text of a tag without what no name contains; `undefined` when nothing is left of it. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value)
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
    .slice(0, MAX_TEXT);
  return text === "" ? undefined : text;
}

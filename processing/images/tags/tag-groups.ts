import exifr from "exifr";

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

/** The tags of an image file; none where they cannot be read, as editors often leave them. */
export async function readTagGroups(path: string): Promise<TagGroups> {
  try {
    const groups: unknown = await exifr.parse(path, OPTIONS);
    return typeof groups === "object" && groups !== null ? (groups as TagGroups) : {};
  } catch {
    return {};
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

/** Longest text that is kept of a tag. Chosen. */
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

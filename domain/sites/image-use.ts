/** What became of an image that was sent. */
export const IMAGE_USES = [
  "used",
  /** The file could not be read. */
  "unreadable",
  "duplicate",
  "blurred",
  /** Black or white all over. */
  "one_tone",
  /** Too few of the others show the same ground. */
  "unmatched",
  /** The adjustment left it out. */
  "not_oriented",
  /** The survey was refused before the image was needed. */
  "not_reached",
] as const;

export interface ImageUse {
  /** Name for people. */
  readonly name: string;
  /** Of the file's content; `undefined`: the file could not be read. */
  readonly sha256: string | undefined;
  readonly use: (typeof IMAGE_USES)[number];
  /** Why, in words; `undefined` where it was used. */
  readonly reason: string | undefined;
}

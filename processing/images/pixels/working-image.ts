/** An image file and the size that it is worked on at. */
export interface WorkingImage {
  readonly path: string;
  /** Name for people. */
  readonly name: string;
  /** Working size. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels of the file, for the memory that decoding takes. */
  readonly filePx: number;
}

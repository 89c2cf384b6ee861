/** One image as an engine takes it: a file of this machine. */
export interface ImageFile {
  readonly path: string;
  readonly sha256: string;
  readonly name: string;
  /**
   * Key of the uploaded image that it was read from, which its sender proved by a signed address; absent: it came
   * from elsewhere, and the file store does not have it for this sender.
   */
  readonly storedKey?: string;
}

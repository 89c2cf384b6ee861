/** One image as an engine takes it: a file of this machine. */
export interface ImageFile {
  readonly path: string;
  readonly sha256: string;
  readonly name: string;
}

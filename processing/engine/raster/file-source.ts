import { DomainError } from "../../../domain/errors.ts";
import { refusedRaster } from "./refused-raster.ts";

/** Bytes of a file, wherever it is. */
export interface FileBytes {
  readonly bytes: number;
  /** `length` bytes from `offset` on; both lie inside of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

interface Slice {
  readonly offset: number;
  readonly length: number;
}

/** A file as the parser of TIFFs reads it. */
interface FileSource {
  readonly fileSize: number;
  fetchSlice(slice: Slice): Promise<Slice & { readonly data: ArrayBuffer }>;
  fetch(slices: readonly Slice[]): Promise<ArrayBufferLike[]>;
  close(): Promise<void>;
  /** What `read` threw; `undefined`: nothing. The parser reports errors of its own in its place. */
  failure(): unknown;
}

export function sourceOf(file: FileBytes): FileSource {
  let failure: unknown;
  const source: FileSource = {
    fileSize: file.bytes,
    async fetchSlice({ offset, length }) {
      // A damaged file points beyond its end, and the parser asks for more than it needs.
      const from = Math.min(Math.max(0, offset), file.bytes);
      const wanted = Math.max(0, Math.min(length, file.bytes - from));
      try {
        const data = wanted === 0 ? new Uint8Array(0) : await file.read(from, wanted);
        return { offset, length: wanted, data: Uint8Array.from(data).buffer };
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    async fetch(slices) {
      const read: ArrayBufferLike[] = [];
      for (const slice of slices) read.push((await source.fetchSlice(slice)).data);
      return read;
    },
    async close() {},
    failure: () => failure,
  };
  return source;
}

/** What the parser threw as an error of ours: it meets offsets beyond the end, and sizes beyond all memory. */
export const unreadable = (error: unknown): DomainError =>
  error instanceof DomainError ? error : refusedRaster("is damaged", error);

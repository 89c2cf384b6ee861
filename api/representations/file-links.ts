import { UPLOADED_IMAGE_MS } from "../../processing/images/files/image-limits.ts";
import type { Files } from "../../storage/open.ts";

/** Addresses of files that open without a header. */
export interface FileLinks {
  /** Of a file where it is cheapest to read: a CDN, a bucket. */
  file(key: string): Promise<string>;
  /** Of a file, or of a page that is made when it is read, at this service itself. */
  own(key: string): string;
  /**
   * Of an image that a job read from the uploads, at this service; `null` for any other (`key` is `undefined`), and once
   * the upload may be deleted.
   * @param recordedAt when the job or its result was recorded, ISO 8601: its images were uploaded before
   */
  uploadedImage(key: string | undefined, recordedAt: string): string | null;
}

/** Addresses that are good until `expiresAtMs`, ms since the Unix epoch, asked for at every use. */
export function createFileLinks(
  files: Pick<Files, "store" | "sign">,
  expiresAtMs: () => number,
  now: () => number,
): FileLinks {
  const own = (key: string) => files.sign(key, expiresAtMs());
  return {
    file: (key) => files.store.url(key, expiresAtMs()),
    own,
    uploadedImage(key, recordedAt) {
      const isKept = now() - Date.parse(recordedAt) < UPLOADED_IMAGE_MS;
      return key === undefined || !isKept ? null : own(key);
    },
  };
}

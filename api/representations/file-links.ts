import type { Files } from "../../storage/open.ts";

/** Addresses of files that open without a header. */
export interface FileLinks {
  /** Of a file where it is cheapest to read: a CDN, a bucket. */
  file(key: string): Promise<string>;
  /** Of a file, or of a page that is made when it is read, at this service itself. */
  own(key: string): string;
}

/** Addresses that are good until `expiresAtMs`, ms since the Unix epoch, asked for at every use. */
export function createFileLinks(
  files: Pick<Files, "store" | "sign">,
  expiresAtMs: () => number,
): FileLinks {
  return {
    file: (key) => files.store.url(key, expiresAtMs()),
    own: (key) => files.sign(key, expiresAtMs()),
  };
}

import { isFileKey } from "../../domain/platform/file-key.ts";
import type { FileUrlSigner } from "./signed-url.ts";

/** Addresses of files that this service serves itself, whatever store they are in. */
export interface OwnAddresses {
  /** Whether the query of an address lets its holder read the file now. */
  isSigned(key: string, query: Readonly<Record<string, unknown>>): boolean;
  /** An address of ours that lets its holder read the file until `expiresAtMs`. */
  sign(key: string, expiresAtMs: number): string;
  /**
   * The key of an address that we signed and whose signature holds now; `undefined` for all others.
   * The signature proves it, whichever name the service was reached by.
   */
  keyOf(url: string): string | undefined;
}

const PATH = /^.*?\/files\/(.+)$/;

/** `baseUrl`: where the service serves its files, without a slash at its end; asked for at every use. */
export function createOwnAddresses(
  signer: FileUrlSigner,
  baseUrl: () => string,
  now: () => number,
): OwnAddresses {
  return {
    isSigned: (key, query) => signer.isValid(key, query, now()),
    sign: (key, expiresAtMs) => `${baseUrl()}/${key}?${signer.sign(key, expiresAtMs)}`,
    keyOf(url) {
      if (!URL.canParse(url)) return undefined;
      const { pathname, searchParams } = new URL(url);
      const key = PATH.exec(pathname)?.[1] ?? "";
      if (!isFileKey(key)) return undefined;
      const query = {
        expires: searchParams.get("expires"),
        signature: searchParams.get("signature"),
      };
      return signer.isValid(key, query, now()) ? key : undefined;
    },
  };
}

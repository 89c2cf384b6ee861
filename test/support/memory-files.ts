import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createOwnAddresses } from "../../storage/files/own-addresses.ts";
import { createFileUrlSigner } from "../../storage/files/signed-url.ts";
import type { Files } from "../../storage/open.ts";
import type { FileStore, StoredFile } from "../../storage/ports/files.ts";
import { NO_QUOTA } from "../../storage/quota/quota.ts";

const BASE_URL = "https://site.test/files";

/** Files in memory, with signed addresses below https://site.test/files. */
export function openMemoryFiles(now: () => number, pepper: Uint8Array): Files {
  const contents = new Map<string, Buffer>();
  const signer = createFileUrlSigner(pepper);
  const stat = (key: string): StoredFile | undefined => {
    const content = contents.get(key);
    if (content === undefined) return undefined;
    return { key, bytes: content.length, etag: String(content.length), modifiedAtMs: 0 };
  };
  const store: FileStore = {
    async put(key, content) {
      contents.set(key, content instanceof Readable ? await buffer(content) : Buffer.from(content));
      return stat(key) as StoredFile;
    },
    stat: async (key) => stat(key),
    async get(key, range) {
      const file = stat(key);
      if (file === undefined) return undefined;
      const { first, last } = range ?? { first: 0, last: file.bytes - 1 };
      return { file, body: Readable.from([contents.get(key)?.subarray(first, last + 1)]) };
    },
    async delete(key) {
      contents.delete(key);
    },
    async *list(prefix) {
      for (const key of [...contents.keys()].toSorted()) {
        const file = key.startsWith(prefix) ? stat(key) : undefined;
        if (file !== undefined) yield file;
      }
    },
    url: async (key, expiresAtMs) => `${BASE_URL}/${key}?${signer.sign(key, expiresAtMs)}`,
    async close() {},
  };
  return { quota: NO_QUOTA, store, ...createOwnAddresses(signer, () => BASE_URL, now) };
}

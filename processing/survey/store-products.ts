import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { FileStore } from "../../storage/ports/files.ts";

/** A file to store: one of this machine by its path, or bytes with a name. */
export type Product = string | { readonly name: string; readonly bytes: Uint8Array };

/**
 * Puts the products of a job into a folder of the file store: all of them, or none stays. What is
 * `undefined` is left out. Yields the keys.
 * @throws what `signal` fires with; DomainError `STORE_UNAVAILABLE`.
 */
export async function storeProducts<
  Products extends { readonly [Name in keyof Products]?: Product | undefined },
>(
  store: FileStore,
  folder: string,
  products: Products,
  signal: AbortSignal,
): Promise<{ readonly [Name in keyof Products]: string | Extract<Products[Name], undefined> }> {
  const keys: Record<string, string> = {};
  try {
    for (const [name, product] of Object.entries<Product | undefined>(products)) {
      if (product === undefined) continue;
      signal.throwIfAborted();
      const key = `${folder}/${typeof product === "string" ? basename(product) : product.name}`;
      keys[name] = key;
      await store.put(key, typeof product === "string" ? createReadStream(product) : product.bytes);
    }
  } catch (error) {
    for (const key of Object.values(keys)) await store.delete(key).catch(() => undefined);
    throw error;
  }
  // Every name whose product there is has a key.
  return keys as Awaited<ReturnType<typeof storeProducts<Products>>>;
}

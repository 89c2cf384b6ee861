import { createReadStream } from "node:fs";
import { basename } from "node:path";
import {
  exportsAmong,
  SURVEY_EXPORTS,
  type SurveyExports,
} from "../../domain/sites/survey-exports.ts";
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

/**
 * The same with the files for other programs beside them: all of both, or none stays.
 * @throws what {@link storeProducts} throws
 */
export async function storeWithExports<
  Products extends { readonly [Name in keyof Products]?: Product | undefined },
>(
  store: FileStore,
  folder: string,
  products: Products,
  exports: SurveyExports,
  signal: AbortSignal,
): Promise<{
  readonly keys: Awaited<ReturnType<typeof storeProducts<Products>>>;
  readonly exports: SurveyExports;
}> {
  const stored: Record<string, string | undefined> = await storeProducts<
    Readonly<Record<string, Product | undefined>>
  >(store, folder, { ...products, ...exports }, signal);
  const isExport = (name: string) => SURVEY_EXPORTS.some((one) => one === name);
  const keys = Object.fromEntries(Object.entries(stored).filter(([name]) => !isExport(name)));
  return {
    // Names of products and of exports differ, so every product that is there has its key.
    keys: keys as Awaited<ReturnType<typeof storeProducts<Products>>>,
    exports: exportsAmong(stored),
  };
}

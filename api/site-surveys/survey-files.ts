import { buffer } from "node:stream/consumers";
import { DomainError } from "../../domain/errors.ts";
import { readSurveyRaster, type SurveyRaster } from "../../processing/map-tiles/survey-raster.ts";
import type { FileStore } from "../../storage/ports/files.ts";

/** A stored product, opened to be read in parts. */
export interface OpenedRaster {
  readonly key: string;
  readonly raster: SurveyRaster;
  /** Bytes of it. @throws DomainError `IMAGE_REFUSED` where it was removed meanwhile; `STORE_UNAVAILABLE` */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/**
 * Opens a product by its head.
 * @returns `undefined` where there is none, or one that maps cannot be made of
 * @throws DomainError `STORE_UNAVAILABLE`
 */
export async function openRaster(
  store: Pick<FileStore, "stat" | "get">,
  key: string,
): Promise<OpenedRaster | undefined> {
  const stored = await store.stat(key);
  if (stored === undefined) return undefined;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const opened = await store.get(key, { first: offset, last: offset + length - 1 });
    if (opened === undefined) throw new DomainError("IMAGE_REFUSED", "the raster was removed");
    return await buffer(opened.body);
  };
  try {
    return { key, raster: await readSurveyRaster({ bytes: stored.bytes, read }), read };
  } catch (error) {
    if (error instanceof DomainError && error.code === "IMAGE_REFUSED") return undefined;
    throw error;
  }
}

/** A product that cannot be read is damage of ours, not a mistake of who asks for it. @throws DomainError `STORE_DAMAGED`; else as `work` */
export async function unlessDamaged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "IMAGE_REFUSED") throw error;
    throw new DomainError("STORE_DAMAGED", error.message, { cause: error });
  }
}

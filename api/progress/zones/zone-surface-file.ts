import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { DomainError } from "../../../domain/errors.ts";
import type { HeightUnit } from "../../../domain/geometry/vertical-datum.ts";
import { randomBase62 } from "../../../domain/ids.ts";
import {
  type WorkZone,
  type ZoneSurface,
  type ZoneSurfaceName,
  zoneFolder,
} from "../../../domain/sites/work-zone.ts";
import { readSurfaceHead } from "../../../processing/engine/raster/surface-extent.ts";
import {
  type LandXmlOptions,
  readLandXml,
} from "../../../processing/progress/landxml/read-landxml.ts";
import { writeTin } from "../../../processing/progress/landxml/tin-file.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import { Refusal } from "../../errors/refusal.ts";
import { requireNear, tinExtent } from "./zone-surface-place.ts";

/** Largest file of a surface, bytes: as of images, which GeoTIFFs are uploaded as. */
export const MAX_SURFACE_BYTES = 50 * 1024 ** 2;
const ASSUMED_METRES =
  "The surface does not state the unit of its heights: metres are assumed. Give it again with surface_height_unit if they are feet.";
/** First bytes of a TIFF and of nothing else: byte order, and 42 or (BigTIFF) 43 in it. */
const TIFF_MAGICS = ["49492a00", "4d4d002a", "49492b00", "4d4d002b"];
const MAGIC_BYTES = 4;

export type SurfaceStore = Pick<FileStore, "stat" | "get" | "put" | "delete">;

/** A surface in the zone's own files, and what is to be known of it. */
export interface KeptSurface {
  readonly surface: ZoneSurface;
  readonly warnings: readonly string[];
}

/**
 * Takes a GeoTIFF or LandXML, recognised by its first bytes, into the zone's files. Nothing stays of one that
 * is refused.
 * @throws DomainError `SURFACE_INVALID`, `FILE_TOO_LARGE`, `STORE_UNAVAILABLE`; Refusal when it is cut off.
 */
export async function keepSurfaceFile(
  body: Readable,
  zone: Pick<WorkZone, "id" | "polygon">,
  name: ZoneSurfaceName,
  { heightUnit, ...options }: LandXmlOptions & { readonly heightUnit?: HeightUnit | undefined },
  store: SurfaceStore,
): Promise<KeptSurface> {
  const chunks = limited(body);
  try {
    const { isTiff, content } = await sniffed(chunks);
    const stem = `${zoneFolder(zone.id)}${name}/${randomBase62(16)}`;
    if (!isTiff) {
      if (heightUnit !== undefined) {
        throw invalid("is LandXML, which names its unit: ?surface_height_unit= is for GeoTIFFs");
      }
      return await keepLandXml(content, zone, `${stem}.tin`, options, store);
    }
    if (options.surface !== undefined || options.epsg !== undefined) {
      throw invalid("is a GeoTIFF: ?surface= and ?epsg= are for LandXML");
    }
    return await keepRaster(Readable.from(content), zone, `${stem}.tif`, heightUnit, store);
  } finally {
    // The rest of a refused body is read by another reader, who has to be the only one.
    await chunks.return(undefined);
  }
}

async function keepLandXml(
  content: AsyncIterable<Buffer>,
  { polygon }: Pick<WorkZone, "polygon">,
  surface_key: string,
  options: LandXmlOptions,
  store: SurfaceStore,
): Promise<KeptSurface> {
  const { tin, warnings } = await readLandXml(content, options);
  requireNear(tinExtent(tin), polygon);
  await store.put(surface_key, writeTin(tin));
  return { surface: { kind: "tin", surface_key }, warnings };
}

/**
 * Stores a GeoTIFF under a key of the zone, which is new or has the same content, and checks that it lies
 * where the zone is.
 * @throws DomainError `SURFACE_INVALID`, `STORE_UNAVAILABLE`; what `content` throws.
 */
export async function keepRaster(
  content: Readable,
  zone: Pick<WorkZone, "polygon">,
  surface_key: string,
  heightUnit: HeightUnit | undefined,
  store: SurfaceStore,
): Promise<KeptSurface> {
  const known = await store.stat(surface_key);
  if (known !== undefined) content.destroy();
  else await store.put(surface_key, content);
  try {
    return await checkedRaster(zone, surface_key, heightUnit, store);
  } catch (error) {
    if (known === undefined) await store.delete(surface_key);
    throw error;
  }
}

/**
 * A stored GeoTIFF as a surface, if it lies where the zone is.
 * @param heightUnit the unit of heights that its provider states
 * @throws DomainError `SURFACE_INVALID`, `STORE_UNAVAILABLE`
 */
export async function checkedRaster(
  { polygon }: Pick<WorkZone, "polygon">,
  surface_key: string,
  heightUnit: HeightUnit | undefined,
  store: Pick<SurfaceStore, "stat" | "get">,
): Promise<KeptSurface> {
  const { bytes } = (await store.stat(surface_key)) ?? { bytes: 0 };
  try {
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      const opened = await store.get(surface_key, { first: offset, last: offset + length - 1 });
      if (opened === undefined) throw invalid("was removed meanwhile");
      return await buffer(opened.body);
    };
    const { extent, isUnitStated } = await readSurfaceHead({ bytes, read }, heightUnit);
    requireNear(extent, polygon);
    const unit = heightUnit === undefined ? {} : { height_unit: heightUnit };
    return {
      surface: { kind: "raster", surface_key, ...unit },
      warnings: isUnitStated ? [] : [ASSUMED_METRES],
    };
  } catch (error) {
    if (error instanceof DomainError && error.code === "IMAGE_REFUSED") {
      throw new DomainError("SURFACE_INVALID", `The surface cannot be used: ${error.message}`);
    }
    throw error;
  }
}

/** Whether chunks begin as a TIFF, and all of them. */
async function sniffed(chunks: AsyncGenerator<Buffer, undefined>) {
  const head: Buffer[] = [];
  let bytes = 0;
  while (bytes < MAGIC_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    head.push(next.value);
    bytes += next.value.length;
  }
  const magic = Buffer.concat(head).subarray(0, MAGIC_BYTES).toString("hex");
  async function* content(): AsyncGenerator<Buffer> {
    yield* head;
    yield* chunks;
  }
  return { isTiff: TIFF_MAGICS.includes(magic), content: content() };
}

async function* limited(body: Readable): AsyncGenerator<Buffer, undefined> {
  let bytes = 0;
  try {
    // A request that is destroyed takes its socket along, and the client would not read why.
    const chunks: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MAX_SURFACE_BYTES) {
        const most = MAX_SURFACE_BYTES / 1024 ** 2;
        throw new DomainError("FILE_TOO_LARGE", `A surface has at most ${most} MiB`);
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new Refusal(400, "invalid_request", "The body was cut off");
  }
  return undefined;
}

const invalid = (problem: string): DomainError =>
  new DomainError("SURFACE_INVALID", `The surface ${problem}`);

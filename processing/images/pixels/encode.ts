import type { Picture } from "../../pictures/picture.ts";
import { sharp } from "./sharp.ts";

/**
 * Longer edge of a PNG at most, pixels: pictures of large surfaces are made smaller. More is slower to load and
 * takes more memory, fewer shows less of large surfaces.
 */
const MAX_PNG_PX = 2_048;
/** Quality of JPEGs, 1 to 100: at 85 no blocks show on gravel; higher only makes larger files. */
const JPEG_QUALITY = 85;

/** A picture as JPEG; transparency is lost. For tasks only. The same pixels give the same bytes. */
export async function encodeJpeg({ width, height, rgba }: Picture): Promise<Uint8Array> {
  const pixels = sharp(unshared(rgba), { raw: { width, height, channels: 4 } });
  return await pixels.removeAlpha().jpeg({ quality: JPEG_QUALITY }).toBuffer();
}

/** A picture as PNG. For tasks only. The same pixels give the same bytes. */
export async function encodePng({ width, height, rgba }: Picture): Promise<Uint8Array> {
  return await sharp(unshared(rgba), { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .resize({ width: MAX_PNG_PX, height: MAX_PNG_PX, fit: "inside", withoutEnlargement: true })
    .png()
    .toBuffer();
}

/**
 * Qualities of small pictures, 1 to 100, from the first that fits. More steps come nearer to the size that is
 * allowed, and encode more often.
 */
const SMALL_QUALITIES = [70, 35, 15];

/**
 * A picture as WebP of at most `edgePx` along its longer edge and about `mostBytes`: at the best quality that
 * fits, or the lowest. For tasks only. The same pixels give the same bytes.
 */
export async function encodeSmall(
  { width, height, rgba }: Picture,
  { edgePx, mostBytes }: { readonly edgePx: number; readonly mostBytes: number },
): Promise<Uint8Array> {
  const small = await sharp(unshared(rgba), { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .resize({ width: edgePx, height: edgePx, fit: "inside", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { info, data } = small;
  const raw = { width: info.width, height: info.height, channels: info.channels };
  let bytes = new Uint8Array();
  for (const quality of SMALL_QUALITIES) {
    bytes = await sharp(data, { raw }).webp({ quality, effort: 1 }).toBuffer();
    if (bytes.length <= mostBytes) break;
  }
  return bytes;
}

/** sharp takes no shared memory. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
}

import sharp, { type Sharp } from "sharp";
import { MAX_PIXELS, READ_MS } from "./image-limits.ts";

// The formats that are taken, and no other of the many that libvips reads: not SVG, PDF or GIF.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Tiff", "Webp"].flatMap((format) => [
    `VipsForeignLoad${format}File`,
    `VipsForeignLoad${format}Buffer`,
  ]),
});
// One image is read once, and the pool's threads are all the parallelism there is.
sharp.cache(false);
sharp.concurrency(1);

/**
 * An image file behind limits: pixels, one page, whole, in so much time. Its pixels come in stored
 * order; EXIF Orientation is never applied. For tasks only: it works in threads of the pool's size.
 */
export function openImage(path: string): Sharp {
  return sharp(path, {
    limitInputPixels: MAX_PIXELS,
    failOn: "error",
    pages: 1,
    autoOrient: false,
    sequentialRead: true,
  }).timeout({ seconds: READ_MS / 1_000 });
}

/** Grey levels, row-major from the top left, one byte per pixel. */
export interface GreyImage {
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** The luminance of an image whose longer edge becomes `longerEdgePx`; smaller images stay as they are. */
export async function decodeGrey(path: string, longerEdgePx: number): Promise<GreyImage> {
  const { data, info } = await openImage(path)
    .resize({ width: longerEdgePx, height: longerEdgePx, fit: "inside", withoutEnlargement: true })
    .flatten()
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8Array(info.width * info.height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = data[i * info.channels] ?? 0;
  return { pixels, width: info.width, height: info.height };
}

import { readFile } from "node:fs/promises";
import type { Sharp } from "sharp";
import { DomainError } from "../../../domain/errors.ts";
import type { Picture } from "../../pictures/picture.ts";
import { MAX_PIXELS, READ_MS } from "../files/image-limits.ts";
import { closeLoaders } from "./close-loaders.ts";
import { limitThreads } from "./limit-threads.ts";
import { sharp } from "./sharp.ts";
import { withoutMetadata } from "./without-metadata.ts";
import type { WorkingImage } from "./working-image.ts";

closeLoaders();
limitThreads();

/**
 * An image file behind limits: pixels, one page, whole, in so much time, without its tags. Its pixels come in stored
 * order; EXIF Orientation is never applied. For tasks only: it works in threads of the pool's size.
 */
export async function openImage(path: string): Promise<Sharp> {
  return openImageBytes(await readFile(path));
}

/** As `openImage`, of a file's content. */
export function openImageBytes(content: Buffer): Sharp {
  return sharp(withoutMetadata(content), {
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
  const image = await openImage(path);
  const { data, info } = await image
    .resize({ width: longerEdgePx, height: longerEdgePx, fit: "inside", withoutEnlargement: true })
    .flatten()
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels === 1) {
    return { pixels: new Uint8Array(data.buffer, data.byteOffset, data.length), width, height };
  }
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = data[i * channels] ?? 0;
  return { pixels, width, height };
}

/**
 * The pixels of an image at exactly its working size: luminance, one byte a pixel, or red, green, blue.
 * @throws DomainError `IMAGE_REFUSED` when the file does not decode, as it did when it was read.
 */
export async function decodePixels(
  { path, name, widthPx, heightPx }: WorkingImage,
  kind: "grey" | "colour",
): Promise<Uint8Array> {
  const channels = kind === "grey" ? 1 : 3;
  const image = await openImage(path);
  const { data, info } = await image
    .resize({ width: widthPx, height: heightPx, fit: "fill" })
    .flatten()
    .toColourspace(kind === "grey" ? "b-w" : "srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new DomainError("IMAGE_REFUSED", `${name} cannot be decoded any more`, { cause });
    });
  if (info.channels === channels) return new Uint8Array(data.buffer, data.byteOffset, data.length);
  const pixels = new Uint8Array(widthPx * heightPx * channels);
  for (let i = 0; i < pixels.length; i++) {
    const channel = Math.min(i % channels, info.channels - 1);
    pixels[i] = data[Math.floor(i / channels) * info.channels + channel] ?? 0;
  }
  return pixels;
}

/**
 * The luminance of red, green and blue, as {@link decodePixels} has it: of an image of more than 8 bits it may be off
 * by 2 of 255, because its colours are rounded first. For tasks only.
 */
export async function luminanceOf(
  rgb: Uint8Array,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const data = await sharp(rgb as Uint8Array<ArrayBuffer>, { raw: { width, height, channels: 3 } })
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer();
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}

/** Longer edge that pictures of our own are decoded to, pixels: that of an orthophoto's preview. */
const PICTURE_PX = 2_048;

/** A picture that this program made and stored, JPEG or PNG. For tasks only. */
export async function decodePicture(bytes: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(bytes as Uint8Array<ArrayBuffer>, {
    limitInputPixels: MAX_PIXELS,
    failOn: "error",
    sequentialRead: true,
  })
    .resize({ width: PICTURE_PX, height: PICTURE_PX, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: new Uint8Array(data) };
}

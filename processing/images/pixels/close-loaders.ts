import { sharp } from "./sharp.ts";

/**
 * Loaders of libvips for everything but JPEG, PNG, TIFF and WebP, by the names of their classes; those that a
 * build does not have are ignored.
 */
const CLOSED = [
  "Analyze",
  "Csv",
  "Dcraw",
  "Fits",
  "Heif",
  "Jp2k",
  "Jxl",
  "Magick",
  "Magick7",
  "Mat",
  "Matrix",
  "Nifti",
  "Nsgif",
  "Openexr",
  "Openslide",
  "Pdf",
  "Ppm",
  "Rad",
  "Raw",
  "Svg",
  "Uhdr",
  "Vips",
].map((name) => `VipsForeignLoad${name}`);

/**
 * Closes every format of images that is not taken. One by one, and not all of them with four opened again:
 * what is closed holds for the process, and a thread that starts would refuse the image that another one is
 * opening in between.
 */
export function closeLoaders(): void {
  sharp.block({ operation: CLOSED });
}

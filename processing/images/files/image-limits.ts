import { DAY_MS, WEEK_MS } from "../../../domain/time.ts";

/** Largest image file, bytes (docs/rules.md#images). */
export const MAX_IMAGE_BYTES = 50 * 1024 ** 2;
/** Largest set of images, bytes: 600 photographs of 20 megapixels, 10 MB each. */
export const MAX_SET_BYTES = 6 * 1024 ** 3;
/** Most pixels of one image (docs/rules.md#images); survey cameras of today have up to 61 million. */
export const MAX_PIXELS = 100_000_000;
/**
 * Least length of either side, pixels: nothing can be measured on less, and more would refuse pictures of
 * which something can.
 */
export const MIN_SIDE_PX = 64;
/** Longest time to read one image, ms (docs/rules.md#images). */
export const READ_MS = 20_000;
/**
 * Memory that reading one image takes, bytes: a progressive JPEG or an interlaced PNG of `MAX_PIXELS`
 * is held whole. Measured: 305 MiB for an interlaced RGB PNG of 10,000 x 10,000 (image-bombs.test.ts).
 */
export const READ_BYTES = 400 * 1024 ** 2;

/**
 * How long an address of an uploaded image leads to it, ms: from the flight to the office. Longer keeps more
 * on the disk, shorter loses uploads that wait over a weekend.
 */
export const UPLOADED_IMAGE_MS = WEEK_MS;
/**
 * An image that was stored longer ago is stored anew when it is uploaded again, ms: its age then shows that
 * no address leads to it any more.
 */
export const RESTORE_AFTER_MS = DAY_MS;

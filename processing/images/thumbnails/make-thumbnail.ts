import { DomainError } from "../../../domain/errors.ts";
import { openImageBytes } from "../pixels/decode.ts";
import { sharp } from "../pixels/sharp.ts";
import { uprightTurn } from "../pixels/upright-turn.ts";
import { firstNumber, tagGroupsOf } from "../tags/tag-groups.ts";
import type { ThumbnailInput } from "./tasks.ts";

/**
 * Quality of thumbnails, 1 to 100: 4 to 10 kB at 320 pixels. Higher fills the cache and the phone's data plan, lower
 * smears gravel.
 */
const QUALITY = 75;
/** How high a thumbnail may be, in its widths: a strip of 64 x 1,500,000 pixels is one image too. */
const MOST_WIDTHS_HIGH = 2;

/**
 * An image file as people see it (EXIF Orientation is applied), at most so many pixels wide and twice as high, never
 * enlarged, as WebP without tags. For tasks only. The same bytes give the same bytes.
 * @throws DomainError `IMAGE_REFUSED` where the file does not decode: damaged, too many pixels, not an image
 */
export async function makeThumbnail({ content, widthPx }: ThumbnailInput): Promise<Uint8Array> {
  // Neither the decoder nor the reader of tags takes shared memory.
  const file = Buffer.from(content);
  const { ifd0 } = await tagGroupsOf(file);
  const { degrees, isMirrored } = uprightTurn(firstNumber(ifd0, "Orientation") ?? 1);
  const heightPx = widthPx * MOST_WIDTHS_HIGH;
  const isOnItsSide = degrees === 90 || degrees === 270;
  try {
    const { data, info } = await openImageBytes(file)
      .resize({
        width: isOnItsSide ? heightPx : widthPx,
        height: isOnItsSide ? widthPx : heightPx,
        fit: "inside",
        withoutEnlargement: true,
      })
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const stored = sharp(data, { raw: { width, height, channels } });
    const small = isMirrored ? sharp(await stored.flop().png().toBuffer()) : stored;
    return await small.rotate(degrees).webp({ quality: QUALITY, effort: 2 }).toBuffer();
  } catch (cause) {
    const message = "is damaged, too large or no image, and cannot be shown small";
    throw new DomainError("IMAGE_REFUSED", message, { cause });
  }
}

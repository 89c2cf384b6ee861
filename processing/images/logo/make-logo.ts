import { DomainError } from "../../../domain/errors.ts";
import { imageKindOf } from "../files/image-kind.ts";
import { openImageBytes } from "../pixels/decode.ts";
import { uprightTurn } from "../pixels/upright-turn.ts";
import { firstNumber, tagGroupsOf } from "../tags/tag-groups.ts";
import { LOGO_BOX_PX, MAX_LOGO_SIDE_PX } from "./logo-limits.ts";
import type { LogoInput, MadeLogo } from "./tasks.ts";

/**
 * An image file as a logo: upright, at most `LOGO_BOX_PX` and never enlarged, on white as paper is, written anew as PNG. What
 * the file had beside its pixels is not kept. For tasks only.
 * @throws DomainError `IMAGE_REFUSED` for what is not PNG, JPEG or WebP, is too large, or does not decode
 */
export async function makeLogo({ content }: LogoInput): Promise<MadeLogo> {
  const file = Buffer.from(content);
  const kind = imageKindOf(file);
  if (kind === undefined || kind === "tif") {
    throw refused("is not a PNG, JPEG or WebP file (SVG is refused: it can run and fetch things)");
  }
  try {
    const { width, height } = await openImageBytes(file).metadata();
    if (width > MAX_LOGO_SIDE_PX || height > MAX_LOGO_SIDE_PX) {
      throw refused(`has ${width} x ${height} pixels; either side may have ${MAX_LOGO_SIDE_PX}`);
    }
    const { ifd0 } = await tagGroupsOf(file);
    const { degrees, isMirrored } = uprightTurn(firstNumber(ifd0, "Orientation") ?? 1);
    const stored = openImageBytes(file).flatten({ background: "#ffffff" }).toColourspace("srgb");
    const seen = isMirrored ? openImageBytes(await stored.flop().png().toBuffer()) : stored;
    const upright = await seen.rotate(degrees).png().toBuffer();
    const { data, info } = await openImageBytes(upright)
      .resize({ ...LOGO_BOX_PX, fit: "inside", withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true });
    return { png: new Uint8Array(data), widthPx: info.width, heightPx: info.height };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError("IMAGE_REFUSED", "is damaged and cannot be decoded", { cause });
  }
}

const refused = (problem: string) => new DomainError("IMAGE_REFUSED", problem);

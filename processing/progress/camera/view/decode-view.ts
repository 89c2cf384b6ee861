import { DomainError } from "../../../../domain/errors.ts";
import { openImage } from "../../../images/pixels/decode.ts";
import { sharp } from "../../../images/pixels/sharp.ts";
import { uprightTurn } from "../../../images/pixels/upright-turn.ts";
import type { ViewPixels } from "./view-frame.ts";

/** An image file, and how its camera was held. */
export interface ViewFile {
  readonly path: string;
  /** Name for people. */
  readonly name: string;
  /** EXIF Orientation, 1 to 8: zones are outlined in the picture as people see it. */
  readonly orientation: number;
}

/** Longer edge that views are worked on and kept at, pixels. */
const VIEW_EDGE_PX = 1_280;
/**
 * Quality of the JPEGs that are kept, 1 to 100: 100 to 250 kB each. Higher fills the store, lower shows blocks as
 * edges.
 */
const JPEG_QUALITY = 80;

/**
 * The pixels of an image as people see it, and the same as a JPEG without tags. For tasks only.
 * @throws DomainError `IMAGE_REFUSED` when the file does not decode, as it did when it was read.
 */
export async function decodeView({
  path,
  name,
  orientation,
}: ViewFile): Promise<{ readonly pixels: ViewPixels; readonly jpeg: Uint8Array }> {
  try {
    const small = await (await openImage(path))
      .resize({
        width: VIEW_EDGE_PX,
        height: VIEW_EDGE_PX,
        fit: "inside",
        withoutEnlargement: true,
      })
      .flatten()
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const { data, info } = small;
    const { degrees, isMirrored } = uprightTurn(orientation);
    const stored = {
      width: info.width,
      height: info.height,
      rgb: threeChannels(data, info.channels),
    };
    const pixels = turned(isMirrored ? mirrored(stored) : stored, degrees);
    return { pixels, jpeg: await viewJpeg(pixels) };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError("IMAGE_REFUSED", `${name} cannot be decoded any more`, { cause });
  }
}

/** For tasks only. The same pixels give the same bytes. */
async function viewJpeg({ width, height, rgb }: ViewPixels): Promise<Uint8Array> {
  const raw = { width, height, channels: 3 } as const;
  return await sharp(rgb, { raw }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
}

function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return new Uint8Array(data);
  const rgb = new Uint8Array((data.length / channels) * 3);
  for (let i = 0; i < rgb.length; i++) {
    rgb[i] = data[Math.floor(i / 3) * channels + Math.min(i % 3, channels - 1)] ?? 0;
  }
  return rgb;
}

function mirrored(pixels: ViewPixels): ViewPixels {
  return moved(pixels, pixels.width, pixels.height, (x, y) => [pixels.width - 1 - x, y]);
}

function turned(pixels: ViewPixels, degrees: number): ViewPixels {
  const { width, height } = pixels;
  if (degrees === 90) return moved(pixels, height, width, (x, y) => [y, height - 1 - x]);
  if (degrees === 180) {
    return moved(pixels, width, height, (x, y) => [width - 1 - x, height - 1 - y]);
  }
  if (degrees === 270) return moved(pixels, height, width, (x, y) => [width - 1 - y, x]);
  return pixels;
}

function moved(
  source: ViewPixels,
  width: number,
  height: number,
  from: (x: number, y: number) => readonly [x: number, y: number],
): ViewPixels {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = from(x, y);
      const at = (v * source.width + u) * 3;
      rgb.set(source.rgb.subarray(at, at + 3), (y * width + x) * 3);
    }
  }
  return { width, height, rgb };
}

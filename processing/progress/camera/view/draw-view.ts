import type { ImagePoint } from "../../../../domain/sites/site-camera.ts";
import { encodeJpeg } from "../../../images/pixels/encode.ts";
import { sharp } from "../../../images/pixels/sharp.ts";
import type { Picture } from "../../../pictures/picture.ts";
import { strokeRing } from "../../../pictures/strokes.ts";
import { type FrameMap, mapPoint } from "./frame-map.ts";
import { FRAME } from "./view-frame.ts";

export interface DrawViewInput {
  /** As `ReadView.jpeg`. */
  readonly jpeg: Uint8Array;
  readonly map: FrameMap;
  /** In the reference view. */
  readonly outlines: readonly (readonly ImagePoint[])[];
}

/** Colours of outlines, which must be seen on concrete and on grass: signal yellow edged in black. */
const INNER = [255, 214, 0] as const;
const OUTER = [0, 0, 0] as const;

/** A view with the outlines of its zones where it shows them, as JPEG. For tasks. */
export async function drawView({ jpeg, map, outlines }: DrawViewInput): Promise<Uint8Array> {
  const { data, info } = await sharp(jpeg)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture: Picture = { width: info.width, height: info.height, rgba: new Uint8Array(data) };
  for (const outline of outlines) {
    const ring = outline.map(([x, y]): [number, number] => {
      const [u, v] = mapPoint(map, x * FRAME.width, y * FRAME.height);
      return [(u / FRAME.width) * info.width, (v / FRAME.height) * info.height];
    });
    const widthPx = Math.max(2, Math.round(info.width / 400));
    strokeRing(picture, ring, { widthPx: widthPx + 2, colour: OUTER });
    strokeRing(picture, ring, { widthPx, colour: INNER });
  }
  return await encodeJpeg(picture);
}

import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import type { ImageTags } from "./files/metadata.ts";
import { type RenderInput, renderImage, type TrueMark } from "./render/render-image.ts";
import { type PaintInput, paintRows } from "./scene/ground-paint.ts";
import { fillBand, type Texture, type TextureInput } from "./scene/texture.ts";

/** Worker entries of the simulator. They hold no logic: what they call is pure but for its outputs. */

// Threads of the pool are the parallelism; libvips' own would only be in their way.
sharp.concurrency(1);
sharp.cache(false);

export function paint(task: {
  readonly input: PaintInput;
  readonly firstRow: number;
  readonly endRow: number;
}): void {
  paintRows(task.input, task.firstRow, task.endRow);
}

export function fill(task: {
  readonly texture: Texture;
  readonly input: TextureInput;
  readonly band: number;
}): void {
  fillBand(task.texture, task.input, task.band);
}

export interface WriteImageTask {
  readonly input: RenderInput;
  readonly tags: ImageTags | undefined;
  readonly jpegQuality: number;
  readonly path: string;
}

/** Renders an image and writes it; returns the marks of the targets that it shows. */
export async function image(task: WriteImageTask): Promise<readonly TrueMark[]> {
  const { widthPx, heightPx, pixels, marks } = renderImage(task.input);
  let jpeg = sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } });
  if (task.tags !== undefined) {
    // The tag alone: pixels stay as they are. sharp takes it from here and overrides EXIF's.
    jpeg = jpeg.withMetadata({ orientation: task.tags.orientation }).withExif(task.tags.exif);
    if (task.tags.xmp !== undefined) jpeg = jpeg.withXmp(task.tags.xmp);
  }
  const bytes = await jpeg
    .jpeg({ quality: task.jpegQuality, chromaSubsampling: "4:2:0" })
    .toBuffer();
  await writeFile(task.path, bytes);
  return marks;
}

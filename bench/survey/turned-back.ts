import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";

/** High enough that a second compression moves keypoints by hundredths of a pixel. */
const JPEG_QUALITY = 97;

/**
 * A folder in `data` with the same images, of which these are turned by 180 degrees: a program that takes one lens for
 * all of them needs them as the camera took them.
 */
export async function turnedBack(
  images: string,
  turned: readonly string[],
  data: string,
): Promise<string> {
  const folder = join(data, "turned-back");
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(images)) {
    const [from, to] = [join(images, name), join(folder, name)];
    if (!turned.includes(name)) await copyFile(from, to);
    else {
      await sharp(from).rotate(180).keepMetadata().jpeg({ quality: JPEG_QUALITY }).toFile(to);
    }
  }
  return folder;
}

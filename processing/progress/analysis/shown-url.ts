import type { CaptureImage } from "../../../domain/sites/capture.ts";
import { isDataUrl } from "../../images/data-url.ts";
import type { ImageFile } from "../../images/files/image-file.ts";

/** Characters of a `data:` URL that are shown: enough for its media type. */
const MOST_DATA = 40;

/** An entry of `images` as it may be shown: without what signs an address, and without the bytes of data. */
export function shownUrl(entry: string): string {
  if (!isDataUrl(entry)) return entry.split(/[?#]/, 1)[0] ?? "";
  return entry.split(",", 1)[0]?.slice(0, MOST_DATA) ?? "";
}

/** Which uploaded image it was; nothing where it came from elsewhere. */
export function storedAs({ storedKey }: ImageFile): Pick<CaptureImage, "stored_key"> {
  return storedKey === undefined ? {} : { stored_key: storedKey };
}

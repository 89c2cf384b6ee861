import { isDataUrl } from "../../images/data-url.ts";

/** Characters of a `data:` URL that are shown: enough for its media type. */
const MOST_DATA = 40;

/** An entry of `images` as it may be shown: without what signs an address, and without the bytes of data. */
export function shownUrl(entry: string): string {
  if (!isDataUrl(entry)) return entry.split(/[?#]/, 1)[0] ?? "";
  return entry.split(",", 1)[0]?.slice(0, MOST_DATA) ?? "";
}

/** One part of a key: no leading dot, so that neither `..` nor a hidden file can be named. */
const PART = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}";
const KEY = new RegExp(`^${PART}(?:/${PART})*$`);
const MAX_KEY_LENGTH = 512;

/**
 * Content types by the ending of a key. Nothing that a browser would run: no HTML, no SVG, no script,
 * whatever somebody uploads.
 */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv; charset=utf-8",
  dxf: "image/vnd.dxf",
  geojson: "application/geo+json",
  glb: "model/gltf-binary",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  las: "application/vnd.las",
  laz: "application/vnd.laszip",
  pdf: "application/pdf",
  png: "image/png",
  tif: "image/tiff",
  tiff: "image/tiff",
  txt: "text/plain; charset=utf-8",
  webp: "image/webp",
  zip: "application/zip",
};

/** Whether text is a file's key: parts of letters, digits, `.`, `_` and `-`, joined by slashes. */
export function isFileKey(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH && KEY.test(text);
}

/** What a file of that key is served as; anything unknown is bytes. */
export function contentTypeOf(key: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(key)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(CONTENT_TYPES, ending)
    ? (CONTENT_TYPES[ending] ?? "")
    : "application/octet-stream";
}

/** Keys below `public/` are served to everybody; all others only by signed addresses. */
export function isPublicFile(key: string): boolean {
  return key.startsWith("public/");
}

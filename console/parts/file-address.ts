/**
 * Address of a file as this page may load it. The service signs addresses with the name that others reach it by, and
 * the policy of this page lets in only its own origin; the signature is of the path alone. Of a bucket or CDN: as it is.
 */
export function fileAddress(address: string): string {
  return ownPath(address) ?? address;
}

/**
 * The same of an image, at most so many pixels wide. A bucket or CDN has it in one size, and its signature is of the
 * whole address.
 */
export function pictureAddress(address: string, widthPx: 160 | 320 | 640 | 1280): string {
  const path = ownPath(address);
  return path === undefined ? address : `${path}&w=${widthPx}`;
}

/** Path and query of a file that this service signed. */
function ownPath(address: string): string | undefined {
  const { pathname, search, searchParams } = new URL(address, location.origin);
  const isOwn = searchParams.has("expires") && searchParams.has("signature");
  return isOwn && pathname.startsWith("/files/") ? `${pathname}${search}` : undefined;
}

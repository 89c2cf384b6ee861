/**
 * Address of a file as this page may load it. The service signs addresses with the name that others reach it by, and
 * the policy of this page lets in only its own origin; the signature is of the path alone. Of a bucket or CDN: as it is.
 */
export function fileAddress(address: string): string {
  const { pathname, search, searchParams } = new URL(address, location.origin);
  const isOwn = searchParams.has("expires") && searchParams.has("signature");
  return isOwn && pathname.startsWith("/files/") ? `${pathname}${search}` : address;
}

/** The credential of `Authorization: Bearer ...`; the scheme in any case (RFC 9110 section 11.1). */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length < 8) return undefined;
  if (!header.startsWith("Bearer ") && header.slice(0, 7).toLowerCase() !== "bearer ") {
    return undefined;
  }
  return header.slice(7).trim();
}

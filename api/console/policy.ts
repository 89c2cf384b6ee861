/**
 * What browsers let the console do: its own scripts and workers, no frame around it, and requests to us and `origins`
 * alone (map tiles, files in a bucket). Every file has it, not only the page: a worker is held to the policy that came
 * with its own script.
 */
export function consoleHeaders(origins: Iterable<string>): Readonly<Record<string, string>> {
  const others = Array.from(new Set(origins), (origin) => ` ${origin}`).join("");
  return {
    "content-security-policy": [
      "default-src 'self'",
      "script-src 'self'",
      "worker-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      `img-src 'self' data: blob:${others}`,
      `connect-src 'self'${others}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; "),
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "geolocation=(self), camera=(self)",
  };
}

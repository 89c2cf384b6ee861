/**
 * What every HTTP answer asks of a browser: JSON and plain text are not pages, run nothing, and stay out of
 * frames. Routes with pages, pictures and the documentation replace single lines. They are listed here and not
 * taken from a library because the same lines go into answers that no framework writes (listeners of devices,
 * bytes that are not HTTP).
 */
export const SECURITY_HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

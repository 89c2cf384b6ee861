import fastifyCors from "@fastify/cors";
import type { FastifyInstance } from "fastify";

/** What scripts may read of an answer beside its body. */
const EXPOSED = [
  ...["ETag", "Location", "Link", "Allow", "Retry-After", "WWW-Authenticate", "X-Request-Id"],
  ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Idempotent-Replayed"],
  ...["X-Ignored-Parameters", "X-Ignored-Fields", "Content-Disposition", "Content-Range"],
  ...["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Metadata", "Upload-Expires"],
];
/** What they may send. `*` would not stand for `Authorization`. */
const ALLOWED = [
  ...["Authorization", "Content-Type", "Accept", "Idempotency-Key", "If-Match", "If-None-Match"],
  ...["If-Range", "Range", "Last-Event-ID", "Content-Encoding"],
  ...["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Metadata"],
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
/** How long a browser may keep the answer to a preflight, s: the longest that all browsers allow. */
const PREFLIGHT_AGE_S = 7_200;

/**
 * Lets pages of these origins call the API (`*`: of all); none: nothing is added to any answer. Keys are sent in a
 * header by the page itself, so credentials of the browser are never allowed. Before the guard: a preflight has no
 * key, and a page may read why it was refused.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const isOpen = origins.includes("*");
  app.addHook("onRoute", (route) => {
    // What is no preflight of an allowed origin is answered as without this: 405 or 404 with a key, else 401.
    if (route.method === "OPTIONS") route.config = { ...route.config, access: "any key" };
  });
  // Called, not registered: its hook has to be there before the guard's.
  fastifyCors(
    app,
    {
      origin: (origin, done) => {
        if (origin === undefined) done(null, false);
        else done(null, isOpen ? "*" : origins.includes(origin));
      },
      methods: METHODS,
      allowedHeaders: ALLOWED,
      exposedHeaders: EXPOSED,
      maxAge: PREFLIGHT_AGE_S,
      credentials: false,
      // Its refusal would be a text of its own; who asks for no method is told all of them.
      strictPreflight: false,
    },
    (error) => {
      if (error !== undefined) throw error;
    },
  );
}

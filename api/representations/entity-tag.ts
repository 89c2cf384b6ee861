import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The end of a tag of compressed bytes. */
const VARIANT = /-(?:br|gzip)"$/;

/** The tag of the same content as `encoding` of it (RFC 9110 section 8.8.3.3). */
export const variantTag = (etag: string, encoding: string): string =>
  etag.replace(/"$/, `-${encoding}"`);

/**
 * The tag of a list such as `If-None-Match` that names the content, in the words of the client: weak or not, of
 * compressed bytes or not (RFC 9110 section 13.1.2). `*` names any content, and so `etag` itself.
 */
export function namedTag(header: string | undefined, etag: string): string | undefined {
  // Most clients send the one tag that they were given.
  if (header === undefined || header === etag) return header;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (tags.includes("*")) return etag;
  // A tag may end like that of compressed bytes by chance.
  return tags.find((tag) => tag === etag || tag.replace(VARIANT, '"') === etag);
}

/** Whether `If-None-Match` names the tag. */
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  namedTag(header, etag) !== undefined;

/** Characters of base64url of a hash: 96 bits, so that no two texts that a client could have been sent share one. */
const HASH_LENGTH = 16;

/** A hash of a text, as entity tags name what they stand for; it has no quotes and no dot in it. */
export const tagHash = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, HASH_LENGTH);

/**
 * `onSend` hook of a route whose answers seldom change: a strong entity tag of the very bytes, and 304 for
 * clients that have them.
 */
export async function tagContent(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== "string") return payload;
  return answerTagged(request, reply, payload, `"${tagHash(payload)}"`);
}

/** Gives the answer its tag, and yields whether the client has what it names. */
export function tagIsKnown(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  const known = namedTag(request.headers["if-none-match"], etag);
  // The client's own words: a cache finds what it has by them.
  reply.header("etag", known ?? etag);
  return known !== undefined;
}

/** The payload under its tag, or 304 without one for clients that have it. */
export function answerTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
  etag: string,
): string | null {
  if (!tagIsKnown(request, reply, etag)) return payload;
  reply.code(304).removeHeader("content-type").removeHeader("content-length");
  // Fastify takes its length for HEAD, and sends nothing of it.
  if (request.method === "HEAD") return payload;
  return null;
}

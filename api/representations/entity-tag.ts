import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Whether `If-None-Match` names the tag: a list of tags, weak or not, or `*` (RFC 9110 section 13.1.2). */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag);
}

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
  const etag = `"${createHash("sha256").update(payload).digest("base64url")}"`;
  reply.header("etag", etag);
  if (!matchesTag(request.headers["if-none-match"], etag)) return payload;
  reply.code(304).removeHeader("content-type").removeHeader("content-length");
  return null;
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { WEEK_MS } from "../../domain/time.ts";
import { contentOfImageKey } from "../../processing/images/files/image-key.ts";
import { Refusal } from "../errors/refusal.ts";
import { waitingClient } from "../long-requests/while-open.ts";
import { matchesTag } from "../representations/entity-tag.ts";
import { invalidParameter } from "../validation/validation.ts";
import { THUMBNAIL_WIDTHS, type Thumbnails } from "./thumbnails.ts";

/** How long browsers may keep a thumbnail, s: its key names the content, and a signed address ends after a week. */
const AGE_S = WEEK_MS / 1_000;
/** Rises when thumbnails are made otherwise, so that those in browsers are not used any longer. */
const MAKING = 1;
/** When to ask again while too many wait, s: some 50 are made in it. */
const RETRY_S = 5;

/**
 * Answers a request for a file in a width: only of images whose key names their content, and only in the widths that are there.
 * @throws ParameterError naming them; Refusal 404 where the image is not stored, and those of `Thumbnails`
 */
export async function sendThumbnail(
  thumbnails: Thumbnails,
  key: string,
  width: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const found = THUMBNAIL_WIDTHS.find((one) => String(one) === width);
  if (found === undefined) {
    throw invalidParameter("w", `must be one of ${THUMBNAIL_WIDTHS.join(", ")}`);
  }
  const sha256 = contentOfImageKey(key);
  if (sha256 === undefined) {
    throw invalidParameter(
      "w",
      "is taken for uploaded images, pictures of cameras, and photographs of zones, only",
    );
  }
  const etag = `"${sha256.slice(0, 32)}-${found}-${MAKING}"`;
  const headers = { etag, "cache-control": `private, max-age=${AGE_S}, immutable` };
  if (matchesTag(request.headers["if-none-match"], etag)) {
    return reply.code(304).headers(headers).send();
  }
  const webp = await thumbnails
    .thumbnail(key, found, waitingClient(request, reply))
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.statusCode === 503)
        reply.header("retry-after", RETRY_S);
      throw error;
    });
  if (webp === undefined) throw new Refusal(404, "not_found", "Not found");
  return reply.headers(headers).type("image/webp").send(webp);
}

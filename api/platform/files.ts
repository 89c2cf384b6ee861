import type { FastifyPluginAsync } from "fastify";
import { contentTypeOf, isPublicFile } from "../../domain/platform/file-key.ts";
import type { ByteRange, FileStore } from "../../storage/ports/files.ts";
import { Refusal } from "../errors/refusal.ts";
import { matchesTag } from "../representations/entity-tag.ts";
import { sendThumbnail } from "../stored-images/send-thumbnail.ts";
import type { Thumbnails } from "../stored-images/thumbnails.ts";

export interface FilesOptions {
  readonly store: FileStore;
  /** Whether the query of an address lets its holder read the file now. */
  readonly isSigned: (key: string, query: Readonly<Record<string, unknown>>) => boolean;
  /** Makes images small; absent: `w` is ignored. */
  readonly thumbnails?: Thumbnails | undefined;
}

/**
 * How long a file below `public/` may be kept by others, s: longer shows a replaced file for longer, shorter
 * fetches it more often.
 */
const PUBLIC_AGE_S = 3_600;

const EMBEDDED = {
  // A browser shows an upload only as the type that its key names, and runs nothing.
  "content-security-policy": "default-src 'none'; sandbox",
  // Answers contain the addresses, and other sites may show the pictures.
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Files at `/files/{key}`, whole or one range of them: `public/` for everybody, the others by the
 * signed addresses that answers contain; uploaded images, and those of cameras, in a width too, with `w`. Not in the OpenAPI description: nobody makes these
 * addresses up. A refusal does not say whether there is such a file.
 */
const fileRoutes: FastifyPluginAsync<FilesOptions> = async (
  app,
  { store, isSigned, thumbnails },
) => {
  app.get<{ Params: { "*": string }; Querystring: Record<string, unknown> }>(
    "/files/*",
    { config: { access: "public" }, schema: { hide: true } },
    async (request, reply) => {
      const key = request.params["*"];
      if (!isPublicFile(key) && !isSigned(key, request.query)) {
        throw new Refusal(403, "forbidden", "The address is not signed, or has expired");
      }
      const { w } = request.query;
      if (w !== undefined && thumbnails !== undefined) {
        reply.headers(EMBEDDED);
        return await sendThumbnail(thumbnails, key, w, request, reply);
      }
      const stored = await store.stat(key);
      if (stored === undefined) throw new Refusal(404, "not_found", "Not found");
      const etag = `"${stored.etag}"`;
      reply.headers({
        etag,
        "accept-ranges": "bytes",
        "cache-control": isPublicFile(key)
          ? `public, max-age=${PUBLIC_AGE_S}`
          : "private, no-cache",
        "last-modified": new Date(stored.modifiedAtMs).toUTCString(),
        ...EMBEDDED,
      });
      if (matchesTag(request.headers["if-none-match"], etag)) return reply.code(304).send();
      const wanted = isCurrent(request.headers["if-range"], etag)
        ? parseRange(request.headers.range, stored.bytes)
        : undefined;
      if (wanted === "unsatisfiable") {
        return reply
          .code(416)
          .header("content-range", `bytes */${stored.bytes}`)
          .type("application/json; charset=utf-8")
          .send({ error: { code: "invalid_request", message: "No such range" } });
      }
      const opened = await store.get(key, wanted);
      if (opened === undefined) throw new Refusal(404, "not_found", "Not found");
      if (opened.file.etag !== stored.etag) {
        // Replaced between the two reads: the range was cut for another content.
        opened.body.destroy();
        throw new Error(`${key} was replaced while it was read`);
      }
      const { first, last } = wanted ?? { first: 0, last: stored.bytes - 1 };
      reply.type(contentTypeOf(key)).header("content-length", last - first + 1);
      if (wanted !== undefined) {
        reply.code(206).header("content-range", `bytes ${first}-${last}/${stored.bytes}`);
      }
      return reply.send(opened.body);
    },
  );
};

export default fileRoutes;

/** `If-Range`: a range counts only for the content that its tag names; dates are not compared. */
function isCurrent(header: string | string[] | undefined, etag: string): boolean {
  return header === undefined || header === etag;
}

/**
 * One range of bytes (RFC 9110 section 14). Anything else, several ranges too, is answered with the
 * whole file, as the RFC allows.
 */
function parseRange(
  header: string | undefined,
  bytes: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const length = Math.min(Number(to), bytes);
    return length === 0 ? "unsatisfiable" : { first: bytes - length, last: bytes - 1 };
  }
  const first = Number(from);
  const last = to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== "" && Number(to) < first) return undefined;
  return first >= bytes ? "unsatisfiable" : { first, last };
}

import { promisify } from "node:util";
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
} from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import fastifyCompress from "@fastify/compress";
import type { FastifyInstance, FastifyRequest, onSendHookHandler, RouteOptions } from "fastify";
import { variantTag } from "./entity-tag.ts";

/** What is shorter, bytes, saves less than one packet. */
const THRESHOLD_BYTES = 1_024;
/**
 * Up to this length, bytes, an answer is compressed in place: handing it to a thread costs more. A larger value
 * would hold up other requests for longer than 1 ms.
 */
const IN_PLACE_BYTES = 16 * 1_024;
/** Twice as fast as 4, for 2 % less to 14 % more bytes (docs/http.md). */
const BROTLI_QUALITY = 2;
/** Of what is compressed once and sent many times. A higher one takes a multiple of the time for a few percent. */
const KEPT_BROTLI_QUALITY = 4;
/** Of gzip, for the same reason. */
const GZIP_LEVEL = 4;
/** Window of brotli, 2^n bytes. A larger one takes more memory for each answer under way, and saves little. */
const BROTLI_WINDOW_BITS = 18;

const brotli = (quality: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
  },
});
const GZIP: ZlibOptions = { level: GZIP_LEVEL };

/** Content codings of answers, the preferred one first. */
const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

const NEGOTIATED = "accept-encoding";

/** Text. All else is compressed already, or is followed while it grows, which a compressor would hold back. */
const COMPRESSED =
  /^(?:text\/(?:csv|html|plain|xml)|application\/(?:geo\+)?json|application\/xml|image\/svg\+xml)(?:;|$)/;

/**
 * Compresses text for clients that accept brotli or gzip. What was a stream stays one. Left as they are:
 * answers that show a secret, so that their length says nothing about it; event streams and archives; files; and
 * what needs no key, because anybody could have it compressed again and again. Before any route.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  const compressed = new WeakSet<RouteOptions>();
  app.addHook("onRoute", (route) => {
    const isText = isCompressed(route);
    if (isText) compressed.add(route);
    if (!isText || route.method === "HEAD") route.compress = false;
  });
  await app.register(fastifyCompress, {
    encodings: [...ENCODINGS],
    threshold: THRESHOLD_BYTES,
    syncThreshold: IN_PLACE_BYTES,
    customTypes: (type) => COMPRESSED.test(type),
    brotliOptions: brotli(BROTLI_QUALITY),
    zlibOptions: GZIP,
    // A compressed body could be any size when it is read; the API takes none.
    globalDecompression: false,
  });
  // Behind the hook of the plugin, which knows nothing of entity tags.
  app.addHook("onRoute", (route) => {
    if (compressed.has(route)) route.onSend = [...[route.onSend ?? []].flat(), nameVariant];
  });
}

const compressors = {
  br: {
    inPlace: brotliCompressSync,
    inThread: promisify(brotliCompress),
    options: brotli(KEPT_BROTLI_QUALITY),
  },
  gzip: { inPlace: gzipSync, inThread: promisify(gzip), options: GZIP },
} as const;

/** The bytes as `encoding`, to be kept. Long ones are compressed in a thread. */
export async function compressed(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const { inPlace, inThread, options } = compressors[encoding];
  return bytes.length <= IN_PLACE_BYTES ? inPlace(bytes, options) : inThread(bytes, options);
}

/**
 * The coding that {@link compressAnswers} would choose for a body of `length` bytes; `undefined`: as it is. For a
 * route that sends bytes which it has compressed before.
 */
export function encodingFor(
  { method, headers }: FastifyRequest,
  length: number,
): Encoding | undefined {
  const accepted = headers[NEGOTIATED];
  if (method === "HEAD" || length < THRESHOLD_BYTES || typeof accepted !== "string")
    return undefined;
  if (headers["x-no-compression"] !== undefined) return undefined;
  const chosen = negotiate(accepted.toLowerCase().replace(/\*|x-gzip/g, "gzip"), [...ENCODINGS]);
  return ENCODINGS.find((encoding) => encoding === chosen);
}

/** Whether answers of a route may be compressed; HEAD has none, but the same headers. */
function isCompressed({ compress, config = {}, schema }: RouteOptions): boolean {
  if (typeof compress === "object") return true;
  if (config.access === undefined || config.access === "public") return false;
  if (config.withoutSecret !== undefined || config.stream === true) return false;
  const types = Object.entries((schema?.response ?? {}) as Record<string, Described>)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content = {} }]) => Object.keys(content));
  return types.length === 0 || types.some((type) => COMPRESSED.test(type));
}

/** What a route's schema says of an answer; without `content` it is JSON. */
interface Described {
  readonly content?: object;
}

/** A tag names bytes, and those of a compressed answer are others (RFC 9110 section 8.8.3.3). */
const nameVariant: onSendHookHandler = (_request, reply, payload, done) => {
  // The plugin adds it, in this spelling, where it compresses.
  const vary = String(reply.getHeader("vary") ?? "");
  if (!vary.includes(NEGOTIATED)) {
    reply.header("vary", vary === "" ? NEGOTIATED : `${vary}, ${NEGOTIATED}`);
  }
  const etag = reply.getHeader("etag");
  const encoding = reply.getHeader("content-encoding");
  if (typeof etag === "string" && typeof encoding === "string") {
    reply.header("etag", variantTag(etag, encoding));
  }
  done(null, payload);
};

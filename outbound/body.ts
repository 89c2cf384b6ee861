import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { codeOf, OutboundError } from "./failure.ts";

const unzip = promisify(gunzip);

/** What a request for a body has to say, so that `readBody` can read it. */
export const BODY_HEADERS: Readonly<Record<string, string>> = { "accept-encoding": "gzip" };

/**
 * The whole body of an answer, unpacked when it came as gzip.
 * @throws OutboundError `too large` above `maxBytes`, packed or unpacked; `not http` for an encoding that
 * was not requested, or invalid gzip; errors of the connection.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(response.headers["content-length"] ?? 0);
  if (announced > maxBytes) throw new OutboundError("too large");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new OutboundError("too large");
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "" || bytes === 0) return body;
  if (encoding !== "gzip" && encoding !== "x-gzip") throw new OutboundError("not http");
  try {
    return await unzip(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new OutboundError(codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? "too large" : "not http");
  }
}

import type { IncomingMessage } from "node:http";

/** The body of a request; `too_large`: over `maxBytes`, declared or received. The caller discards the rest. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | "too_large"> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    return Promise.resolve("too_large");
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.off("data", take);
      chunks.length = 0;
      resolve("too_large");
    };
    request.on("data", take);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    // Also a sender that went away in the middle, which raises no error by itself.
    request.once("close", () => reject(new Error("the request ended before its body did")));
  });
}

import type { IncomingMessage } from "node:http";

/** How much of a body that is too large is read and thrown away, so that the answer gets through. Chosen. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** The body of a request; `too_large`: over `maxBytes`, by what it declares or by what came. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | "too_large"> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    discardBody(request);
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
      discardBody(request);
      resolve("too_large");
    };
    request.on("data", take);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    // Also a sender that went away in the middle, which raises no error by itself.
    request.once("close", () => reject(new Error("the request ended before its body did")));
  });
}

/** Reads what is left of a body without keeping it; a sender that goes on for long is cut off. */
export function discardBody(request: IncomingMessage): void {
  let bytes = 0;
  request.on("error", () => undefined);
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_DISCARDED_BYTES) request.destroy();
  });
}

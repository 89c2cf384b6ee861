import { Readable, Transform } from "node:stream";
import { DomainError } from "../../domain/errors.ts";

/** The content as a stream that fails with `FILE_TOO_LARGE` once it is longer than `maxBytes`. */
export function limitedStream(content: Readable | Uint8Array, maxBytes: number): Transform {
  const source = content instanceof Uint8Array ? Readable.from([content]) : content;
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        done(new DomainError("FILE_TOO_LARGE", `the file is larger than ${maxBytes} bytes`));
        return;
      }
      done(null, chunk);
    },
  });
  // Either end takes the other down: a client that went away must not leave half a file waiting.
  source.once("error", (error) => limit.destroy(error));
  source.once("close", () => {
    if (!source.readableEnded) limit.destroy(new Error("the upload ended early"));
  });
  limit.once("close", () => source.destroy());
  if (source.destroyed) limit.destroy(new Error("the upload has ended before it began"));
  source.pipe(limit);
  return limit;
}

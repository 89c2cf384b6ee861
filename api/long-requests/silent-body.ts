import type { IncomingMessage } from "node:http";

/**
 * Longest silence of a client that sends a large body, ms. Shorter ends the upload of a phone that changes
 * its cell; longer keeps a place from others.
 */
const IDLE_MS = 30_000;

/**
 * Ends a request that brings nothing for one to two times `IDLE_MS`, but for the time that we do not
 * read it, because what was read is being stored; yields what ends the watch.
 */
export function cutWhenSilent(raw: IncomingMessage, isOurTurn: () => boolean): () => void {
  let seenBytes: number | undefined;
  const timer = setInterval(() => {
    const { bytesRead } = raw.socket;
    if (bytesRead === seenBytes) raw.destroy();
    seenBytes = isOurTurn() ? undefined : bytesRead;
  }, IDLE_MS);
  return () => clearInterval(timer);
}

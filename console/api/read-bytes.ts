import { failureOf, NO_ANSWER } from "./failure.ts";
import type { Outcome } from "./outcome.ts";

/** How much of a file has come. */
export interface ReadBytes {
  readonly read: number;
  /** `undefined`: the answer does not say. */
  readonly total: number | undefined;
}

/**
 * Reads the body of an answer piece by piece. Never throws; what the signal of the request ended is a failure without
 * an answer.
 * @param onProgress at each piece
 */
export async function readBytes(
  request: Promise<Response>,
  onProgress: (progress: ReadBytes) => void,
): Promise<Outcome<ArrayBuffer>> {
  try {
    const response = await request;
    if (!response.ok || response.body === null) {
      const body: unknown = await response.json().catch(() => undefined);
      return { failure: failureOf(body, response) };
    }
    const total = totalOf(response);
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let read = 0;
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value);
      read += piece.value.length;
      onProgress({ read, total });
    }
    return { value: await new Blob(pieces).arrayBuffer() };
  } catch {
    return { failure: NO_ANSWER };
  }
}

/** Length of the body; of a compressed one the header counts other bytes than the reader. */
function totalOf({ headers }: Response): number | undefined {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  return headers.has("content-encoding") || !(length > 0) ? undefined : length;
}
